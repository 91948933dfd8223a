// Package ask is the small form over a page: some sentences, a few fields, and what happens when a person agrees. Work runs what the
// page passed to it and shows an error in the form; success is for the page to report. esc always means no.
//
// What deletes or reveals something for good waits for its capital X, which works only once the fields hold what they must.
package ask

import (
	"fmt"
	"slices"

	"billfold/tui/action"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// Field is a line to be typed.
type Field struct {
	Label string
	Input field.Field
	Check func(text string) error // what is wrong with it; nil: nothing can be

	shown bool // it is a secret that is readable now
}

// secret reports whether the field holds a secret, hidden or not.
func (f *Field) secret() bool { return f.Input.Secret || f.shown }

// Answer is the effect of a key on the form.
type Answer int

// The answers.
const (
	Stay  Answer = iota // it is still open
	Go                  // the person agreed: the page does what was asked
	Leave               // the person closed it
)

// Form is the form. The page sets what is exported.
type Form struct {
	Title  string
	Text   []canvas.Line // above the fields
	Fields []Field
	Below  []canvas.Line // under the fields, as the page learns more
	Word   string        // what agreeing does: "save"
	Delete bool          // agreeing takes X instead of enter
	Keep   bool          // nothing secret is typed: the form survives a lock

	// Note returns what is shown beside a field, or under it if there is no room; nil: no notes.
	Note func(field int, live bool) canvas.Line

	// Missing returns why the person cannot agree yet; empty if nothing is missing. nil: nothing is required.
	Missing func(values []string) string

	Busy  string // what is being done; empty: nothing
	Fault string // why it was not done

	at      int
	initial []string // the values before a person typed; nil: nobody did
	head    bool     // if not all of it has room, the beginning is shown, not the field being typed
}

const (
	placeType = "ask.type"
	placeOne  = "ask.one"
	placeX    = "ask.x"
)

// Places are the form's keys: while one of several fields is typed, while the only one is, and once X works.
func Places() []action.Place {
	always := []action.Action{
		{ID: "ask.begin", Keys: []string{"pgup"}, Help: "the beginning of a form that is longer than the window", Typing: true},
		{ID: "ask.end", Keys: []string{"pgdown"}, Show: "pgdn", Help: "back to the field", Typing: true},
		{ID: "ask.show", Keys: []string{"ctrl+t"}, Help: "show, hide what is typed", Typing: true},
		{ID: "esc", Keys: []string{"esc"}, Word: "close", Help: "close, change nothing", Hint: 3, Typing: true},
	}
	return []action.Place{
		{ID: placeType, Title: "Form", Modal: true, Actions: append([]action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "next, done", Help: "next field; in the last: do it", Hint: 1, Typing: true},
			{ID: "next", Keys: []string{"tab"}, Word: "field", Help: "next field", Hint: 2, Typing: true},
			{ID: "prev", Keys: []string{"shift+tab"}, Show: "⇧tab", Help: "previous field", Typing: true},
			{ID: "ask.down", Keys: []string{"down"}, Help: "next field", Typing: true},
			{ID: "ask.up", Keys: []string{"up"}, Help: "previous field", Typing: true},
		}, always...)},
		{ID: placeOne, Title: "Form of one field", Modal: true, Actions: append([]action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "done", Help: "do it", Hint: 1, Typing: true},
		}, always...)},
		{ID: placeX, Title: "Form, X works", Modal: true, Actions: []action.Action{
			{ID: "ask.x", Keys: []string{"X"}, Word: "do it", Help: "do it", Hint: 1, Money: true},
			{ID: "next", Keys: []string{"tab"}, Help: "back to the field"},
			{ID: "esc", Keys: []string{"esc"}, Word: "keep it", Help: "close, change nothing", Hint: 2, Typing: true},
		}},
	}
}

// Place returns the form's place in the key table, and where letters go.
func (f *Form) Place() (string, screen.Mode) {
	if f.Delete && (len(f.Fields) == 0 || f.at < 0) {
		return placeX, screen.MODAL
	}
	if len(f.Fields) < 2 {
		return placeOne, screen.TYPE
	}
	return placeType, screen.TYPE
}

// Asker is a page over which a form may be open.
type Asker interface {
	Asking() *Form // nil: none is
}

// Say returns the word of a key in the hint line; empty: that of the table.
func (f *Form) Say(do action.ID) string {
	if place, _ := f.Place(); place == placeOne && do == "enter" {
		return f.Word
	}
	return ""
}

// Off returns why a key of the form does nothing now; empty if it works.
func (f *Form) Off(do action.ID) string {
	if place, _ := f.Place(); place == placeOne && do == "enter" && f.Delete {
		return "X does it, once what is asked for is typed"
	}
	return ""
}

// Values returns the texts of the fields.
func (f *Form) Values() []string {
	out := make([]string, len(f.Fields))
	for i := range f.Fields {
		out[i] = f.Fields[i].Input.Value()
	}
	return out
}

// Unsaved returns a warning that what was typed into the form is lost when the program ends; empty if nothing would be. Secrets, and
// what is typed to approve something, are never kept and cause no warning.
func (f *Form) Unsaved() string {
	if f == nil || f.Delete || f.initial == nil {
		return ""
	}
	for i := range f.Fields {
		if one := &f.Fields[i]; !one.secret() && (i >= len(f.initial) || one.Input.Value() != f.initial[i]) {
			return "The form " + f.Title + " is filled in but not done; quitting discards it."
		}
	}
	return ""
}

// At returns the field in focus; -1 once X works.
func (f *Form) At() int { return f.at }

// missing returns why the person cannot agree yet, empty if nothing is missing, and the field that it is about, -1 for none.
func (f *Form) missing() (why string, field int) {
	for i := range f.Fields {
		one := &f.Fields[i]
		if fault := one.Input.Fault(); fault != "" {
			return one.Label + ": " + fault, i
		}
		if one.Check == nil {
			continue
		}
		if err := one.Check(one.Input.Value()); err != nil {
			return one.Label + ": " + err.Error(), i
		}
	}
	if f.Missing == nil {
		return "", -1
	}
	return f.Missing(f.Values()), -1
}

// Do performs the action of a key.
func (f *Form) Do(id action.ID) Answer {
	f.head = id == "ask.begin"
	switch id {
	case "esc":
		return Leave
	case "enter":
		return f.enter()
	case "ask.x":
		return f.submit()
	case "next", "ask.down":
		f.moveFocus(1)
	case "prev", "ask.up":
		f.moveFocus(-1)
	case "ask.show":
		f.toggleSecret()
	case "clear":
		if f.at >= 0 && f.at < len(f.Fields) {
			f.Fields[f.at].Input.Clear()
		}
	case "restore":
		for i := range f.Fields {
			f.Fields[i].Input.Restore()
		}
	}
	return Stay
}

// moveFocus goes to another field; once X works, back to the first.
func (f *Form) moveFocus(by int) {
	switch n := len(f.Fields); {
	case n == 0:
	case f.at < 0:
		f.at = 0
	default:
		f.at = (f.at + by + n) % n
	}
}

// toggleSecret shows or hides the text of the field in focus, if it is a secret.
func (f *Form) toggleSecret() {
	if one := &f.Fields[f.at]; one.secret() {
		one.shown = !one.shown
		one.Input.Secret, one.Input.Open = !one.shown, one.shown
	}
}

func (f *Form) enter() Answer {
	if f.at < len(f.Fields)-1 {
		f.at++
		return Stay
	}
	return f.submit()
}

func (f *Form) submit() Answer {
	if f.Busy != "" {
		return Stay
	}
	why, field := f.missing()
	if f.Fault = why; why != "" {
		if field >= 0 {
			f.at = field
		}
		return Stay
	}
	if f.Delete && f.at >= 0 && len(f.Fields) > 0 { // now X works
		f.at = -1
		return Stay
	}
	return Go
}

// Type types into the field in focus and reports whether it changed.
func (f *Form) Type(k tea.KeyMsg) bool {
	if f.at < 0 || f.at >= len(f.Fields) || f.Busy != "" {
		return false
	}
	if f.initial == nil {
		f.initial = f.Values()
	}
	if !f.Fields[f.at].Input.Key(k) {
		return false
	}
	f.Fault, f.head = "", false
	if why, _ := f.missing(); f.Delete && f.at == len(f.Fields)-1 && why == "" {
		f.at = -1
	}
	return true
}

// Click puts the focus on a field.
func (f *Form) Click(c screen.Click) {
	if c.At >= 0 && c.At < len(f.Fields) {
		f.at = c.At
	}
}

const width = 76

// Draw draws the form over a page.
func (f *Form) Draw(env screen.Env, page canvas.Area) {
	inner := min(width, page.W-4) - 6
	lines := f.lines(inner)
	r := layout.Popup(layout.Rect{W: page.W, H: page.H}, width, len(lines)+4+f.spareRows(), env.Class)
	a := page.Sub(r.X, r.Y, r.W, r.H)
	if inner != r.W-6 {
		lines = f.lines(r.W - 6)
	}
	a.Fill(theme.Style{Bg: theme.ModalBg})
	rows := a.H - 2
	pad := 1
	if len(lines)+1 > rows {
		pad = 0
	}
	top := f.top(lines, rows-pad)
	frame := canvas.Frame{Title: canvas.Bold(theme.Focus, f.Title), State: f.more(top, len(lines)-top-rows+pad),
		Foot: canvas.In(theme.Muted, f.foot()), Heavy: true, Bg: theme.ModalBg}
	in := a.Box(frame)
	for i, l := range lines[top:min(top+in.H-pad, len(lines))] {
		in.Put(2, i+pad, l.text.On(theme.ModalBg))
		if l.live {
			in.Put(1, i+pad, canvas.In(theme.Focus, theme.SignRow).On(theme.ModalBg))
		}
		if l.field >= 0 {
			in.Row(i + pad).Zone(screen.Click{Panel: -1, At: l.field})
		}
	}
}

// top returns the first line on screen if there is room for rows lines: the end of the form is shown, because the newest information
// is there, but the field being typed stays in view, and pgup shows the beginning.
func (f *Form) top(lines []line, rows int) int {
	top := max(len(lines)-rows, 0)
	if f.head {
		return 0
	}
	for i, l := range lines {
		if l.live {
			top = min(top, i)
		}
	}
	return top
}

// more returns how many lines are above or below what is on screen, and which key shows them.
func (f *Form) more(above, below int) canvas.Line {
	switch {
	case above > 0:
		return canvas.In(theme.Muted, fmt.Sprintf("pgup %d more", above))
	case below > 0 && f.head:
		return canvas.In(theme.Muted, fmt.Sprintf("pgdn %d more", below))
	case below > 0:
		return canvas.In(theme.Muted, fmt.Sprintf("tab %d more", below))
	}
	return nil
}

// spareRows returns how many rows are kept free for what is found out while a person types, so that the form does not move then.
func (f *Form) spareRows() int {
	if len(f.Fields) == 0 || len(f.Below) > 0 || f.Busy != "" || f.Fault != "" {
		return 0
	}
	return 2
}

// line is a row of the form.
type line struct {
	text  canvas.Line
	field int  // the field that it belongs to; -1: none
	live  bool // that field is in focus
}

// lines returns all rows of the form, w cells wide.
func (f *Form) lines(w int) (out []line) {
	put := func(l canvas.Line) {
		for _, r := range l.Wrap(w) {
			out = append(out, line{text: r, field: -1})
		}
	}
	gap := func() {
		if n := len(out); n > 0 && out[n-1].text.Width() > 0 {
			out = append(out, line{field: -1})
		}
	}
	for _, l := range f.Text {
		put(l)
	}
	gap()
	labelW := 0
	for _, one := range f.Fields {
		labelW = max(labelW, canvas.Width(one.Label)+2)
	}
	for i := range f.Fields {
		out = append(out, f.row(i, labelW, w)...)
	}
	gap()
	for _, l := range f.Below {
		put(l)
	}
	switch {
	case f.Busy != "":
		gap()
		put(canvas.In(theme.Pending, theme.SignWork+" "+f.Busy+" …"))
	case f.Fault != "":
		gap()
		put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(f.Fault)))
	}
	for len(out) > 0 && out[len(out)-1].text.Width() == 0 {
		out = slices.Delete(out, len(out)-1, len(out))
	}
	return out
}

// noteAt is the column where notes begin beside fields that are short.
const noteAt = 20

// row returns the lines of a field with its label and its note.
func (f *Form) row(i, labelW, w int) []line {
	live := i == f.at && f.Busy == ""
	label, in, room := canvas.In(theme.Muted, f.Fields[i].Label).Pad(labelW), &f.Fields[i].Input, max(w-labelW, 4)
	var note canvas.Line
	if f.Note != nil {
		note = f.Note(i, live)
	}
	used := max(min(canvas.Width(in.Value())+3, room), noteAt)
	if note == nil || used+note.Width() <= room {
		text := canvas.Join(label, in.Line(room, live))
		if note != nil {
			text = canvas.Join(canvas.Join(label, in.Line(used-2, live)).Pad(labelW+used), note)
		}
		return []line{{text, i, live}}
	}
	out := []line{{canvas.Join(label, in.Line(room, live)), i, live}}
	for _, l := range note.Wrap(room) {
		out = append(out, line{text: canvas.Join(canvas.Text(" ").Pad(labelW), l), field: -1})
	}
	return out
}

// retryPassword goes back to the first secret, which is the password that was wrong, and selects it: what is typed next replaces it.
func (f *Form) retryPassword() {
	if i := slices.IndexFunc(f.Fields, func(one Field) bool { return one.secret() }); i >= 0 {
		f.at = i
		f.Fields[i].Input.Select()
	}
}

// Focus puts the cursor into a field.
func (f *Form) Focus(field int) { f.at = field }

func (f *Form) foot() string {
	switch {
	case f.Delete && len(f.Fields) == 0:
		return "X " + f.Word + " · esc keep"
	case f.Delete && f.at < 0:
		return "X " + f.Word + " · tab to the fields · esc keep"
	case f.Delete:
		return "X " + f.Word + ", once it is typed · esc keep"
	}
	return "↵ " + f.Word + " · esc close"
}

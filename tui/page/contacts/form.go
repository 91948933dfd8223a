package contacts

import (
	"context"
	"strings"
	"time"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// form is what is asked for over the page.
type form struct {
	ask.Work
	book Book
	find Finder
	done string // what is said afterwards

	adds  bool                  // the first field names an account that is looked up
	found ledgerview.AccountRef // by that name or id; zero while it was not found

	kept *form // what was typed before a lock; shown once the wallet is open, as notes are
}

// openAdd asks for an account and a note.
func (f *form) openAdd(env screen.Env, who ledgerview.AccountRef) {
	f.adds, f.done, f.found = true, "is a contact now", who
	f.Tasks.Forget(topicLook)
	form := &ask.Form{
		Title: "New contact", Word: "save",
		Text: []canvas.Line{canvas.In(theme.Muted, "Name, object id and the three keys are kept as they are now."),
			canvas.In(theme.Muted, "The note stays in this wallet.")},
		Fields: []ask.Field{
			{Label: "Account", Input: field.New(name(who))},
			{Label: "Note", Input: field.Field{Limit: contact.NoteSize}},
		},
	}
	form.Missing = func([]string) string {
		if f.found.ID == 0 {
			return "the account is not found yet"
		}
		return ""
	}
	f.Open(form, "Saving", func(ctx context.Context, values []string) (any, error) {
		return f.book.Save(ctx, f.found.ID.String(), strings.TrimSpace(values[1]))
	})
	f.judge(env)
}

func name(a ledgerview.AccountRef) string {
	if a.ID == 0 || a.Name != "" {
		return a.Name
	}
	return a.ID.String()
}

// openNote asks for the note of a contact.
func (f *form) openNote(c contact.Contact, now string) {
	f.adds, f.done, f.found = false, "has a new note", c.AccountRef
	form := &ask.Form{
		Title: "Note on " + format.Account(c.AccountRef).String(), Word: "save",
		Text:   []canvas.Line{canvas.In(theme.Muted, "Encrypted with the wallet; it never leaves it. Empty removes it.")},
		Fields: []ask.Field{{Label: "Note", Input: field.New(now)}},
	}
	form.Fields[0].Input.Limit = contact.NoteSize
	f.Open(form, "Saving", func(ctx context.Context, values []string) (any, error) {
		return nil, f.book.SetNote(ctx, c.ID, strings.TrimSpace(values[0]))
	})
}

// openRemove asks whether a contact shall go.
func (f *form) openRemove(c contact.Contact) {
	f.adds, f.done, f.found = false, "is no contact any more", c.AccountRef
	form := &ask.Form{
		Title: "Remove a contact", Word: "remove", Delete: true,
		Text: []canvas.Line{format.Account(c.AccountRef),
			canvas.Text("Its saved keys and its note are deleted. The account itself and your payments stay."),
			canvas.In(theme.Muted, "Type its name, then press X.")},
		Fields: []ask.Field{{Label: "Name"}},
	}
	form.Missing = func(values []string) string {
		if values[0] != c.Name {
			return "type " + format.Clean(c.Name) + " first"
		}
		return ""
	}
	f.Open(form, "Removing", func(ctx context.Context, _ []string) (any, error) { return nil, f.book.Remove(ctx, c.ID) })
}

// keep takes over what stands in another form, for when the wallet is open. A yes to removing is not kept.
func (f *form) keep(was *form) {
	switch {
	case was.Form == nil:
		f.kept = was.kept
	case !was.Form.Delete:
		f.kept = was
	}
}

// resume opens the form that was kept. What was being saved may be saved or not, so it is asked again.
func (f *form) resume(env screen.Env) tea.Cmd {
	was := f.kept
	if was == nil || !env.Unlocked() || f.Form != nil {
		return nil
	}
	f.kept = nil
	if was.adds {
		f.openAdd(env, was.found)
	} else {
		f.openNote(contact.Contact{AccountRef: was.found}, "")
	}
	for i := range f.Form.Fields {
		if now := &was.Form.Fields[i].Input; !now.HoldsKey() {
			f.Form.Fields[i].Input.Set(now.Value())
		}
	}
	f.Form.Focus(was.Form.At())
	if f.adds && f.found.ID == 0 {
		return f.look(env)
	}
	return nil
}

// typed takes a key into the form; an account that is typed is looked up.
func (f *form) typed(env screen.Env, k tea.KeyMsg) tea.Cmd {
	before := f.Form.Values()[0]
	if !f.Form.Type(k) || !f.adds || f.Form.Values()[0] == before {
		return nil
	}
	return f.look(env)
}

// look asks the ledger for the account that is typed.
func (f *form) look(env screen.Env) tea.Cmd {
	f.found = ledgerview.AccountRef{}
	f.Tasks.Forget(topicLook)
	text := strings.TrimSpace(f.Form.Values()[0])
	if f.judge(env); text == "" || f.Form.Fields[0].Input.Fault() != "" || !env.Online() {
		return nil
	}
	f.Form.Below = []canvas.Line{canvas.In(theme.Pending, theme.SignWork+" looking")}
	return f.askFor(env, text)
}

func (f *form) askFor(env screen.Env, text string) tea.Cmd {
	return f.Tasks.Start(env, topicLook, askLimit, func(ctx context.Context) (any, error) {
		return f.find.Named(ctx, strings.ToLower(text))
	})
}

// lookAgain asks again for an account that was not found: it may be registered by now, or a node answer. Until then what was said stands.
func (f *form) lookAgain(env screen.Env) tea.Cmd {
	if f.Form == nil || !f.adds || f.found.ID != 0 || !env.Online() {
		return nil
	}
	text := strings.TrimSpace(f.Form.Values()[0])
	if _, busy := f.Tasks.Busy(topicLook); busy || text == "" || f.Form.Fields[0].Input.Fault() != "" {
		return nil
	}
	return f.askFor(env, text)
}

// looked takes what the ledger has under the name that is typed.
func (f *form) looked(env screen.Env, msg screen.Result) {
	if f.Form == nil || !f.adds {
		return
	}
	found, _ := msg.Body.(ledgerview.AccountRef)
	if msg.Err == nil {
		f.found, f.Form.Fault = found, ""
		f.judge(env)
		return
	}
	if fault.CodeOf(msg.Err) == fault.NoSuchAccount {
		f.Form.Below = []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" no such account")}
		return
	}
	f.Form.Below = []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" "+advice.Said(msg.Err))}
}

// judge shows what is known of the account that was found.
func (f *form) judge(env screen.Env) {
	f.Form.Below = nil
	if f.found.ID == 0 {
		if !env.Online() {
			f.Form.Below = []canvas.Line{canvas.In(theme.Muted, "cannot check: no node")}
		}
		return
	}
	f.Form.Below = []canvas.Line{
		canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), format.Account(f.found), canvas.Text(" is on the ledger")),
	}
	if c, saved := env.Contact(f.found.ID); saved {
		f.Form.Below = append(f.Form.Below, canvas.In(theme.Warn, theme.SignCareful+" a contact since "+c.Saved.UTC().Format(time.DateOnly)+
			". Saving takes its keys as they are now; an empty note keeps the old one."))
	}
	for _, like := range ledgerview.LookAlikes(f.found.Name, env.Known(f.found.ID)) {
		f.Form.Below = append(f.Form.Below, canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" looks like "), format.Account(like)))
	}
}

// changed takes the end of a change: what to say of it, and whether it was made.
func (f *form) changed(msg screen.Result) (done canvas.Line, made bool) {
	if !f.Ended(msg) {
		return nil, false
	}
	f.Close()
	return canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), format.Account(f.found), canvas.Text(" "+f.done)), true
}

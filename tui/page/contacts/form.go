package contacts

import (
	"context"
	"strings"

	"billfold/ledger"
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

// form is the form that is open over the page: for a new contact, for its note, or for removing it.
type form struct {
	ask.Work
	book     Book
	finder   Finder
	doneText string // what the toast says of the account afterwards

	adds  bool                  // it adds a contact: its first field names the account, which is looked up
	found ledgerview.AccountRef // by that name or id; zero until it is found

	kept  note  // present note of the contact
	saved *form // what was typed before a lock; like notes, it is shown only in an unlocked wallet
}

// openAdd opens the form for an account and a note on it.
func (f *form) openAdd(env screen.Env, who ledgerview.AccountRef) {
	f.adds, f.found = true, who
	f.Tasks.Forget(topicLookup)
	form := &ask.Form{
		Title: "New contact", Word: "save",
		Text: []canvas.Line{canvas.In(theme.Muted, "Name, object id and the three keys are kept as they are now."),
			canvas.In(theme.Muted, "The note stays in this wallet.")},
		Fields: []ask.Field{
			{Label: "Account", Input: field.New(nameOf(who))},
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
	f.showFound(env)
}

func nameOf(a ledgerview.AccountRef) string {
	if a.ID == 0 || a.Name != "" {
		return a.Name
	}
	return a.ID.String()
}

// openNote opens the form for the note on a contact; now is the present one. One that these keys cannot read is replaced, and never
// removed by an empty field.
func (f *form) openNote(c contact.Contact, now note) {
	f.adds, f.doneText, f.found = false, "has a new note", c.AccountRef
	form := &ask.Form{
		Title: "Note on " + format.Account(c.AccountRef).String(), Word: "save",
		Text:   []canvas.Line{canvas.In(theme.Muted, "Encrypted with the wallet; it never leaves it. Empty removes it.")},
		Fields: []ask.Field{{Label: "Note", Input: field.New(now.text)}},
	}
	if f.kept = now; now.isUnreadable() {
		form.Text = append(form.Text[:0], noteText(now), canvas.In(theme.Muted, "What is written here replaces it."))
		form.Missing = func(values []string) string {
			if strings.TrimSpace(values[0]) == "" {
				return "write the note that replaces it"
			}
			return ""
		}
	}
	form.Fields[0].Input.Limit = contact.NoteSize
	f.Open(form, "Saving", func(ctx context.Context, values []string) (any, error) {
		return nil, f.book.SetNote(ctx, c.ID, strings.TrimSpace(values[0]))
	})
}

// openRemove opens the form that confirms the removal of a contact.
func (f *form) openRemove(c contact.Contact) {
	f.adds, f.doneText, f.found = false, "is no longer a contact", c.AccountRef
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

// keepDraft takes over what is typed in another form, to be restored in an unlocked wallet. A removal is not kept.
func (f *form) keepDraft(was *form) {
	switch {
	case was.Form == nil:
		f.saved = was.saved
	case !was.Form.Delete:
		f.saved = was
	}
}

// restore opens the form that was kept. A change that was under way may have been saved or not, so a person confirms it again.
func (f *form) restore(env screen.Env) tea.Cmd {
	was := f.saved
	if was == nil || !env.Unlocked() || f.Form != nil {
		return nil
	}
	f.saved = nil
	if was.adds {
		f.openAdd(env, was.found)
	} else {
		f.openNote(contact.Contact{AccountRef: was.found}, was.kept)
	}
	for i := range f.Form.Fields {
		if now := &was.Form.Fields[i].Input; !now.HoldsSecret() {
			f.Form.Fields[i].Input.Set(now.Value())
		}
	}
	f.Form.Focus(was.Form.At())
	if f.adds && f.found.ID == 0 {
		return f.lookUp(env)
	}
	return nil
}

// typeKey types a key into the form and looks up the account that is typed.
func (f *form) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	before := f.Form.Values()[0]
	if !f.Form.Type(k) || !f.adds || f.Form.Values()[0] == before {
		return nil
	}
	return f.lookUp(env)
}

// lookUp starts looking up the account that is typed.
func (f *form) lookUp(env screen.Env) tea.Cmd {
	f.found = ledgerview.AccountRef{}
	f.Tasks.Forget(topicLookup)
	text := strings.TrimSpace(f.Form.Values()[0])
	if f.showFound(env); text == "" || f.Form.Fields[0].Input.Fault() != "" || !env.Online() {
		return nil
	}
	f.Form.Below = []canvas.Line{canvas.In(theme.Pending, theme.SignWork+" looking")}
	return f.startLookup(env, text)
}

func (f *form) startLookup(env screen.Env, text string) tea.Cmd {
	return f.Tasks.Start(env, topicLookup, readLimit, func(ctx context.Context) (any, error) {
		return f.finder.Named(ctx, strings.ToLower(text))
	})
}

// retryLookup looks up again an account that was not found: it may be registered by now, or a node may answer. Until then the
// earlier outcome stays on screen.
func (f *form) retryLookup(env screen.Env) tea.Cmd {
	if f.Form == nil || !f.adds || f.found.ID != 0 || !env.Online() {
		return nil
	}
	text := strings.TrimSpace(f.Form.Values()[0])
	if _, busy := f.Tasks.Busy(topicLookup); busy || text == "" || f.Form.Fields[0].Input.Fault() != "" {
		return nil
	}
	return f.startLookup(env, text)
}

// applyLookup shows the outcome of a lookup.
func (f *form) applyLookup(env screen.Env, msg screen.Result) {
	if f.Form == nil || !f.adds {
		return
	}
	found, _ := msg.Body.(ledgerview.AccountRef)
	if msg.Err == nil {
		f.found, f.Form.Fault = found, ""
		f.showFound(env)
		return
	}
	if fault.CodeOf(msg.Err) == fault.NoSuchAccount {
		why := " no such account"
		if foreign := ledger.ForeignCharacter(strings.TrimSpace(f.Form.Values()[0])); foreign != "" {
			why += ": " + foreign
		}
		f.Form.Below = []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+why)}
		return
	}
	f.Form.Below = []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" "+advice.Sentence(msg.Err))}
}

// showFound shows the account that was found, whether it is a contact already, and which known names it resembles.
func (f *form) showFound(env screen.Env) {
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
	f.doneText = "is a contact now"
	if c, saved := env.Contact(f.found.ID); saved {
		f.doneText = "was a contact already: its keys are saved as they are now"
		f.Form.Below = append(f.Form.Below, canvas.In(theme.Warn, theme.SignCareful+" a contact since "+env.Times().DayIn(c.Saved)+
			". Saving takes its keys as they are now and replaces its note; an empty one keeps it."))
	}
	for _, like := range ledgerview.LookAlikes(f.found.Name, env.KnownExcept(f.found.ID)) {
		f.Form.Below = append(f.Form.Below, canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" looks like "), format.Account(like)))
	}
}

// finish takes the end of a change. If it was made, it closes the form and returns the line that reports it.
func (f *form) finish(msg screen.Result) (done canvas.Line, made bool) {
	if !f.Ended(msg) {
		return nil, false
	}
	f.Close()
	return canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), format.Account(f.found), canvas.Text(" "+f.doneText)), true
}

package keys

import (
	"context"
	"strings"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault/strength"

	tea "github.com/charmbracelet/bubbletea"
)

// shownFor is how long a private key is on screen, and ends is how many characters of its public key are typed before.
const (
	shownFor = 30 * time.Second
	ends     = 6
)

// form is what is asked for over the page, and the private key that it may end in.
type form struct {
	ask.Work
	core  Core
	lists func() *strength.Estimator // read when a password is judged

	judges bool     // the second field is a new password
	signs  *signing // the form is of signers; nil: of something else

	secret ledger.KeyText // on screen; nil: none
	of     ledger.PublicKey
	until  time.Time
}

func newForm(core Core, tasks *screen.Tasks) form {
	return form{Work: ask.Work{Tasks: tasks, Topic: topicForm}, core: core,
		lists: sync.OnceValue(func() *strength.Estimator { return strength.New() })}
}

// openReveal asks for all that a private key is shown for.
func (f *form) openReveal(key ledger.PublicKey) {
	f.judges, f.signs = false, nil
	form := &ask.Form{
		Title: "Reveal a private key", Word: "show it", Delete: true,
		Text: []canvas.Line{
			canvas.Text("Whoever sees the private key can use it for ever. It is shown for 30 s and never copied."),
			canvas.Join(canvas.In(theme.Muted, "Public key "), format.Key(key)),
			canvas.In(theme.Muted, "Type the wallet's password and the last six characters of the public key, then press X."),
		},
		Fields: []ask.Field{{Label: "Password", Input: field.Field{Secret: true}}, {Label: "Last six"}},
	}
	text := key.String()
	form.Missing = func(values []string) string {
		switch {
		case values[0] == "":
			return "type the password first"
		case values[1] != text[len(text)-ends:]:
			return "the last six characters of the public key are others"
		}
		return ""
	}
	f.Open(form, "Working", func(ctx context.Context, values []string) (any, error) {
		if err := f.core.Lock.Unlock(ctx, values[0]); err != nil {
			return nil, err
		}
		private, err := f.core.Vault.PrivateKeyOf(key)
		return revealed{key, private}, err
	})
}

// revealed is a private key to be shown.
type revealed struct {
	of      ledger.PublicKey
	private ledger.KeyText
}

// openPassword asks for another password of the wallet.
func (f *form) openPassword() {
	f.judges, f.signs = true, nil
	f.Tasks.Forget(topicJudge)
	form := &ask.Form{
		Title: "Wallet password", Word: "change it",
		Text: []canvas.Line{canvas.In(theme.Muted, "The wallet is encrypted with the new password at once, and locks.")},
		Fields: []ask.Field{
			{Label: "Password now", Input: field.Field{Secret: true}},
			{Label: "New password", Input: field.Field{Secret: true}},
			{Label: "New, again", Input: field.Field{Secret: true}},
		},
	}
	form.Missing = func(values []string) string {
		switch {
		case values[0] == "" || values[1] == "":
			return "type the password of now, and the new one twice"
		case values[1] != values[2]:
			return "the two new passwords differ"
		}
		return ""
	}
	f.Open(form, "Working", func(ctx context.Context, values []string) (any, error) {
		return nil, f.core.Lock.ChangePassword(ctx, values[0], values[1])
	})
}

// openFind asks for a public key whose accounts are looked for.
func (f *form) openFind(key ledger.PublicKey) {
	text := ""
	if key != (ledger.PublicKey{}) {
		text = key.String()
	}
	f.judges, f.signs = false, nil
	form := &ask.Form{
		Title: "Accounts of a key", Word: "look",
		Text:   []canvas.Line{canvas.In(theme.Muted, "Finds the accounts that name a public key, and in which role.")},
		Fields: []ask.Field{{Label: "Public key", Input: field.New(text)}},
	}
	form.Missing = func(values []string) string {
		if _, err := ledger.ParsePublicKey(strings.TrimSpace(values[0])); err != nil {
			return "that is no public key; it begins with DCT"
		}
		return ""
	}
	f.Open(form, "Working", func(ctx context.Context, values []string) (any, error) {
		key, err := ledger.ParsePublicKey(strings.TrimSpace(values[0]))
		if err != nil {
			return nil, err
		}
		return f.core.Ledger.OfKey(ctx, key)
	})
}

// typed takes a key; a new password is judged.
func (f *form) typed(env screen.Env, k tea.KeyMsg) tea.Cmd {
	if !f.Form.Type(k) {
		return nil
	}
	if f.signs != nil {
		f.signs.typed(f.Form)
	}
	if !f.judges {
		return nil
	}
	password := f.Form.Values()[1]
	if f.Form.Below = nil; password == "" {
		return nil
	}
	core, lists := f.core.Lock, f.lists
	return f.Tasks.Start(env, topicJudge, 0, func(context.Context) (any, error) { return core.JudgePassword(lists(), password), nil })
}

// judged shows how long the new password resists.
func (f *form) judged(msg screen.Result) {
	verdict, is := msg.Body.(strength.Verdict)
	if !is || f.Form == nil || !f.judges {
		return
	}
	sign := canvas.In(theme.OK, theme.SignDone+" ")
	if verdict.Weak {
		sign = canvas.In(theme.Warn, theme.SignCareful+" ")
	}
	f.Form.Below = []canvas.Line{canvas.Join(sign, canvas.Text("New password: "+format.Clean(verdict.Text)))}
}

// done takes the end of what was asked for.
func (f *form) done(env screen.Env, msg screen.Result) tea.Cmd {
	if r, is := msg.Body.(revealed); is && f.Form == nil {
		r.private.Wipe()
	}
	if !f.Ended(msg) {
		return nil
	}
	switch body := msg.Body.(type) {
	case []ledgerview.KeyUse:
		f.Form.Below = usesLines(body)
		return nil
	case revealed:
		f.Close()
		f.secret, f.of, f.until = body.private, body.of, env.Now.Add(shownFor)
		return nil
	}
	f.Close()
	return screen.Request(screen.Toast{Line: canvas.In(theme.OK, theme.SignDone+" The wallet has a new password and is locked")})
}

// usesLines lists the accounts of a key.
func usesLines(uses []ledgerview.KeyUse) (out []canvas.Line) {
	if len(uses) == 0 {
		return []canvas.Line{canvas.Text("No account names this key.")}
	}
	for _, u := range uses {
		out = append(out, canvas.Join(format.Account(u.AccountRef), canvas.In(theme.Muted, "  "+u.Roles())))
	}
	return out
}

// hide takes a private key off the screen.
func (f *form) hide() {
	f.secret.Wipe()
	f.secret = nil
}

// expire takes it off once its time is over.
func (f *form) expire(now time.Time) {
	if f.secret != nil && !now.Before(f.until) {
		f.hide()
	}
}

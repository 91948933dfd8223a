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

// secretShownFor is the time for which a private key stays on screen; lastChars is the number of characters of its public key that must be
// typed first.
const (
	secretShownFor = 30 * time.Second
	lastChars      = 6
)

// form is the form that is open over the page, and the private key that it may lead to.
type form struct {
	ask.Work
	core      Core
	estimator func() *strength.Estimator // made when a password is first judged

	judgesPassword bool         // the second field is a new password
	signers        *signersForm // set if the form asks for signers
	made           *NewKeys     // for the change that the form is about; nil: about none

	secret      ledger.KeyText // the private key on screen; nil: none
	secretOf    ledger.PublicKey
	secretUntil time.Time
}

func newForm(core Core, tasks *screen.Tasks) form {
	return form{Work: ask.Work{Tasks: tasks, Topic: topicForm}, core: core,
		estimator: sync.OnceValue(func() *strength.Estimator { return strength.New() })}
}

// openReveal opens the form that must be filled in before a private key is shown.
func (f *form) openReveal(key ledger.PublicKey) {
	f.judgesPassword, f.signers = false, nil
	form := &ask.Form{
		Title: "Reveal a private key", Word: "show it", Delete: true,
		Text: []canvas.Line{
			canvas.Text("Anyone who sees the private key can use it for ever. It is shown for 30 s and never copied."),
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
		case values[1] != text[len(text)-lastChars:]:
			return "those are not the last six characters of the public key"
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

// revealed is a private key to show.
type revealed struct {
	of      ledger.PublicKey
	private ledger.KeyText
}

// openPassword opens the form that changes the wallet's password.
func (f *form) openPassword() {
	f.judgesPassword, f.signers = true, nil
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
			return "type the present password, and the new one twice"
		case values[1] != values[2]:
			return "the two new passwords differ"
		}
		return ""
	}
	f.Open(form, "Working", func(ctx context.Context, values []string) (any, error) {
		return nil, f.core.Lock.ChangePassword(ctx, values[0], values[1])
	})
}

// openFind opens the form that finds the accounts of a public key.
func (f *form) openFind(key ledger.PublicKey) {
	text := ""
	if key != (ledger.PublicKey{}) {
		text = key.String()
	}
	f.judgesPassword, f.signers = false, nil
	form := &ask.Form{
		Title: "Accounts of a key", Word: "look",
		Text:   []canvas.Line{canvas.In(theme.Muted, "Finds the accounts that name a public key, and in which role.")},
		Fields: []ask.Field{{Label: "Public key", Input: field.New(text)}},
	}
	form.Missing = func(values []string) string {
		if _, err := ledger.ParsePublicKey(strings.TrimSpace(values[0])); err != nil {
			return "that is not a public key; it begins with DCT"
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

// typeKey types a key into the form and has a new password judged.
func (f *form) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	if !f.Form.Type(k) {
		return nil
	}
	if f.signers != nil {
		f.signers.update(f.Form)
	}
	if !f.judgesPassword {
		return nil
	}
	password := f.Form.Values()[1]
	if f.Form.Below = nil; password == "" {
		return nil
	}
	core, lists := f.core.Lock, f.estimator
	return f.Tasks.Start(env, topicJudge, 0, func(context.Context) (any, error) { return core.JudgePassword(lists(), password), nil })
}

// applyVerdict shows how strong the new password is.
func (f *form) applyVerdict(msg screen.Result) {
	verdict, is := msg.Body.(strength.Verdict)
	if !is || f.Form == nil || !f.judgesPassword {
		return
	}
	sign := canvas.In(theme.OK, theme.SignDone+" ")
	if verdict.Weak {
		sign = canvas.In(theme.Warn, theme.SignCareful+" ")
	}
	f.Form.Below = []canvas.Line{canvas.Join(sign, canvas.Text("New password: "+format.Clean(verdict.Text)))}
}

// finish takes the end of the form's work: it shows what was found, or the private key, or that the password was changed.
func (f *form) finish(env screen.Env, msg screen.Result) tea.Cmd {
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
		f.secret, f.secretOf, f.secretUntil = body.private, body.of, env.Now.Add(secretShownFor)
		return nil
	}
	f.Close()
	return screen.Request(screen.Toast{Line: canvas.In(theme.OK, theme.SignDone+" The wallet has a new password and is locked")})
}

// usesLines returns the accounts of a key, a line each.
func usesLines(uses []ledgerview.KeyUse) (out []canvas.Line) {
	if len(uses) == 0 {
		return []canvas.Line{canvas.Text("No account names this key.")}
	}
	for _, u := range uses {
		out = append(out, canvas.Join(format.Account(u.AccountRef), canvas.In(theme.Muted, "  "+u.Roles())))
	}
	return out
}

// hideSecret takes the private key off the screen and wipes it.
func (f *form) hideSecret() {
	f.secret.Wipe()
	f.secret = nil
}

// hideExpired takes the private key off the screen once its time is over.
func (f *form) hideExpired(now time.Time) {
	if f.secret != nil && !now.Before(f.secretUntil) {
		f.hideSecret()
	}
}

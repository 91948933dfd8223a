package ask

import (
	"context"
	"strings"
	"time"

	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// Work is a form over a page and what agreeing to it starts. The zero value has no form.
type Work struct {
	Form *Form // nil: no form is open

	Tasks *screen.Tasks
	Topic string
	Limit time.Duration // for the work; 0: as long as it takes

	busy    string
	run     func(ctx context.Context, values []string) (any, error)
	resumed bool // the form was opened before a lock: while the wallet is locked, nobody can agree to it
}

// Open shows a form. Agreeing to it calls run with the texts of its fields; busy is shown while it runs.
func (w *Work) Open(form *Form, busy string, run func(ctx context.Context, values []string) (any, error)) {
	w.Form, w.busy, w.run, w.resumed = form, busy, run, false
}

// Unsaved returns a warning that what was typed into the form is lost when the program ends; empty if nothing would be.
func (w *Work) Unsaved() string { return w.Form.Unsaved() }

// Do acts on what a key did to the form: it closes the form, or starts the work.
func (w *Work) Do(env screen.Env, answer Answer) tea.Cmd {
	switch answer {
	case Leave:
		w.Close()
	case Go:
		if w.resumed && !env.Unlocked() {
			return screen.Request(screen.NeedUnlock{})
		}
		w.Form.Busy = w.busy
		run, values := w.run, w.Form.Values()
		return w.Tasks.Start(env, w.Topic, w.Limit, func(ctx context.Context) (any, error) { return run(ctx, values) })
	case Stay:
	}
	return nil
}

// Close closes the form and discards what was typed into it. The result of work that still runs is ignored.
func (w *Work) Close() {
	w.Form = nil
	w.Tasks.Forget(w.Topic)
}

// Ended takes the result of the work and reports whether it succeeded. If not, the form stays open and shows why.
func (w *Work) Ended(msg screen.Result) bool {
	if w.Form == nil {
		return false
	}
	if w.Form.Busy = ""; msg.Err != nil {
		w.Form.Fault = advice.Sentence(msg.Err)
		if fault.CodeOf(msg.Err) == fault.WrongPassword {
			w.Form.retryPassword()
		}
		return false
	}
	return true
}

// Resume takes over the form of an earlier Work if it may be kept over a lock. Secrets are dropped, and so is an address that holds a
// password.
func (w *Work) Resume(was Work) {
	if was.Form == nil || !was.Form.Keep {
		return
	}
	was.Form.Busy, was.Form.Fault = "", ""
	for i := range was.Form.Fields {
		if in := &was.Form.Fields[i].Input; was.Form.Fields[i].secret() || in.HoldsSecret() || HoldsPassword(in.Value()) {
			in.Set("")
		}
	}
	w.Form, w.busy, w.run, w.resumed = was.Form, was.busy, was.run, true
}

// HoldsPassword reports whether a text may be an address with a password in it.
func HoldsPassword(text string) bool {
	return strings.Contains(text, "://") && strings.Contains(text, "@")
}

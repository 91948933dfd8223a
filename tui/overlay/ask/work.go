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

// Work is a form over a page and what agreeing to it starts. The zero value asks nothing.
type Work struct {
	Form *Form // nil: nothing is asked

	Tasks *screen.Tasks
	Topic string
	Limit time.Duration // of the work; 0 is as long as it takes

	busy    string
	run     func(ctx context.Context, values []string) (any, error)
	resumed bool // it was opened before a lock: whoever finds the wallet locked agrees to nothing
}

// Open shows a form; agreeing runs what is given, and busy names that meanwhile.
func (w *Work) Open(form *Form, busy string, run func(ctx context.Context, values []string) (any, error)) {
	w.Form, w.busy, w.run, w.resumed = form, busy, run, false
}

// Unsaved returns a warning that what was typed into the form is lost when the program ends; empty where nothing is.
func (w *Work) Unsaved() string { return w.Form.Unsaved() }

// Do does what a key of the form means.
func (w *Work) Do(env screen.Env, answer Answer) tea.Cmd {
	switch answer {
	case Leave:
		w.Close()
	case Go:
		if w.resumed && !env.Unlocked() {
			return screen.Request(screen.NeedUnlock{Back: w.Tasks.Owner()})
		}
		w.Form.Busy = w.busy
		run, values := w.run, w.Form.Values()
		return w.Tasks.Start(env, w.Topic, w.Limit, func(ctx context.Context) (any, error) { return run(ctx, values) })
	case Stay:
	}
	return nil
}

// Close ends the form; what is typed in it is gone.
func (w *Work) Close() {
	w.Form = nil
	w.Tasks.Forget(w.Topic)
}

// Ended takes the end of the work and reports whether it was done; why not stands in the form then, which stays open.
func (w *Work) Ended(msg screen.Result) bool {
	if w.Form == nil {
		return false
	}
	if w.Form.Busy = ""; msg.Err != nil {
		w.Form.Fault = advice.Sentence(msg.Err)
		if fault.CodeOf(msg.Err) == fault.WrongPassword {
			w.Form.again()
		}
		return false
	}
	return true
}

// Resume takes over what another work asks, where its form may be kept. A password in an address goes, as every secret does.
func (w *Work) Resume(was Work) {
	if was.Form == nil || !was.Form.Keep {
		return
	}
	was.Form.Busy, was.Form.Fault = "", ""
	for i := range was.Form.Fields {
		if in := &was.Form.Fields[i].Input; was.Form.Fields[i].secret() || in.HoldsKey() || HoldsPassword(in.Value()) {
			in.Set("")
		}
	}
	w.Form, w.busy, w.run, w.resumed = was.Form, was.busy, was.run, true
}

// HoldsPassword reports whether a text may be an address with a password in it.
func HoldsPassword(text string) bool {
	return strings.Contains(text, "://") && strings.Contains(text, "@")
}

package console

import (
	"context"
	"slices"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/approval"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// The topics of the page's tasks.
const (
	topicRun      = "run"
	topicAsked    = "asked"
	topicComplete = "complete"
)

// via is how requests of the console are told from those of programs.
const via = approval.Console

// begin runs what is typed.
func (m *Model) begin(env screen.Env) tea.Cmd {
	line := m.line()
	r, waits := waiting(env)
	switch {
	case m.busy() && waits: // its answer comes before the next line
		return screen.Request(screen.Decide{Request: r, Unrun: m.shown(line)})
	case m.busy() && line != "":
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("The line before still runs; this one has not run")})
	case line == "" || m.busy():
		return nil
	}
	m.remember(line)
	if m.core.Censor.Reveals(line) {
		askPassword(m, line)
		return nil
	}
	return m.start(env, m.shown(line), line, m.core.Runner.Run)
}

// askPassword asks for the password before private keys are shown, as Keys does.
func askPassword(m *Model, line string) {
	m.reveals = line
	m.form = &ask.Form{Title: "Private keys on screen", Word: "show them", Text: []canvas.Line{
		canvas.In(theme.Warn, theme.SignCareful+" Whoever sees a private key can use the account for ever.")},
		Fields: []ask.Field{{Label: "Password", Input: field.Field{Secret: true}}},
		Missing: func(values []string) string {
			if values[0] == "" {
				return "the password is needed"
			}
			return ""
		}}
}

// reveal runs a line that answers with private keys, once the password is right.
func (m *Model) reveal(env screen.Env, line, password string) tea.Cmd {
	forms, runner := m.core.Forms, m.core.Runner
	return m.start(env, m.shown(line), line, func(ctx context.Context, line string, ask Approver) (Result, error) {
		if _, err := forms.RunForm(ctx, forms.Line("unlock", []string{password}), ask); err != nil {
			return Result{}, err
		}
		return runner.Run(ctx, line, ask)
	})
}

// start runs a line, which stands in the output as shown.
func (m *Model) start(env screen.Env, shown, line string, do func(context.Context, string, Approver) (Result, error)) tea.Cmd {
	m.input.Set("")
	m.offered, m.stirred, m.cut = nil, false, false
	m.runs = append(m.runs, run{line: shown, begun: env.Now, running: true})
	m.runs = m.runs[max(len(m.runs)-mostLines, 0):]
	m.at = len(m.runs) - 1
	entered, ended := make(chan struct{}, 1), make(chan struct{})
	queue, enter := m.core.Approvals, func() { entered <- struct{}{} }
	return tea.Batch(
		m.tasks.Start(env, topicRun, runLimit, func(ctx context.Context) (any, error) {
			defer close(ended)
			result, err := do(ctx, line, func(ctx context.Context, method string, r build.Review) error {
				return decide(ctx, queue, approval.Request{Method: method, Line: shown, Review: r, Entered: enter})
			})
			if built, others := ByOthers(ctx, m.core.Runner, m.core.Others, line, err); others {
				return built, err
			}
			return result, err
		}),
		m.await(env, entered, ended),
	)
}

// ByOthers makes of a line that ended with an error what others sign; false where the error is another one than that they have to.
func ByOthers(ctx context.Context, runner Runner, by Others, line string, err error) (screen.Built, bool) {
	if fault.CodeOf(err) != fault.MissingAuthority {
		return nil, false
	}
	ops, err := runner.Operations(ctx, line)
	if err != nil {
		return nil, false
	}
	built, err := by.Others(ctx, ops)
	return built, err == nil
}

// byOthers opens the review of what others sign, unless something was pressed since.
func byOthers(built screen.Built, stirred bool) tea.Cmd {
	if stirred {
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("Others have to sign this: run the line again for its file")})
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built, Back: screen.Console}})
}

// await reports that the run waits for a yes.
func (m *Model) await(env screen.Env, entered, ended <-chan struct{}) tea.Cmd {
	m.tasks.Forget(topicAsked)
	return m.tasks.Start(env, topicAsked, runLimit, func(ctx context.Context) (any, error) {
		select {
		case <-entered:
			return true, nil
		case <-ended:
		case <-ctx.Done():
		}
		return false, nil
	})
}

// decide asks through the queue of approvals.
func decide(ctx context.Context, queue *approval.Queue, r approval.Request) error {
	r.Who, r.Via, r.Why = "you", via, "typed in the console"
	what := "you did not agree"
	switch queue.Ask(ctx, r) {
	case approval.Yes:
		return nil
	case approval.Silence:
		what = "you did not answer in time"
	case approval.TooMany:
		what = "too many requests wait for an answer"
	case approval.No, approval.Left, approval.Unattended, approval.Unwelcome:
	}
	return &fault.Error{Code: fault.Denied, Op: r.Method, Message: what, Hint: "nothing was signed"}
}

// waiting returns the request of the console that waits for an answer: the latest, since a line of before a lock may wait, too.
func waiting(env screen.Env) (approval.Request, bool) {
	for _, r := range slices.Backward(env.Approvals) {
		if r.Via == via {
			return r, true
		}
	}
	return approval.Request{}, false
}

// complete asks what the line may become.
func (m *Model) complete(env screen.Env) tea.Cmd {
	m.tasks.Forget(topicComplete)
	line, reader := m.input.Value(), m.core.Reader
	return m.tasks.Start(env, topicComplete, completeLimit, func(ctx context.Context) (any, error) {
		return offers{line, reader.Complete(ctx, line)}, nil
	})
}

// offers are what a line may become.
type offers struct {
	line string
	all  []string
}

// offer completes the line as far as all that it may become agree.
func (m *Model) offer(o offers) {
	if o.line != m.input.Value() {
		return
	}
	m.offered = o.all
	if len(o.all) == 0 {
		return
	}
	same := o.all[0]
	for _, other := range o.all[1:] {
		n := 0
		for n < len(same) && n < len(other) && same[n] == other[n] {
			n++
		}
		same = same[:n]
	}
	if len(same) > len(o.line) {
		m.input.Set(same)
	}
	if len(o.all) == 1 {
		m.offered = nil
	}
}

// sayLocked shows that a line from before a lock was not signed because of the lock.
func sayLocked(err error) tea.Cmd {
	if fault.CodeOf(err) != fault.Locked {
		return nil
	}
	line := canvas.In(theme.Danger, theme.SignFailed+" Not sent: the wallet was locked before your line was signed.")
	return screen.Request(screen.Toast{Bad: true, Urgent: true, Line: line})
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicRun:
		if m.cut {
			m.cut = false
			return sayLocked(msg.Err)
		}
		last := &m.runs[len(m.runs)-1]
		last.running, last.took, last.err = false, env.Now.Sub(last.begun), msg.Err
		last.result, _ = msg.Body.(Result)
		if built, others := msg.Body.(screen.Built); others {
			return byOthers(built, m.stirred)
		}
	case topicAsked:
		if r, waits := waiting(env); waits {
			return screen.Request(screen.Decide{Request: r, ByItself: screen.Console, Typed: m.stirred})
		}
	case topicComplete:
		if o, ok := msg.Body.(offers); ok {
			m.offer(o)
		}
	}
	return nil
}

package console

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/approval"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// The topics of the page's tasks.
const (
	topicRun      = "run"
	topicApproval = "asked"
	topicComplete = "complete"
)

// via marks the approval requests of the console; those of programs have another mark.
const via = approval.Console

// runLine runs the typed line. While another one runs it does not, but shows the approval that one waits for, if any.
func (m *Model) runLine(env screen.Env) tea.Cmd {
	line := m.line()
	r, waits := pendingApproval(env)
	switch {
	case m.busy() && waits: // it is answered before the next line runs
		return screen.Request(screen.Decide{Request: r, Unrun: m.shown(line)})
	case m.busy() && line != "":
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("The previous line is still running; this one was not run")})
	case line == "" || m.busy():
		return nil
	}
	if to, is := leads(line); is {
		m.input.Set("")
		return screen.Request(to)
	}
	m.remember(line)
	if m.core.Censor.Reveals(line) {
		askPassword(m, line)
		return nil
	}
	return m.startRun(env, m.shown(line), line, m.core.Runner.Run)
}

// leads returns what the root is asked for by a line that is no operation but a way out of the console, or to a page.
func leads(line string) (to tea.Msg, is bool) {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "exit", "quit":
		return screen.Back{}, true
	case "import":
		return screen.Navigate{To: screen.FirstRun}, true
	}
	return nil, false
}

// askPassword opens the form for the password that is needed before line shows private keys. The page Keys asks for it, too.
func askPassword(m *Model, line string) {
	m.revealLine = line
	m.form = &ask.Form{Title: "Private keys on screen", Word: "show them", Text: []canvas.Line{
		canvas.In(theme.Warn, theme.SignCareful+" Anyone who sees a private key can use the account for ever.")},
		Fields: []ask.Field{{Label: "Password", Input: field.Field{Secret: true}}},
		Missing: func(values []string) string {
			if values[0] == "" {
				return "the password is needed"
			}
			return ""
		}}
}

// runRevealing runs a line that answers with private keys, if the password is right.
func (m *Model) runRevealing(env screen.Env, line, password string) tea.Cmd {
	forms, runner := m.core.Forms, m.core.Runner
	return m.startRun(env, m.shown(line), line, func(ctx context.Context, line string, ask Approver) (Result, error) {
		if _, err := forms.RunForm(ctx, forms.Line("unlock", []string{password}), ask); err != nil {
			return Result{}, err
		}
		return runner.Run(ctx, line, ask)
	})
}

// startRun starts do with a line, which stands in the output as shown.
func (m *Model) startRun(env screen.Env, shown, line string, do func(context.Context, string, Approver) (Result, error)) tea.Cmd {
	m.input.Set("")
	m.completions, m.keyPressed, m.ranBeforeLock = nil, false, false
	m.runs = append(m.runs, run{line: shown, started: env.Now, running: true})
	m.runs = m.runs[max(len(m.runs)-maxLines, 0):]
	m.focus = len(m.runs) - 1
	entered, ended := make(chan struct{}, 1), make(chan struct{})
	queue, enter := m.core.Approvals, func() { entered <- struct{}{} }
	return tea.Batch(
		m.tasks.Start(env, topicRun, 0, func(ctx context.Context) (any, error) {
			defer close(ended)
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			limit := time.AfterFunc(runLimit, cancel)
			defer limit.Stop()
			result, err := do(ctx, line, func(ctx context.Context, method string, r txbuild.Review) error {
				limit.Stop() // a person may take as long as reading takes
				defer limit.Reset(runLimit)
				return requestApproval(ctx, queue, approval.Request{Method: method, Line: shown, Review: r, Entered: enter})
			})
			if built, others := BuildForOthers(ctx, m.core.Runner, m.core.ForOthers, line, err); others {
				return built, err
			}
			return result, err
		}),
		m.awaitApproval(env, entered, ended),
	)
}

// BuildForOthers builds what others have to sign for a line whose run ended with err. It reports false if err is not
// fault.MissingAuthority, or if nothing can be built for others.
func BuildForOthers(ctx context.Context, runner Runner, by ForOthers, line string, err error) (screen.Built, bool) {
	if fault.CodeOf(err) != fault.MissingAuthority {
		return nil, false
	}
	ops, err := runner.Operations(ctx, line)
	if err != nil {
		return nil, false
	}
	built, err := by.BuildForOthers(ctx, ops)
	return built, err == nil
}

// openOthersReview opens the review of what others have to sign. If a key was pressed since the line was run, a toast says so instead.
func openOthersReview(built screen.Built, keyPressed bool) tea.Cmd {
	if keyPressed {
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("Others have to sign this: run the line again for its file")})
	}
	return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built, Back: screen.Console}})
}

// awaitApproval starts a task that ends once the run waits for approval, or has ended without asking for one.
func (m *Model) awaitApproval(env screen.Env, entered, ended <-chan struct{}) tea.Cmd {
	m.tasks.Forget(topicApproval)
	return m.tasks.Start(env, topicApproval, runLimit, func(ctx context.Context) (any, error) {
		select {
		case <-entered:
			return true, nil
		case <-ended:
		case <-ctx.Done():
		}
		return false, nil
	})
}

// requestApproval puts r into the queue of approvals and waits for the answer; anything but a yes is the error fault.Denied.
func requestApproval(ctx context.Context, queue *approval.Queue, r approval.Request) error {
	r.Who, r.Via, r.Why = "you", via, "typed in the console"
	what := "you did not agree"
	switch queue.Ask(ctx, r) {
	case approval.Yes:
		return nil
	case approval.TooMany:
		what = "too many requests wait for an answer"
	case approval.No, approval.Silence, approval.Left, approval.Unattended, approval.Unwelcome:
	}
	return &fault.Error{Code: fault.Denied, Op: r.Method, Message: what, Hint: "nothing was signed"}
}

// pendingApproval returns the request of the console that waits for an answer: the latest, since one from before a lock may wait, too.
func pendingApproval(env screen.Env) (approval.Request, bool) {
	for _, r := range slices.Backward(env.Approvals) {
		if r.Via == via {
			return r, true
		}
	}
	return approval.Request{}, false
}

// startCompletion starts reading how the line can be completed.
func (m *Model) startCompletion(env screen.Env) tea.Cmd {
	m.tasks.Forget(topicComplete)
	line, reader := m.input.Value(), m.core.Reader
	return m.tasks.Start(env, topicComplete, completeLimit, func(ctx context.Context) (any, error) {
		return completions{line, reader.Complete(ctx, line)}, nil
	})
}

// completions are the whole lines that a line can be completed to.
type completions struct {
	line string
	all  []string
}

// applyCompletions completes the line up to where its completions differ, and offers them if there are several.
func (m *Model) applyCompletions(o completions) {
	if o.line != m.input.Value() {
		return
	}
	m.completions = o.all
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
		m.completions = nil
	}
}

// reportLocked shows that a line from before a lock was not signed, if the lock prevented it.
func reportLocked(err error) tea.Cmd {
	if fault.CodeOf(err) != fault.Locked {
		return nil
	}
	line := canvas.In(theme.Danger, theme.SignFailed+" Not sent: the wallet was locked before your line was signed.")
	return screen.Request(screen.Toast{Bad: true, Urgent: true, Line: line})
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicRun:
		if m.ranBeforeLock {
			m.ranBeforeLock = false
			return reportLocked(msg.Err)
		}
		last := &m.runs[len(m.runs)-1]
		last.running, last.took, last.err = false, env.Now.Sub(last.started), msg.Err
		last.result, _ = msg.Body.(Result)
		if built, others := msg.Body.(screen.Built); others {
			return openOthersReview(built, m.keyPressed)
		}
	case topicApproval:
		if r, waits := pendingApproval(env); waits {
			return screen.Request(screen.Decide{Request: r, From: screen.Console, Typed: m.keyPressed})
		}
	case topicComplete:
		if o, ok := msg.Body.(completions); ok {
			m.applyCompletions(o)
		}
	}
	return nil
}

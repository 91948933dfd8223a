// Package firstrun is the first page and the ways that it offers: creating a
// wallet with a recovery phrase, importing a wallet.json, a private key or a
// phrase, watching an account, and the sandbox.
// It owns what is typed there while it is typed; nothing is written before the
// last step, and esc leaves every step without a trace. The node that is asked can
// be chosen first; that is a setting, and needs no wallet.
//
// Over an existing wallet it offers the imports alone. Another page can open one way directly.
package firstrun

import (
	"cmp"
	"context"
	"sync"
	"time"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"

	tea "github.com/charmbracelet/bubbletea"
)

// verifyLimit is the time limit of verifying one answer.
const verifyLimit = 20 * time.Second

// The topics of the page's tasks.
const (
	topicRun    = "finish" // the path runs, after its last step
	topicVerify = "look"   // an answer is verified
	topicJudge  = "weigh"  // a new password is judged
)

// Options holds what the page shows and offers besides its paths.
type Options struct {
	Sandbox bool   // offer the sandbox
	Folder  string // where the wallet is kept
	Nodes   Nodes  // nil: the node cannot be chosen here
}

// Model is the page.
type Model struct {
	core  Maker
	tasks *screen.Tasks
	opt   Options
	fresh bool // there is no wallet yet

	cursor    list.Cursor
	path      *path
	step      int
	answers   []string
	notes     []string // what verification found about each answer
	input     entry
	fault     string
	names     string                     // that fit the path which is typed, after tab
	estimator func() *strength.Estimator // made when it is first needed
	verdict   strength.Verdict           // of the new password
	phrase    phrase                     // while it is shown
	newPhrase string                     // the new phrase: it stays the same when a person goes back and forth
	report    outcome                    // of the last step; enter goes Home
	asker     screen.ID                  // the page that opened one way directly; empty: the choice is offered
}

// New makes the page.
func New(core Maker, tasks *screen.Tasks, opt Options) *Model {
	return &Model{core: core, tasks: tasks, opt: opt, fresh: true}
}

// busy reports whether the path runs, which cannot be interrupted, or an answer is being verified.
func (m *Model) busy() bool {
	_, finishing := m.tasks.Busy(topicRun)
	_, looking := m.tasks.Busy(topicVerify)
	return finishing || looking
}

// finishing reports whether the path runs.
func (m *Model) finishing() bool {
	_, finishing := m.tasks.Busy(topicRun)
	return finishing
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.busy():
		return busyPlace, screen.BUSY
	case m.phrase.askAnother:
		return anotherPlace, screen.MODAL
	case m.phrase.words != "":
		return phrasePlace, screen.MODAL
	case m.path != nil && m.report.lines == nil:
		return "firstrun.type", screen.TYPE
	}
	return "firstrun", screen.KEYS
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		m.fresh, m.cursor = env.Status.Lock == vault.New, list.Cursor{}
		m.reset()
		if env.Status.Lock == vault.Locked {
			return screen.Request(screen.NeedUnlock{})
		}
		if steps, is := msg.With.(screen.Steps); is {
			m.openWay(env, steps)
		}
	case screen.Hide:
		m.hideSecrets()
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Tick:
		m.phrase.blankIdle(env.Now)
		if m.path != nil {
			m.input.hideExpired(env.Now, m.path.steps[m.step])
		}
	case screen.Click:
		if m.path != nil || m.report.lines != nil || msg.At < 0 {
			return nil
		}
		m.cursor.Jump(msg.At, len(m.offers()))
		return m.pick(env, m.cursor.At)
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// hideSecrets drops a secret that is being typed, such as a word of the phrase, and hides the phrase that is shown.
func (m *Model) hideSecrets() {
	m.phrase.hidden = true
	if m.path == nil || m.step >= len(m.path.steps) {
		return
	}
	if s := m.path.steps[m.step]; s.secret || s.hidden {
		m.input = s.entry()
	}
}

func (m *Model) reset() {
	m.path, m.step, m.answers, m.notes, m.fault, m.report, m.asker = nil, 0, nil, nil, "", outcome{}, ""
	m.input, m.verdict, m.phrase, m.newPhrase = entry{}, strength.Verdict{}, phrase{}, ""
	m.estimator = sync.OnceValue(func() *strength.Estimator { return strength.New() })
}

// typeKey types a key. A new password is judged while it is typed, off the
// interface loop.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	m.input.typeKey(env.Now, k)
	m.fault, m.names = "", ""
	if !m.path.steps[m.step].judged {
		return nil
	}
	password, lists, core := m.input.Value(), m.estimator, m.core
	return m.tasks.Start(env, topicJudge, 0, func(context.Context) (any, error) { return core.JudgePassword(lists(), password), nil })
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if _, looking := m.tasks.Busy(topicVerify); looking && id == "esc" { // the answer stays, to be corrected
		m.tasks.Forget(topicVerify)
		return nil
	}
	if m.busy() {
		return nil
	}
	offers := m.offers()
	m.phrase.lastPress = env.Now
	switch id {
	case "up", "down":
		m.move(env, id)
	case "phrase.hide":
		m.phrase.hidden = !m.phrase.hidden
	case "phrase.new":
		m.phrase.askAnother = true
	case "phrase.make":
		m.newPhrase = ""
		m.showPhrase(env)
	case "next":
		return m.complete(env)
	case doTheme:
		return screen.Request(screen.NextTheme{})
	case doLinear:
		return screen.Request(screen.WantLinear{})
	case "enter":
		return m.enter(env)
	case "esc":
		return m.back(env)
	case "clear":
		m.input.Set("")
	case "firstrun.show":
		m.input.toggleSecret(env.Now, m.path.steps[m.step])
	default:
		for i, p := range offers {
			if id == "firstrun."+action.ID(p.key) && m.path == nil && m.report.lines == nil {
				m.cursor.Jump(i, len(offers))
				return m.pick(env, i)
			}
		}
	}
	return nil
}

// move moves through the offers, or scrolls the outcome.
func (m *Model) move(env screen.Env, id action.ID) {
	switch {
	case m.report.lines != nil && id == "up":
		m.report.scroll(env, -1)
	case m.report.lines != nil:
		m.report.scroll(env, 1)
	default:
		m.cursor.Do(id, len(m.offers()))
	}
}

func (m *Model) pick(env screen.Env, i int) tea.Cmd {
	p := m.offers()[i]
	switch {
	case p.key == "6":
		return screen.Request(screen.WantSandbox{})
	case p.key == nodeKey && m.opt.Nodes.Fixed() != "":
		return screen.NotNow(m.opt.Nodes.Fixed())
	}
	m.reset()
	m.path = &p
	m.openStep(env, "")
	return nil
}

// openWay opens the one way that a page asked for.
func (m *Model) openWay(env screen.Env, steps screen.Steps) {
	m.asker = steps.Back
	if steps.Way == screen.WayRegistered {
		m.showRegistrations()
		return
	}
	p := ways{core: m.core}.requestedPath(steps)
	m.path = &p
	m.openStep(env, "")
}

// showRegistrations shows again what registrars need for the accounts that wait to be registered by others.
func (m *Model) showRegistrations() {
	waiting, err := m.core.Waiting()
	if err != nil {
		m.report = outcome{lines: []string{advice.Sentence(err)}}
		return
	}
	m.report = registrationsOutcome(waiting)
}

// back goes one step back; from the first one to the choice, and from there to the parent page.
func (m *Model) back(env screen.Env) tea.Cmd {
	switch {
	case m.report.lines != nil:
		return m.leave()
	case m.path == nil && !m.fresh:
		return screen.Request(screen.Back{})
	case m.path == nil:
		return nil
	case m.phrase.askAnother:
		m.phrase.askAnother = false
	case m.step == 0 && m.asker != "":
		return m.leave()
	case m.step == 0:
		m.reset()
	default:
		m.step = m.path.previousStep(m.answers, m.step)
		m.openStep(env, m.answers[m.step])
		m.answers, m.notes, m.fault = m.answers[:m.step], m.notes[:m.step], ""
	}
	return nil
}

// enter checks the answer, has it verified, and continues.
func (m *Model) enter(env screen.Env) tea.Cmd {
	switch {
	case m.report.lines != nil:
		return m.leave()
	case m.path == nil:
		return m.pick(env, m.cursor.At)
	}
	s, text := m.path.steps[m.step], m.input.Value()
	if s.phrase {
		text = m.phrase.words
	}
	if m.input.Veiled() { // it may be a secret, which must not be looked for as a file or a name
		m.fault = "This may be a secret: ctrl+t shows it, ctrl+u clears it."
		return nil
	}
	if odd := m.input.Fault(); odd != "" {
		m.refuse(s.label + ": " + odd + ".")
		return nil
	}
	good, bad := s.check(m.answers, text)
	switch {
	case bad != "":
		m.refuse(bad)
		m.retype(s)
		return nil
	case s.verify == nil:
		return m.nextStep(env, good)
	}
	answers := append(m.answers[:len(m.answers):len(m.answers)], text)
	return m.tasks.Start(env, topicVerify, verifyLimit, func(ctx context.Context) (any, error) { return s.verify(ctx, answers) })
}

// refuse shows why an answer is refused; the answer stays, to be corrected. If it is readable and a secret is asked for later, what is
// typed behind it shows as dots: a person who does not look at the screen is already typing the secret.
func (m *Model) refuse(why string) {
	if m.fault, m.names = why, ""; m.path.leadsToSecret(m.step) {
		m.input.Veil()
	}
}

// retype empties the field of a secret that was refused, in which nobody can see what is wrong; an answer that is readable while it is typed
// stays selected, and what is typed next replaces it.
func (m *Model) retype(s step) {
	switch {
	case m.input.Secret && !s.words:
		m.input = s.entry()
	case s.secret || s.hidden:
		m.input.Select()
	}
}

// nextStep goes to the next step; after the last one it runs the path.
func (m *Model) nextStep(env screen.Env, note string) tea.Cmd {
	text := m.input.Value()
	if m.path.steps[m.step].phrase {
		text = m.phrase.words
	}
	m.answers, m.notes = append(m.answers, text), append(m.notes, note)
	at := m.step + 1
	for ; m.path.skips(at, m.answers); at++ {
		m.answers, m.notes = append(m.answers, ""), append(m.notes, "")
	}
	if at < len(m.path.steps) {
		m.step = at
		m.openStep(env, "")
		return nil
	}
	run, answers := m.path.run, m.answers
	m.answers, m.notes = m.answers[:m.step], m.notes[:m.step]
	return m.tasks.Start(env, topicRun, 0, func(ctx context.Context) (any, error) { return run(ctx, answers) })
}

// openStep opens a step with the answer that was given before.
func (m *Model) openStep(env screen.Env, answer string) {
	s := m.path.steps[m.step]
	m.input, m.phrase, m.names = s.entry(), phrase{}, ""
	switch {
	case s.phrase:
		m.showPhrase(env)
	case s.word != "": // it must be typed each time
	case s.judged: // the passwords are started over
		m.verdict = strength.Verdict{}
	default:
		m.input.Set(cmp.Or(answer, s.initial))
		if s.secret && !s.words { // nobody could add to what is not seen
			m.input.Select()
		}
	}
}

// showPhrase shows the recovery phrase, or the private keys of the step.
func (m *Model) showPhrase(env screen.Env) {
	if err := m.phrase.show(env, &m.newPhrase, m.path.steps[m.step].held, m.core); err != nil {
		m.fault = advice.Sentence(err)
	}
}

// Copies implements screen.Copier: what a registrar needs. The phrase is never copied.
func (m *Model) Copies(screen.Env) []screen.Value { return m.report.values }

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) || m.path == nil {
		return nil
	}
	if msg.Err != nil {
		m.refuse(advice.Sentence(msg.Err))
		if fault.CodeOf(msg.Err) == fault.WrongPassword {
			m.retype(m.path.steps[m.step])
		}
		return nil
	}
	switch msg.Topic {
	case topicJudge:
		m.verdict = msg.Body.(strength.Verdict)
	case topicVerify:
		return m.nextStep(env, msg.Body.(string))
	case topicRun:
		if _, is := msg.Body.(screen.WantNode); is {
			m.reset()
			return screen.Request(msg.Body)
		}
		if built, is := msg.Body.(screen.Built); is {
			back := m.asker
			m.reset()
			return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built, Back: back}})
		}
		m.report = outcomeOf(msg.Body)
		m.answers, m.notes, m.input = nil, nil, entry{}
	}
	return nil
}

// WayBack returns the page that opens after unlocking if this one was open when the wallet was locked: the page that asked for a way,
// or else this one with the choice of ways. It is Home if the way had ended, or if a wallet was being created.
func (m *Model) WayBack() screen.ID {
	if m.fresh || m.report.lines != nil && m.asker == "" {
		return screen.Home
	}
	return cmp.Or(m.asker, screen.FirstRun)
}

// leave goes back to the page that asked for the way, else Home: a wallet that was just created is unlocked.
func (m *Model) leave() tea.Cmd {
	back := m.asker
	m.reset()
	if back != "" {
		return screen.Request(screen.Navigate{To: back})
	}
	return screen.Request(screen.Unlocked{By: screen.FirstRun})
}

// offers returns the ways to choose from.
func (m *Model) offers() []path {
	return ways{core: m.core, fresh: m.fresh, sandbox: m.opt.Sandbox, nodes: m.opt.Nodes}.offers()
}

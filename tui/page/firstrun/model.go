// Package firstrun is the first page and what follows from it: making a
// wallet with a recovery phrase, taking over a wallet.json, a private key or a
// phrase, watching an account, or the sandbox.
// It owns what is typed there while it is typed; nothing is written before the
// last step, and esc leaves every step without a trace.
//
// Opened over a wallet that exists, it offers the imports alone. A page may ask for one way at once.
package firstrun

import (
	"cmp"
	"context"
	"slices"
	"strings"
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

// lookLimit is how long checking one answer may take.
const lookLimit = 20 * time.Second

// The topics of the page's tasks.
const (
	finish = "finish" // the path is run
	look   = "look"   // an answer is checked
	weigh  = "weigh"  // a new password is judged
)

// Options are what the page shows and offers beside its paths.
type Options struct {
	Sandbox bool   // offer the sandbox
	Folder  string // where the wallet will be kept
}

// Model is the page.
type Model struct {
	core  Maker
	tasks *screen.Tasks
	opt   Options
	fresh bool // there is no wallet yet

	at      list.Cursor
	path    *path
	step    int
	answers []string
	notes   []string // what was found good about each answer
	input   entry
	fault   string
	lists   func() *strength.Estimator // read when they are needed
	verdict strength.Verdict           // of the new password
	phrase  phrase                     // while it is shown
	made    string                     // the phrase that was made: it stays the same on the way back and forth
	report  outcome                    // of the last step; enter goes Home
	asker   screen.ID                  // the page that asked for one way at once; empty: the choice is offered
}

// New makes the page.
func New(core Maker, tasks *screen.Tasks, opt Options) *Model {
	return &Model{core: core, tasks: tasks, opt: opt, fresh: true}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	number, pick := strings.CutPrefix(string(do), "firstrun.")
	switch {
	case do == "quit", do == "help", do == "firstrun.show", do == "firstrun.change" && !m.busy(), do == "copy":
		return ""
	case m.busy():
		return "Billfold is still working"
	case do == "phrase.new" && m.phrase.keys != nil:
		return "these are the keys of the account"
	case m.report.lines != nil && (do == "up" || do == "down"):
		if m.report.scrolls(env) {
			return ""
		}
		return "all of it is on screen"
	case m.report.lines != nil && pick:
		return "the choice is made; esc goes back"
	case m.path != nil && (pick || do == "up" || do == "down"):
		return "the choice is made; esc goes back"
	case pick && !slices.ContainsFunc(m.offers(), func(p path) bool { return p.key == number }):
		return "not available here"
	}
	return ""
}

// busy reports whether a step that cannot be interrupted runs, or an answer is checked.
func (m *Model) busy() bool {
	_, finishing := m.tasks.Busy(finish)
	_, looking := m.tasks.Busy(look)
	return finishing || looking
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.busy():
		return stoppedPlace, screen.BUSY
	case m.phrase.another:
		return anotherPlace, screen.MODAL
	case m.phrase.words != "":
		return phrasePlace, screen.MODAL
	case m.path != nil && m.report.lines == nil && m.input.stopped:
		return stoppedPlace, screen.MODAL
	case m.path != nil && m.report.lines == nil:
		return "firstrun.type", screen.TYPE
	}
	return "firstrun", screen.KEYS
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		m.fresh = env.Status.Lock == vault.New
		m.reset()
		if env.Status.Lock == vault.Locked {
			return screen.Request(screen.NeedUnlock{Back: screen.FirstRun})
		}
		if asked, is := msg.With.(screen.Steps); is {
			m.take(env, asked)
		}
	case screen.Hide:
		m.hide()
	case screen.Text:
		return m.typed(env, msg.Key)
	case screen.Tick:
		m.phrase.tick(env.Now)
		if m.path != nil {
			m.input.tick(env.Now, m.path.steps[m.step])
		}
	case screen.Click:
		if m.path != nil || m.report.lines != nil || msg.At < 0 {
			return nil
		}
		m.at.Jump(msg.At, len(m.offers()))
		return m.pick(m.at.At)
	case screen.Result:
		return m.result(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// hide drops the secret that is typed, such as a word of the phrase, and hides the phrase that is shown.
func (m *Model) hide() {
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
	m.input, m.verdict, m.phrase, m.made = entry{}, strength.Verdict{}, phrase{}, ""
	m.lists = sync.OnceValue(func() *strength.Estimator { return strength.New() })
}

// typed takes a key; a new password is judged while it is typed, off the
// interface loop.
func (m *Model) typed(env screen.Env, k tea.KeyMsg) tea.Cmd {
	m.input.press(env.Now, k)
	m.fault = ""
	if !m.path.steps[m.step].judged {
		return nil
	}
	password, lists, core := m.input.Value(), m.lists, m.core
	return m.tasks.Start(env, weigh, 0, func(context.Context) (any, error) { return core.JudgePassword(lists(), password), nil })
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.busy() {
		return nil
	}
	offers := m.offers()
	m.phrase.seen = env.Now
	switch id {
	case "up", "down":
		m.move(env, id)
	case "phrase.hide":
		m.phrase.hidden = !m.phrase.hidden
	case "phrase.new":
		m.phrase.another = true
	case "phrase.make":
		m.made = ""
		m.show(env)
	case "enter":
		return m.enter(env)
	case "esc":
		return m.back(env)
	case "clear":
		m.input.Set("")
	case "firstrun.show":
		m.input.show(env.Now, m.path.steps[m.step])
	case "firstrun.change":
		m.input.stopped = false
	default:
		for i, p := range offers {
			if id == "firstrun."+action.ID(p.key) && m.path == nil && m.report.lines == nil {
				m.at.Jump(i, len(offers))
				return m.pick(i)
			}
		}
	}
	return nil
}

// move goes through the offers, or through what is reported.
func (m *Model) move(env screen.Env, id action.ID) {
	switch {
	case m.report.lines != nil && id == "up":
		m.report.move(env, -1)
	case m.report.lines != nil:
		m.report.move(env, 1)
	default:
		m.at.Do(id, len(m.offers()))
	}
}

func (m *Model) pick(i int) tea.Cmd {
	p := m.offers()[i]
	if p.key == "6" {
		return screen.Request(screen.WantSandbox{})
	}
	m.reset()
	m.path = &p
	m.input = p.steps[0].entry()
	return nil
}

// take begins the one way that a page asked for.
func (m *Model) take(env screen.Env, asked screen.Steps) {
	m.asker = asked.Back
	if asked.Way == screen.WayRegistered {
		m.recall()
		return
	}
	p := ways{core: m.core}.requested(asked)
	m.path = &p
	m.begin(env, "")
}

// recall shows again what registrars need for the accounts that others were asked to register.
func (m *Model) recall() {
	waiting, err := m.core.Waiting()
	if err != nil {
		m.report = outcome{lines: []string{advice.Said(err)}}
		return
	}
	m.report = registrations(waiting)
}

// back is one step back; from the first one to the choice, from there away.
func (m *Model) back(env screen.Env) tea.Cmd {
	switch {
	case m.report.lines != nil:
		return m.leave()
	case m.path == nil && !m.fresh:
		return screen.Request(screen.Back{})
	case m.path == nil:
		return nil
	case m.phrase.another:
		m.phrase.another = false
	case m.step == 0 && m.asker != "":
		return m.leave()
	case m.step == 0:
		m.reset()
	default:
		m.step = m.path.before(m.answers, m.step)
		m.begin(env, m.answers[m.step])
		m.answers, m.notes, m.fault = m.answers[:m.step], m.notes[:m.step], ""
	}
	return nil
}

// enter takes the answer, has it checked, and continues.
func (m *Model) enter(env screen.Env) tea.Cmd {
	switch {
	case m.report.lines != nil:
		return m.leave()
	case m.path == nil:
		return m.pick(m.at.At)
	}
	s, text := m.path.steps[m.step], m.input.Value()
	if s.phrase {
		text = m.phrase.words
	}
	if odd := m.input.Fault(); odd != "" {
		m.refuse(s.label + ": " + odd + ".")
		return nil
	}
	good, bad := s.check(m.answers, text)
	switch {
	case bad != "":
		m.refuse(bad)
		if s.secret || s.hidden { // nobody sees what is wrong in it: what is typed next replaces it
			m.input.Select()
		}
		return nil
	case s.look == nil:
		return m.next(env, good)
	}
	answers := append(m.answers[:len(m.answers):len(m.answers)], text)
	return m.tasks.Start(env, look, lookLimit, func(ctx context.Context) (any, error) { return s.look(ctx, answers) })
}

// refuse shows why an answer is not taken. One that stands in clear before a secret is not typed on without a word: whoever does not
// look at the screen is typing the secret.
func (m *Model) refuse(why string) {
	m.fault, m.input.stopped = why, m.path.leadsToSecret(m.step)
}

// next goes to the next step; after the last one the path is run.
func (m *Model) next(env screen.Env, note string) tea.Cmd {
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
		m.begin(env, "")
		return nil
	}
	run, answers := m.path.run, m.answers
	m.answers, m.notes = m.answers[:m.step], m.notes[:m.step]
	return m.tasks.Start(env, finish, 0, func(ctx context.Context) (any, error) { return run(ctx, answers) })
}

// begin opens a step with what was answered before.
func (m *Model) begin(env screen.Env, answer string) {
	s := m.path.steps[m.step]
	m.input, m.phrase = s.entry(), phrase{}
	switch {
	case s.phrase:
		m.show(env)
	case s.word != "": // it is typed each time
	default:
		m.input.Set(cmp.Or(answer, s.usual))
	}
}

// show shows a recovery phrase, or private keys.
func (m *Model) show(env screen.Env) {
	if err := m.phrase.show(env, &m.made, m.path.steps[m.step].held, m.core); err != nil {
		m.fault = advice.Said(err)
	}
}

// Copies implements screen.Copier: what a registrar needs. The phrase is never copied.
func (m *Model) Copies(screen.Env) []screen.Value { return m.report.values }

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) || m.path == nil {
		return nil
	}
	if msg.Err != nil {
		m.refuse(advice.Said(msg.Err))
		if fault.CodeOf(msg.Err) == fault.WrongPassword { // what is typed next replaces it
			m.input.Select()
		}
		return nil
	}
	switch msg.Topic {
	case weigh:
		m.verdict = msg.Body.(strength.Verdict)
	case look:
		return m.next(env, msg.Body.(string))
	case finish:
		if built, is := msg.Body.(screen.Built); is {
			back := m.asker
			m.reset()
			return screen.Request(screen.Navigate{To: screen.Send, With: screen.Spend{Built: built, Back: back, Word: "Sign and register"}})
		}
		m.report = reported(msg.Body)
		m.answers, m.notes, m.input = nil, nil, entry{}
	}
	return nil
}

// WayBack is the page on which one goes on who was on this one when the wallet was locked: that which asked for a way, or the choice
// of the ways; Home where the way was gone, or a wallet is being made.
func WayBack(m *Model) screen.ID {
	if m.fresh || m.report.lines != nil && m.asker == "" {
		return screen.Home
	}
	return cmp.Or(m.asker, screen.FirstRun)
}

// leave goes back to the page that asked, or Home; a wallet that was just made is open.
func (m *Model) leave() tea.Cmd {
	back := m.asker
	m.reset()
	if back != "" {
		return screen.Request(screen.Navigate{To: back})
	}
	return screen.Request(screen.Unlocked{By: screen.FirstRun})
}

// offers lists the ways in.
func (m *Model) offers() []path {
	return ways{core: m.core, fresh: m.fresh, sandbox: m.opt.Sandbox}.offers()
}

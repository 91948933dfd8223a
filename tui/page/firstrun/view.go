package firstrun

import (
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	w, h := min(pageW, a.W), min(pageH, a.H)
	if m.report.lines != nil {
		h = m.report.height(a.W, a.H)
	}
	x, y := (a.W-w)/2, max((a.H-h)/2, 0)
	if y > 2 {
		a.PutCentre(y-2, canvas.Bold(theme.Brand, theme.SignBrand+"  B i l l f o l d"))
	}
	title, state := "Start", "step 1"
	if !m.fresh {
		title, state = "Import", ""
	}
	if m.path != nil {
		title, state = m.path.title, fmt.Sprintf("step %d of %d", m.step+2, len(m.path.steps)+1)
	}
	if m.report.lines != nil && m.path == nil {
		title = registrationTitle
	}
	if m.asker != "" {
		state = ""
	}
	in := a.Sub(x, y, w, h).Box(canvas.Frame{Title: canvas.Bold(theme.Focus, title), State: canvas.In(theme.Muted, state), Heavy: true})
	p := &page{in: in, y: 1}
	switch {
	case m.report.lines != nil:
		m.report.draw(in, m.asker)
	case m.phrase.words != "" && !m.busy():
		m.phrase.draw(p)
	case m.path != nil:
		m.drawStep(env, p)
	default:
		m.drawChoice(env, p)
	}
}

func (m *Model) drawChoice(env screen.Env, p *page) {
	switch {
	case m.fresh && p.in.H < len(m.offers())+2:
		p.y = -1
	case m.fresh && p.in.H < len(m.offers())+8 && p.in.W < 60:
		p.y = 0
		p.put(canvas.Text("Welcome. Nothing is sent until you sign."))
	case m.fresh:
		p.put(canvas.Text("Welcome. Billfold keeps your DCore keys on this computer, encrypted with a password only you know. " +
			"Nothing is sent anywhere until you sign."))
	default:
		p.put(canvas.Text("Imports are added to this wallet."))
	}
	p.y++
	offers, at := m.offers(), m.cursor
	top, room := p.y, max(p.in.H-p.y, 1)
	first, end := at.Window(len(offers), room, list.OneLine)
	for i, o := range offers[first:end] {
		i += first
		row := fmt.Sprintf("%s  %-29s", o.key, o.title)
		p.in.Put(2, p.y, canvas.Text(row))
		if p.in.W >= 36+canvas.Width(o.about) {
			p.in.Put(35, p.y, canvas.In(theme.Muted, o.about))
		}
		if i == m.cursor.At {
			p.in.Put(0, p.y, canvas.In(theme.Focus, theme.SignRow))
			p.in.Tint(p.y, theme.SelectBg)
		}
		p.in.Row(p.y).Zone(screen.Click{At: i})
		p.y++
	}
	list.Scroll(p.in.Sub(0, top, p.in.W, room), first, end-first, len(offers))
	p.y++
	if m.opt.Folder != "" {
		p.put(canvas.Join(canvas.In(theme.Muted, "Folder   "), canvas.Text(format.Clean(m.opt.Folder))))
	}
	p.put(canvas.Join(canvas.In(theme.Muted, "Network  "), network(env)))
	m.putBinding(env, p)
}

// putBinding writes to which chain a new wallet keeps, wherever its first key is about to be stored.
func (m *Model) putBinding(env screen.Env, p *page) {
	if m.fresh && p.in.H-p.y > 1 {
		p.put(canvas.In(theme.Muted, Binding(env.Status)))
	}
}

// Binding returns to which chain a wallet without keys will keep, as a sentence.
func Binding(s walletcore.Status) string {
	switch {
	case s.Sandbox:
		return "The wallet pays with play money alone, in the sandbox."
	case s.ChainID == ledger.ChainID{}:
		return "The wallet keeps to the chain of the first node that answers, and none has yet. Another node can be chosen here."
	case s.ChainID.String() == ledger.MainnetChainID:
		return "The wallet keeps to this chain, the main network of DCore."
	default:
		return "The wallet keeps to this chain (" + s.ChainID.String()[:8] + "), which is not the main network of DCore."
	}
}

func network(env screen.Env) canvas.Line {
	s := env.Status
	name := format.Clean(s.Network)
	if name == "" {
		name = "not known yet"
	}
	out := canvas.Text(name)
	switch s.Daemon {
	case walletcore.DaemonOnline:
		return canvas.Join(out, canvas.In(theme.OK, "  "+theme.SignOn+" reachable"+at(s)))
	case walletcore.DaemonConnecting:
		return canvas.Join(out, canvas.In(theme.Pending, "  "+theme.SignWork+" calling"+at(s)))
	case walletcore.DaemonWrongChain:
		return canvas.Join(out, canvas.In(theme.Danger, "  "+theme.SignFailed+" wrong chain"))
	case walletcore.DaemonOffline:
	}
	return canvas.Join(out, canvas.In(theme.Danger, "  "+theme.SignFailed+" "+env.NoNode()+at(s)))
}

// at returns which node it is, with a blank before it.
func at(s walletcore.Status) string {
	if s.DaemonURL == "" || s.Sandbox {
		return ""
	}
	return " at " + format.Clean(s.DaemonURL)
}

// labelW is the least width of a step's label.
const labelW = 16

func (m *Model) drawStep(env screen.Env, p *page) {
	first := max(m.step-max(p.in.H-8, 0), 0) // the latest answers stay in view
	for i, s := range m.path.steps[:m.step] {
		if i < first || m.path.skips(i, m.answers) {
			continue
		}
		text := format.Clean(strings.TrimSpace(m.answers[i]))
		if text != "" && (s.secret || s.hidden) {
			text = strings.Repeat(theme.SignDots, 8)
		}
		l := canvas.Join(canvas.In(theme.Muted, s.label).Pad(max(labelW, canvas.Width(s.label)+1)), canvas.Text(text))
		note := m.notes[i]
		switch {
		case strings.HasPrefix(note, theme.SignCareful):
			p.put(l)
			l = canvas.In(theme.Warn, note)
		case note != "":
			l = canvas.Join(l, canvas.In(theme.OK, "  "+theme.SignDone+" "), canvas.Text(note))
		}
		p.put(l)
	}
	if m.step > 0 {
		p.y++
	}
	s := m.path.steps[m.step]
	if s.phrase {
		return
	}
	p.put(canvas.Join(canvas.Bold(theme.Text, s.label).Pad(max(labelW, canvas.Width(s.label)+2)), canvas.In(theme.Muted, s.note)))
	box := p.in.Sub(2, p.y, p.in.W-4, 3).Box(canvas.Frame{Heavy: true})
	box.Put(1, 0, m.input.Line(box.W-2, !m.busy()))
	p.y += 3
	m.drawVerdict(env, p, s)
	if m.step == len(m.path.steps)-1 && m.path.key != nodeKey {
		m.putBinding(env, p)
	}
}

// isNewPassword reports whether the step asks for a new password, or asks for it once more.
func (m *Model) isNewPassword() bool {
	steps := m.path.steps
	return steps[m.step].judged || m.step > 0 && steps[m.step-1].judged
}

// drawVerdict draws the line under the field: work in progress, what is wrong
// with the answer, or what is good.
func (m *Model) drawVerdict(env screen.Env, p *page, s step) {
	for _, topic := range []string{topicRun, topicVerify} {
		if since, busy := m.tasks.Busy(topic); busy {
			p.put(
				canvas.In(theme.Pending, env.Spinner()+" Working … "+format.Age(env.Now.Sub(since).Truncate(time.Second))),
			)
			return
		}
	}
	failure := m.fault
	if odd := m.input.Fault(); failure == "" && odd != "" {
		failure = s.label + ": " + odd + "."
	}
	good, _ := s.check(m.answers, m.input.Value())
	_, judging := m.tasks.Busy(topicJudge)
	weak := m.verdict.Weak && m.isNewPassword()
	switch {
	case m.names != "":
		p.put(canvas.In(theme.Muted, m.names))
	case failure != "":
		p.put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(failure)))
	case m.input.Veiled():
		p.put(canvas.In(theme.Muted, "What you type behind a refused answer shows as dots; ctrl+t shows it."))
	case m.input.Empty() && !weak:
	case s.judged && judging:
		p.put(canvas.In(theme.Muted, "estimating how hard it is to guess"))
	case s.judged && m.input.Empty():
	case weak: // also while it is typed again
		p.put(canvas.Bold(theme.Warn, theme.SignCareful+" The password is "+m.verdict.Text+"."))
		p.put(canvas.In(theme.Muted, "Four or more words that do not belong together are hard to guess."))
	case s.judged && m.verdict.Text != "":
		p.put(canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), canvas.Text(m.verdict.Text)))
	case strings.HasPrefix(good, theme.SignCareful):
		p.put(canvas.In(theme.Warn, good))
	case good != "":
		p.put(canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), canvas.Text(good)))
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if m.newPhrase == "" || m.path == nil || m.report.lines != nil {
		return ""
	}
	return "You are not done: the recovery phrase that you were shown will be forgotten and restores nothing."
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	name := "First run"
	switch {
	case m.asker == screen.Keys:
		name = "Keys"
	case m.asker == screen.Home:
		name = "Home"
	case !m.fresh:
		name = "Import"
	}
	switch {
	case m.path != nil:
		return name + " › " + m.path.title
	case m.report.lines != nil:
		return name + " › " + registrationTitle
	}
	return name
}

// page writes wrapped lines from the top.
type page struct {
	in canvas.Area
	y  int
}

func (p *page) put(l canvas.Line) {
	for _, r := range l.Wrap(p.in.W - 4) {
		p.in.Put(2, p.y, r)
		p.y++
	}
}

// The box of the page, where there is room for it.
const pageW, pageH = 84, 18

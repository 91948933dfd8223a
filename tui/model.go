package tui

import (
	"context"
	"time"

	"billfold/tui/action"
	"billfold/tui/layout"
	"billfold/tui/overlay/unlock"
	"billfold/tui/page/assets"
	"billfold/tui/page/console"
	"billfold/tui/page/contacts"
	"billfold/tui/page/content"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/history"
	"billfold/tui/page/home"
	"billfold/tui/page/keys"
	"billfold/tui/page/messages"
	"billfold/tui/page/node"
	"billfold/tui/page/receive"
	"billfold/tui/page/rpc"
	"billfold/tui/page/send"
	"billfold/tui/page/settings"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/event"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the root: it owns what is in front, and routes messages; screens do the rest.
type Model struct {
	reading
	stack
	say   announcer
	clip  clipboard
	theme theme.Theme
	table action.Table
	w, h  int

	ctx    context.Context
	events <-chan event.Event
	unsub  func()
	tasks  uint64 // how many were started by all screens together

	lockState   vault.State // the state that the screens were built for
	afterUnlock screen.ID   // the page to open after unlocking
	unlockedAt  time.Time   // when the unlock page was left for the one before
	lastCtrlC   time.Time   // when ctrl+c was last pressed

	deadKey       string    // the last key, as it is written, if it did nothing
	deadKeyAt     time.Time // when it was typed
	ticking       bool
	secretsHidden bool // secrets on screen were just hidden: the next frame is drawn at once
	err           error
}

// New builds the root and its screens. It does nothing slow. The caller must call Close.
func New(ctx context.Context, opt Options, t theme.Theme) *Model {
	m := &Model{reading: reading{opt: opt}, ctx: ctx, clip: clipboard{write: opt.Clipboard}, theme: t, w: 80, h: 24}
	m.table, m.env.KeysFault = boundKeys(opt)
	m.events, m.unsub = opt.Core.Session.Subscribe()
	m.readAccounts(false)
	m.env.Payments = opt.Core.Payments.Recent()
	m.env.ASCII, m.env.Motion, m.env.Hidden = t.ASCII(), opt.Motion, opt.Hide
	m.refresh()
	m.lockState = m.env.Status.Lock
	m.buildScreens()
	m.measure()
	if m.env.Unlocked() {
		m.say.weaknesses(m.env)
	}
	return m
}

// Close ends the subscription to the wallet and clears private values from the clipboard.
func (m *Model) Close() {
	m.unsub()
	m.clip.clear()
}

// Err returns why the UI ended, if the person did not just quit.
func (m *Model) Err() error { return m.err }

// buildScreens builds every screen anew and shows the page for the state of the lock.
func (m *Model) buildScreens() {
	m.opt.Core.Home.Visits, m.trail = m.visits(), nil
	core, tasks := m.opt.Core, func(id screen.ID) *screen.Tasks { return screen.NewTasks(m.ctx, id, &m.tasks) }
	m.screens = map[screen.ID]screen.Screen{
		screen.Home:    home.New(core.Home, tasks(screen.Home)),
		screen.History: history.New(core.History, tasks(screen.History)),
		screen.Send:    send.New(core.Send, tasks(screen.Send)),
		screen.Assets:  assets.New(core.Assets, tasks(screen.Assets)),
		screen.Node:    node.New(core.Node, tasks(screen.Node)),
		screen.Receive: receive.New(core.Receive, tasks(screen.Receive)),
		screen.Sign:    sign.New(core.Sign, tasks(screen.Sign)),
		screen.Unlock:  unlock.New(core.Unlock, tasks(screen.Unlock), m.walletName()),
		screen.FirstRun: firstrun.New(core.FirstRun, tasks(screen.FirstRun),
			firstrun.Options{Sandbox: m.opt.OfferSandbox, Folder: m.opt.Folder, Nodes: core.FirstNode}),
		screen.Keys:     keys.New(core.Keys, tasks(screen.Keys)),
		screen.Content:  content.New(core.Content, tasks(screen.Content)),
		screen.Contacts: contacts.New(core.Contacts, tasks(screen.Contacts)),
		screen.Messages: messages.New(core.Messages, tasks(screen.Messages)),
		screen.RPC:      rpc.New(m.opt.RPC, tasks(screen.RPC)),
	}
	if core.Console != nil && m.opt.Approvals != nil {
		c := console.Core{Runner: core.Console, Reader: core.Console, Censor: core.Console, Forms: core.Console,
			Approvals: m.opt.Approvals, ForOthers: core.ForOthers, Endpoint: m.httpEndpoint}
		m.screens[screen.Console] = console.New(c, tasks(screen.Console))
	}
	if core.Settings != nil {
		m.screens[screen.Settings] = settings.New(core.Settings, tasks(screen.Settings))
	}
	switch m.env.Status.Lock {
	case vault.New:
		m.show(screen.FirstRun)
	case vault.Locked:
		m.show(screen.Unlock)
	case vault.Unlocked:
		m.show(screen.Home)
	}
}

// refresh updates the reading that every frame shows.
func (m *Model) refresh() {
	m.reading.refresh()
	m.measure()
}

// measure stores the size of the body in the reading.
func (m *Model) measure() {
	b := m.bands()
	m.env.Class, m.env.W, m.env.H = b.Class, b.Body.W, b.Body.H
}

// resize stores the size of the terminal.
func (m *Model) resize(w, h int) {
	if w > 0 && h > 0 {
		m.w, m.h = w, h
	}
	m.measure()
}

func (m *Model) bands() layout.Bands { return layout.Page(m.w, m.h, m.banner(m.env) != nil) }

// whyOff returns why an action is not possible now; empty if it is.
func (m *Model) whyOff(id action.ID) string { return m.stack.whyOff(m.env, id) }

// toast shows a toast. If it names keys of a page that is no longer shown, it only joins the notices.
func (m *Model) toast(t screen.Toast) {
	if t.Of != "" && t.Of != m.page {
		m.say.toasts.keep(m.env.Now, t.Line)
		return
	}
	m.say.toasts.add(m.env.Now, t)
	m.say.toasts.answer = true
}

// open brings a page to the front. A locked wallet can be browsed; without a wallet only the first page opens.
func (m *Model) open(id screen.ID, with any) tea.Cmd {
	if m.env.Status.Lock == vault.New {
		id = screen.FirstRun
	}
	if m.screens[id] == nil {
		m.toast(screen.Toast{Line: canvas.Text("This program has no such page")})
		return nil
	}
	m.unzoom()
	var left tea.Cmd
	if id != m.page {
		m.trail = nil
		left = m.screens[m.page].Update(m.env, screen.Left{})
	}
	m.show(id)
	m.say.toasts.clearHere()
	m.refresh()
	return tea.Batch(left, m.screens[id].Update(m.env, screen.Opened{With: with}), m.lookForUnread(m.env))
}

// readPayments reads the payments and announces those that ended.
func (m *Model) readPayments() {
	before := m.env.Payments
	m.env.Payments = m.opt.Core.Payments.Recent()
	m.say.paymentOutcomes(m.env, before)
}

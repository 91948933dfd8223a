package tui

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/overlay/unlock"
	"billfold/tui/page/firstrun"
	"billfold/tui/page/history"
	"billfold/tui/page/home"
	"billfold/tui/page/later"
	"billfold/tui/page/rpc"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Model is the root: it owns what is in front and routes; screens do the rest.
type Model struct {
	opt    Options
	core   Core
	ctx    context.Context
	theme  theme.Theme
	table  action.Table
	events <-chan event.Event
	unsub  func()
	tasks  uint64 // how many were started, over all screens

	w, h          int
	env           screen.Env
	account       ledger.AccountID
	accountChosen bool // by a person
	screens       map[screen.ID]screen.Screen
	page          screen.ID
	after         screen.ID // where unlocking leads
	popups        []screen.Screen
	toasts        toasts
	told          int64 // number of the latest approval that a toast told of

	lockState walletcore.LockState // that the screens were made for
	faults    string               // of keys and file, as last told
	stopped   time.Time            // last ctrl+c
	ticking   bool
	result    error
}

// newModel builds the root and the first page. Nothing slow is called.
func newModel(ctx context.Context, opt Options, t theme.Theme) *Model {
	if opt.now == nil {
		opt.now = time.Now
	}
	m := &Model{opt: opt, core: opt.Core, ctx: ctx, theme: t, table: keyTable(), w: 80, h: 24}
	m.events, m.unsub = opt.Core.Session.Subscribe()
	m.readAccounts()
	m.env.Payments = opt.Core.Payments.Payments()
	m.env.ASCII = t.ASCII()
	m.refresh()
	m.lockState = m.env.Status.Lock
	m.build()
	if m.env.Unlocked() {
		m.tellFaults()
	}
	return m
}

func (m *Model) close() { m.unsub() }

// build makes every screen anew and chooses the page that the lock state
// allows.
func (m *Model) build() {
	core, tasks := m.core, func(id screen.ID) *screen.Tasks { return screen.NewTasks(m.ctx, id, &m.tasks) }
	m.screens = map[screen.ID]screen.Screen{
		screen.Home:    home.New(core.Home, tasks(screen.Home)),
		screen.History: history.New(core.History, tasks(screen.History)),
		screen.Send:    send.New(core.Send, tasks(screen.Send)),
		screen.Unlock:  unlock.New(core.Unlock, tasks(screen.Unlock), m.walletName()),
		screen.FirstRun: firstrun.New(core.FirstRun, tasks(screen.FirstRun),
			firstrun.Options{Sandbox: m.opt.OfferSandbox, Folder: m.opt.Folder}),
		screen.RPC: rpc.New(m.doors(), m.opt.Terms),
	}
	for _, p := range pages() {
		if m.screens[p.ID] == nil {
			m.screens[p.ID] = later.New(p.ID, p.Name)
		}
	}
	m.popups = nil
	switch m.env.Status.Lock {
	case walletcore.LockNew:
		m.page = screen.FirstRun
	case walletcore.LockLocked:
		m.page = screen.Unlock
	default:
		m.page = screen.Home
	}
}

// walletName is what the unlock page calls the wallet.
func (m *Model) walletName() string {
	if m.opt.Folder == "" {
		return "default"
	}
	return m.opt.Folder
}

func (m *Model) doors() []Listener {
	if m.opt.Listeners == nil {
		return nil
	}
	return m.opt.Listeners()
}

// readAccounts takes the own accounts from the core and keeps the one in
// focus if it is still there; else the first that can sign. One that nobody
// chose returns way to it as well, when it turns out that the keys may not act for
// it; but never under a payment that is being typed.
func (m *Model) readAccounts() {
	m.env.Accounts = m.core.Accounts.Accounts()
	m.env.Account = ledgerview.AccountRef{}
	for _, a := range m.env.Accounts {
		keep := m.accountChosen || a.CanSign() || m.page != screen.Home
		if a.ID == m.account && m.account != 0 && keep {
			m.env.Account = a.AccountRef
			return
		}
	}
	for _, a := range m.env.Accounts {
		if a.CanSign() {
			m.env.Account = a.AccountRef
			break
		}
	}
	if m.env.Account.ID == 0 && len(m.env.Accounts) > 0 {
		m.env.Account = m.env.Accounts[0].AccountRef
	}
	m.account = m.env.Account.ID
}

// refresh takes the reading that every frame shows.
func (m *Model) refresh() {
	m.env.Now = m.opt.now()
	m.env.Status = m.core.Session.Status()
	m.env.Status.Sandbox = m.env.Status.Sandbox || m.opt.Sandbox
	m.env.Listeners = len(m.doors())
	m.env.Approvals = m.waiting()
	m.env.LockIn = 0
	if at := m.env.Status.LocksAt; !at.IsZero() {
		m.env.LockIn = max(at.Sub(m.env.Now), 0)
	}
	m.measure()
}

// measure puts the size of the body into the reading.
func (m *Model) measure() {
	b := m.bands()
	m.env.Class, m.env.W, m.env.H = b.Class, b.Body.W, b.Body.H
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(m.tick(), m.listen(), m.listenForApprovals(), m.open(m.page, nil))
}

type tickMsg struct{}

type eventMsg struct {
	event event.Event
	open  bool
}

// tick asks for the one ticker of the program, once a second.
func (m *Model) tick() tea.Cmd {
	if m.ticking {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

// listen waits for the next event of the core, or for the end of the UI.
func (m *Model) listen() tea.Cmd {
	return func() tea.Msg {
		select {
		case e, ok := <-m.events:
			return eventMsg{e, ok}
		case <-m.ctx.Done():
			return eventMsg{}
		}
	}
}

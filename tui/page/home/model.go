// Package home is the first page: accounts, balances, payments on their way
// and the latest history of the account in focus. It reads and shows; paying
// is the business of package send.
package home

import (
	"cmp"
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/visit"
	"billfold/tui/widget/list"
	"billfold/tui/widget/progress"
	"billfold/walletcore/balance"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// The panels in reading order.
const (
	panelAccounts = iota
	panelBalances
	panelPending
	panelRecent
	panels
)

// recentRows is how many operations the page asks for.
const recentRows = 30

// readLimit is how long one reading may take.
const readLimit = 20 * time.Second

// Model is the page.
type Model struct {
	core    Core
	tasks   *screen.Tasks
	focus   int
	at      [panels]list.Cursor
	account ledger.AccountID // whose values these are
	again   map[string]bool  // what to read once more: it was asked for while its reading was open

	balances     []ledgerview.Balance
	balancesRead time.Time
	balancesErr  error
	recent       []history.Entry
	recentRead   time.Time
	recentErr    error

	trend  trend
	beside beside
	kept   kept             // drafts
	signed time.Time        // since when that was signed for which is none of them; zero: nothing was
	noted  ledger.HistoryID // the newest row that was remembered as seen
	byID   bool             // assets by id, else by symbol
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, focus: panelBalances, again: map[string]bool{}}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	return "Home › " + [panels]string{"Accounts", "Balances", "Pending", "Recent"}[m.focus]
}

// The topics of the page's tasks.
const (
	balances = "balances"
	recent   = "recent"
	past     = "past"
	besides  = "besides"
	drafts   = "drafts"
)

// read asks for balances and history. The values of another account are dropped at once.
func (m *Model) read(env screen.Env) tea.Cmd {
	if id := env.Account.ID; id != m.account {
		m.account, m.balances, m.recent = id, nil, nil
		m.balancesRead, m.recentRead = time.Time{}, time.Time{}
		m.balancesErr, m.recentErr = nil, nil
		m.trend, m.beside, m.noted = trend{span: m.trend.span}, beside{}, 0
		m.beside.last = m.lastVisit(env)
		for _, topic := range []string{balances, recent, past, besides} {
			m.tasks.Forget(topic)
		}
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	return tea.Batch(m.ask(env, balances), m.ask(env, recent), m.ask(env, past))
}

// ask starts a reading. While one is open, another follows it: what the open one
// answers may be older than what happened since.
func (m *Model) ask(env screen.Env, topic string) tea.Cmd {
	_, busy := m.tasks.Busy(topic)
	if m.again[topic] = busy; busy {
		return nil
	}
	work := m.work(env, topic)
	if work == nil {
		return nil
	}
	return m.tasks.Start(env, topic, readLimit, work)
}

// pastPatience is how long the past is read for at once: what is shown grows in such steps.
const pastPatience = 2 * time.Second

// work reads a topic; nil where the wallet cannot tell.
func (m *Model) work(env screen.Env, topic string) func(ctx context.Context) (any, error) {
	id := m.account
	switch topic {
	case balances:
		return func(ctx context.Context) (any, error) { return m.core.Balances(ctx, id) }
	case recent:
		return func(ctx context.Context) (any, error) { return m.core.Entries(ctx, id, 0, recentRows) }
	case past:
		if m.core.Past == nil {
			return nil
		}
		from := m.trend.since(env.Now)
		return func(ctx context.Context) (any, error) { return m.core.Past.Past(ctx, id, from, pastPatience) }
	case drafts:
		if m.core.Drafts == nil || !env.Unlocked() {
			return nil
		}
		own := env.Accounts
		signing := env.Signing
		return func(ctx context.Context) (any, error) { return countDrafts(ctx, m.core.Drafts, own, signing) }
	case besides:
		if m.core.Beside == nil {
			return nil
		}
		last, top := m.beside.last, m.newest()
		return func(ctx context.Context) (any, error) { return readBeside(ctx, m.core.Beside, id, last, top) }
	}
	return nil
}

// newest is the newest row that is known; 0 for none.
func (m *Model) newest() ledger.HistoryID {
	if len(m.recent) == 0 {
		return 0
	}
	return m.recent[0].ID
}

// result takes a reading; old values stay when it failed.
func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	var more tea.Cmd
	switch msg.Topic {
	case balances:
		if m.balancesErr = msg.Err; msg.Err == nil {
			m.balances = msg.Body.([]ledgerview.Balance)
			m.balancesRead = readAt(env, m.balancesRead)
			m.sortAssets()
			m.trend.make(env.Now, m.balances)
		}
	case recent:
		if m.recentErr = msg.Err; msg.Err == nil {
			m.recent = msg.Body.([]history.Entry)
			m.recentRead = readAt(env, m.recentRead)
			if m.recentRead.IsZero() && len(m.recent) > 0 { // from disk: at least of then
				m.recentRead = m.recent[0].Time.Time()
			}
			m.note(env)
			if !m.beside.known || m.beside.top != m.newest() {
				more = m.ask(env, besides)
			}
		}
	case past:
		more = m.resultPast(env, msg)
	case besides:
		if msg.Err == nil {
			m.beside = msg.Body.(beside)
		}
	case drafts:
		if msg.Err == nil {
			m.kept = msg.Body.(kept)
		}
	}
	if m.again[msg.Topic] {
		return tea.Batch(more, m.ask(env, msg.Topic))
	}
	return more
}

// resultPast takes what is known of the past; there may be more to read.
func (m *Model) resultPast(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return nil
	}
	m.trend.past = msg.Body.(balance.Past)
	m.trend.read = env.Now
	m.trend.make(env.Now, m.balances)
	if m.trend.past.More {
		return m.ask(env, past)
	}
	return nil
}

// sortAssets puts the assets into the order that was chosen: DCT first and the others by symbol, or all by id.
func (m *Model) sortAssets() {
	slices.SortStableFunc(m.balances, func(a, b ledgerview.Balance) int {
		core := func(of ledgerview.Balance) bool { return of.Asset.ID == ledger.CoreAsset }
		switch {
		case m.byID || core(a) && core(b):
			return cmp.Compare(a.Asset.ID, b.Asset.ID)
		case core(a):
			return -1
		case core(b):
			return 1
		}
		return cmp.Compare(a.Asset.Symbol, b.Asset.Symbol)
	})
}

// readAt is the time that values are of: now, when a node gave them.
func readAt(env screen.Env, before time.Time) time.Time {
	if env.Live() {
		return env.Now
	}
	return before
}

// rows is the length of a panel's list.
func (m *Model) rows(env screen.Env, panel int) int {
	switch panel {
	case panelAccounts:
		return len(env.Accounts)
	case panelBalances:
		return len(m.balances)
	case panelPending:
		return len(progress.Underway(env))
	}
	return len(m.recent)
}

// note remembers that the newest row was seen by whoever has unlocked the wallet.
func (m *Model) note(env screen.Env) {
	if m.core.Visits == nil || !env.Unlocked() || len(m.recent) == 0 || m.noted == m.recent[0].ID {
		return
	}
	m.noted = m.recent[0].ID
	_ = m.core.Visits.Note(env.Status.ChainID, m.account, visit.Visit{Row: m.noted, At: env.Now}) // it costs no more than the memory
}

// lastVisit is the one before this run.
func (m *Model) lastVisit(env screen.Env) visit.Visit {
	if m.core.Visits == nil {
		return visit.Visit{}
	}
	last, _ := m.core.Visits.Last(env.Status.ChainID, m.account)
	return last
}

// Package home is the first page: accounts, balances, pending payments
// and the latest history of the account in focus. It reads and shows; paying
// is the business of package send.
package home

import (
	"cmp"
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/lastview"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/progress"
	"billfold/walletcore/balance"
	"billfold/walletcore/event"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Core holds what the page needs of the wallet. All but Reader may be nil.
type Core struct {
	Reader
	Past   Past
	Extras ExtrasReader
	Visits Visits
	Drafts Drafts
}

// Reader reads balances and rows.
type Reader interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// Past reads earlier balances.
type Past interface {
	Past(ctx context.Context, id ledger.AccountID, from time.Time, patience time.Duration) (balance.Past, error)
}

// ExtrasReader reads what the page shows besides balances: amounts on hold, withdraw permissions, tokens, and totals of the history.
type ExtrasReader interface {
	Held(ctx context.Context, id ledger.AccountID) ([]ledgerview.Hold, error)
	Permissions(ctx context.Context, id ledger.AccountID) ([]ledgerview.Permission, error)
	OwnedBy(ctx context.Context, owner ledger.AccountID) ([]ledgerview.OwnedToken, error)
	Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (history.Totals, error)
}

// Visits remembers what was seen at the last visit.
type Visits interface {
	Last(chain ledger.ChainID, account ledger.AccountID) (lastview.View, bool)
	Note(chain ledger.ChainID, account ledger.AccountID, now lastview.View) error
}

// The panels in reading order.
const (
	panelAccounts = iota
	panelBalances
	panelPending
	panelRecent
	panels
)

// recentRows is the number of operations that the page reads.
const recentRows = 30

// readLimit is the time limit for one reading.
const readLimit = 20 * time.Second

// Model is the page.
type Model struct {
	core      Core
	tasks     *screen.Tasks
	focus     int
	cursors   [panels]list.Cursor
	account   ledger.AccountID // whose values are shown
	readAgain map[string]bool  // topics to read once more: they were asked for during their reading

	balances     []ledgerview.Balance
	balancesRead time.Time
	balancesErr  error
	recent       []history.Entry
	recentRead   time.Time
	recentErr    error

	trend        trend
	extras       extras
	totals       Totals
	totalsAsked  time.Time
	suggested    bool             // the account with money was suggested, if any
	draftCounts  draftCounts      // of the accounts of this wallet
	signingSince time.Time        // when the payment that is being signed was prepared, which is not counted; zero: there is none
	lastNoted    ledger.HistoryID // the newest row that was noted as seen
	byID         bool             // assets are in the order of ids, else of symbols
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, focus: panelBalances, readAgain: map[string]bool{}}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	return "Home › " + [panels]string{"Accounts", "Balances", "Pending", "Recent"}[m.focus]
}

// The topics of the page's tasks.
const (
	topicBalances = "balances"
	topicRecent   = "recent"
	topicPast     = "past"
	topicExtras   = "besides"
	topicDrafts   = "drafts"
)

// readAll starts reading balances and history. If another account was shown, its values are dropped at once.
func (m *Model) readAll(env screen.Env) tea.Cmd {
	if id := env.Account.ID; id != m.account {
		m.account, m.balances, m.recent = id, nil, nil
		m.balancesRead, m.recentRead = time.Time{}, time.Time{}
		m.balancesErr, m.recentErr = nil, nil
		m.trend, m.extras, m.lastNoted = trend{span: m.trend.span}, extras{}, 0
		m.extras.lastVisit = m.lastVisit(env)
		for _, topic := range []string{topicBalances, topicRecent, topicPast, topicExtras} {
			m.tasks.Forget(topic)
		}
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	return tea.Batch(m.startReading(env, topicBalances), m.startReading(env, topicRecent), m.startReading(env, topicPast))
}

// startReading starts the reading of a topic. If one is under way, another follows it:
// the open one may have read before the latest change.
func (m *Model) startReading(env screen.Env, topic string) tea.Cmd {
	_, busy := m.tasks.Busy(topic)
	if m.readAgain[topic] = busy; busy {
		return nil
	}
	work := m.work(env, topic)
	if work == nil {
		return nil
	}
	return m.tasks.Start(env, topic, readLimit, work)
}

// pastPatience is the time for which the past is read at a time: the chart grows in such steps.
const pastPatience = 2 * time.Second

// work returns the work that reads a topic; nil if it cannot be read.
func (m *Model) work(env screen.Env, topic string) func(ctx context.Context) (any, error) {
	id := m.account
	switch topic {
	case topicBalances:
		return func(ctx context.Context) (any, error) { return m.core.Balances(ctx, id) }
	case topicRecent:
		return func(ctx context.Context) (any, error) { return m.core.Entries(ctx, id, 0, recentRows) }
	case topicPast:
		if m.core.Past == nil {
			return nil
		}
		from := m.trend.start(env.Now)
		return func(ctx context.Context) (any, error) { return m.core.Past.Past(ctx, id, from, pastPatience) }
	case topicDrafts:
		if m.core.Drafts == nil || !env.Unlocked() {
			return nil
		}
		own := env.Accounts
		signing := env.Signing
		return func(ctx context.Context) (any, error) { return countDrafts(ctx, m.core.Drafts, own, signing) }
	case topicExtras:
		if m.core.Extras == nil {
			return nil
		}
		last, top := m.extras.lastVisit, m.newestRow()
		return func(ctx context.Context) (any, error) { return readExtras(ctx, m.core.Extras, id, last, top) }
	}
	return nil
}

// newestRow returns the newest row that is known; 0 if there is none.
func (m *Model) newestRow() ledger.HistoryID {
	if len(m.recent) == 0 {
		return 0
	}
	return m.recent[0].ID
}

// applyResult applies what was read; if the reading failed, the old values stay.
func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	var more tea.Cmd
	switch msg.Topic {
	case topicBalances:
		if m.balancesErr = msg.Err; msg.Err == nil {
			m.balances = msg.Body.([]ledgerview.Balance)
			m.balancesRead = readTime(env, m.balancesRead)
			m.sortAssets()
			m.trend.compute(env.Now, m.balances)
		}
	case topicRecent:
		if m.recentErr = msg.Err; msg.Err == nil {
			m.recent = msg.Body.([]history.Entry)
			m.recentRead = readTime(env, m.recentRead)
			if m.recentRead.IsZero() && len(m.recent) > 0 { // from disk: complete up to the newest row at least
				m.recentRead = m.recent[0].Time.Time()
			}
			m.noteVisit(env)
			if !m.extras.known || m.extras.newestRow != m.newestRow() {
				more = m.startReading(env, topicExtras)
			}
		}
	case topicPast:
		more = m.applyPast(env, msg)
	case topicExtras:
		if msg.Err == nil {
			m.extras = msg.Body.(extras)
		}
	case topicTotals:
		more = m.applyTotals(env, msg)
	case topicDrafts:
		if msg.Err == nil {
			m.draftCounts = msg.Body.(draftCounts)
		}
	}
	if m.readAgain[msg.Topic] {
		return tea.Batch(more, m.startReading(env, msg.Topic))
	}
	return more
}

// applyPast applies what was read of the past, and reads on if there is more.
func (m *Model) applyPast(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return nil
	}
	m.trend.past = msg.Body.(balance.Past)
	m.trend.read = env.Now
	m.trend.compute(env.Now, m.balances)
	if m.trend.past.More {
		return m.startReading(env, topicPast)
	}
	return nil
}

// sortAssets puts the assets into the chosen order: DCT first and the others by symbol, or all by id.
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

// readTime returns when values that come now were true: now if the node is live, else as before.
func readTime(env screen.Env, before time.Time) time.Time {
	if env.Live() {
		return env.Now
	}
	return before
}

// rows returns the length of a panel's list.
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

// noteVisit records that the newest row was seen, if the wallet is unlocked.
func (m *Model) noteVisit(env screen.Env) {
	if m.core.Visits == nil || !env.Unlocked() || len(m.recent) == 0 || m.lastNoted == m.recent[0].ID {
		return
	}
	m.lastNoted = m.recent[0].ID
	_ = m.core.Visits.Note(env.Status.ChainID, m.account, lastview.View{Row: m.lastNoted, At: env.Now}) // a failure costs only the record
}

// lastVisit returns the visit before this run of the program.
func (m *Model) lastVisit(env screen.Env) lastview.View {
	if m.core.Visits == nil {
		return lastview.View{}
	}
	last, _ := m.core.Visits.Last(env.Status.ChainID, m.account)
	return last
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	if m.focus == panelAccounts && m.accountsHidden(env) { // the window became smaller
		m.focus = panelBalances
	}
	if since := env.Signing.Payment.Prepared; since != m.signingSince {
		m.signingSince = since
		return tea.Batch(m.startReading(env, topicDrafts), m.update(env, msg))
	}
	return m.update(env, msg)
}

func (m *Model) update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		return tea.Batch(m.readAll(env), m.startReading(env, topicDrafts), m.ReadTotals(env))
	case event.Event:
		if msg.Kind == event.Lock || msg.Kind == event.Payment { // a payment may have been a draft
			return tea.Batch(m.readAll(env), m.startReading(env, topicDrafts), m.refreshTotals(env, msg.Kind))
		}
		return tea.Batch(m.readAll(env), m.refreshTotals(env, msg.Kind))
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Click:
		m.focus = msg.Panel
		m.cursors[msg.Panel].Pick(msg.At, m.rows(env, msg.Panel))
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	p := m.panelsOf(env, a.W, a.H)
	draw := [panels]func(screen.Env, canvas.Area){m.drawAccounts, m.drawBalances, m.drawPending, m.drawRecent}
	rects := [panels]layout.Rect{p.Accounts, p.Balances, p.Pending, p.Recent}
	for i, r := range rects {
		if r.Empty() || p.Single && i != m.focus {
			continue
		}
		draw[i](env, a.Sub(r.X, r.Y, r.W, r.H))
	}
	if !p.Chart.Empty() {
		m.drawChart(env, a.Sub(p.Chart.X, p.Chart.Y, p.Chart.W, p.Chart.H))
	}
	if !p.Side.Empty() {
		m.drawSide(env, a.Sub(p.Side.X, p.Side.Y, p.Side.W, p.Side.H))
	}
}

// Package home is the first page: accounts, balances, payments on their way
// and the latest history of the account in focus. It reads and shows; paying
// is the business of package send.
package home

import (
	"context"
	"sort"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

// Reader is what the page needs of the wallet.
type Reader interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

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
	core    Reader
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
}

// New makes the page.
func New(core Reader, tasks *screen.Tasks) *Model {
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
)

// read asks for balances and history. The values of another account are dropped at once.
func (m *Model) read(env screen.Env) tea.Cmd {
	if id := env.Account.ID; id != m.account {
		m.account, m.balances, m.recent = id, nil, nil
		m.balancesRead, m.recentRead = time.Time{}, time.Time{}
		m.balancesErr, m.recentErr = nil, nil
		m.tasks.Forget(balances)
		m.tasks.Forget(recent)
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	return tea.Batch(m.ask(env, balances), m.ask(env, recent))
}

// ask starts a reading. While one is open, another follows it: what the open one
// answers may be older than what happened since.
func (m *Model) ask(env screen.Env, topic string) tea.Cmd {
	_, busy := m.tasks.Busy(topic)
	if m.again[topic] = busy; busy {
		return nil
	}
	id := m.account
	return m.tasks.Start(env, topic, readLimit, func(ctx context.Context) (any, error) {
		if topic == balances {
			return m.core.Balances(ctx, id)
		}
		return m.core.Entries(ctx, id, 0, recentRows)
	})
}

// result takes a reading; old values stay when it failed.
func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case balances:
		if m.balancesErr = msg.Err; msg.Err == nil {
			m.balances = msg.Body.([]ledgerview.Balance)
			m.balancesRead = readAt(env, m.balancesRead)
		}
	case recent:
		if m.recentErr = msg.Err; msg.Err == nil {
			m.recent = msg.Body.([]history.Entry)
			m.recentRead = readAt(env, m.recentRead)
			if m.recentRead.IsZero() && len(m.recent) > 0 { // from disk: at least of then
				m.recentRead = m.recent[0].Time.Time()
			}
		}
	}
	if m.again[msg.Topic] {
		return m.ask(env, msg.Topic)
	}
	return nil
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
		return len(open(env.Payments))
	}
	return len(m.recent)
}

// open lists the payments that are not final, or failed and not yet old:
// unknown ones first, then the oldest.
func open(all []payment.Payment) []payment.Payment {
	var out []payment.Payment
	for _, p := range all {
		if p.State <= payment.InBlock || p.State == payment.Unknown {
			out = append(out, p)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if (a.State == payment.Unknown) != (b.State == payment.Unknown) {
			return a.State == payment.Unknown
		}
		return a.Prepared.Before(b.Prepared)
	})
	return out
}

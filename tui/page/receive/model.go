// Package receive is the page on which a person requests a payment: the account as text, link
// and QR code, a request with asset, amount and memo, and the payments that arrive.
package receive

import (
	"context"
	"fmt"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/tui/widget/qr"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"

	tea "github.com/charmbracelet/bubbletea"
)

// History reads what arrived.
type History interface {
	Entries(ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
}

// Assets reads assets of the ledger.
type Assets interface {
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
}

// Core holds what the page needs of the wallet.
type Core struct {
	History History
	Assets  Assets
	Save    func(name string, text []byte) (path string, err error) // writes a new file and returns its path
}

const (
	// rowsRead is the number of rows of the history that are searched for incoming payments.
	rowsRead = 100

	// readLimit is the time limit for one reading.
	readLimit = 20 * time.Second
)

// The panels in reading order.
const (
	panelRequest = iota
	panelIncoming
	panels
)

// Model is the page.
type Model struct {
	request
	core    Core
	tasks   *screen.Tasks
	focus   int
	cursor  list.Cursor // in the incoming payments
	account ledger.AccountID

	incoming  []history.Entry
	readAt    time.Time
	fault     error
	readAgain bool // something changed while the history was being read

	codeAlone bool // the QR code has the whole page
	inverted  bool
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, request: newRequest()}
}

// Resume implements screen.Resumer: it takes over the request that was typed. What the ledger has is read again.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	for f := range m.fields {
		if now := &before.fields[f]; !now.HoldsSecret() {
			m.fields[f].Set(now.Value())
		}
	}
	m.request.focusField, m.typing, m.changedAt, m.focus = before.request.focusField, before.typing, before.changedAt, before.focus
}

// Unsaved implements screen.Holder. A request that is complete may have been used; only one that is being typed is lost.
func (m *Model) Unsaved() string {
	for i := range m.fields {
		if m.typing && !m.fields[i].Empty() {
			return "A request on Receive is half typed; quitting drops it."
		}
	}
	return ""
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if m.codeAlone {
		return "Receive › Code"
	}
	return "Receive › " + [panels]string{"Request", "Incoming"}[m.focus]
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.codeAlone:
		return "receive.code", screen.KEYS
	case m.typing:
		return "receive.type", screen.TYPE
	}
	return "receive", screen.KEYS
}

// readIncoming starts reading the newest history. If a reading is under way, another follows
// it: the open one may have read before the latest change.
func (m *Model) readIncoming(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if id != m.account {
		m.account, m.incoming, m.readAt, m.fault, m.cursor = id, nil, time.Time{}, nil, list.Cursor{}
		m.tasks.Forget("incoming")
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	if _, m.readAgain = m.tasks.Busy("incoming"); m.readAgain {
		return nil
	}
	return m.tasks.Start(env, "incoming", readLimit, func(ctx context.Context) (any, error) {
		return m.core.History.Entries(ctx, id, 0, rowsRead)
	})
}

// lookUp starts reading the asset of the request, unless it is known.
func (m *Model) lookUp(env screen.Env) tea.Cmd {
	symbol := m.symbol()
	if _, known := m.assets[symbol]; known || !env.Online() || ledger.ValidSymbol(symbol) != nil {
		return nil
	}
	return m.tasks.Start(env, "asset", readLimit, func(ctx context.Context) (any, error) {
		return m.core.Assets.Asset(ctx, symbol)
	})
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch body := msg.Body.(type) {
	case *ledger.Asset:
		m.setAsset(body, msg.Err)
	case []history.Entry:
		if m.fault = msg.Err; msg.Err != nil {
			return nil
		}
		m.incoming = slices.DeleteFunc(slices.Clone(body), func(e history.Entry) bool {
			return e.Direction != history.In || e.Amount == 0
		})
		if env.Live() {
			m.readAt = env.Now
		}
		if m.readAgain {
			return m.readIncoming(env)
		}
	}
	return nil
}

// link returns the payment link of the account, with the request if that is valid.
func (m *Model) link(env screen.Env) string { return m.request.link(env.Account) }

// code returns the QR code of the link; nil if there is none.
func (m *Model) code(env screen.Env) *qr.Code {
	if len(env.Accounts) == 0 || env.ASCII {
		return nil
	}
	code, err := qr.New(m.link(env))
	if err != nil {
		return nil
	}
	return code
}

// Copies implements screen.Copier.
func (m *Model) Copies(env screen.Env) []screen.Value {
	if len(env.Accounts) == 0 {
		return nil
	}
	if m.focus == panelIncoming && m.cursor.At < len(m.incoming) {
		e := m.incoming[m.cursor.At]
		return rows.Copies(e)
	}
	return []screen.Value{
		{Name: "Link", Text: m.link(env)}, {Name: "Account", Text: env.Account.Name}, {Name: "Account id", Text: env.Account.ID.String()},
	}
}

// Call implements screen.Caller: the operation reads the account as payers find it, or what arrived.
func (m *Model) Call(env screen.Env) string {
	switch {
	case env.Account.Name == "":
		return ""
	case m.focus == panelIncoming:
		return fmt.Sprintf("get_account_history %s %d", env.Account.Name, rowsRead)
	}
	return "get_account " + env.Account.Name
}

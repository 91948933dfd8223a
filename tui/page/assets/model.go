// Package assets is the page of what an account holds: its assets and tokens, the details of
// each, and a search over all assets on the ledger.
package assets

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/list"
	"billfold/walletcore/ledgerview"
)

// Ledger is the part of the ledger that the page reads.
type Ledger interface {
	Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error)
	Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error)
	FindAssets(ctx context.Context, prefix string, limit int) ([]*ledger.Asset, error)
	OwnedBy(ctx context.Context, owner ledger.AccountID) ([]ledgerview.OwnedToken, error)
	AccountNamed(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error)
}

const (
	readLimit = 20 * time.Second // for one reading
	maxFound  = 100              // rows of a search
)

// The panels that can have the focus, in reading order.
const (
	panelAssets = iota
	panelTokens
	panels
)

// The topics of the page's tasks.
const (
	topicBalances = "balances"
	topicTokens   = "tokens"
	topicAsset    = "asset"
	topicFind     = "find"
)

// Model is the page.
type Model struct {
	core    Ledger
	tasks   *screen.Tasks
	focus   int
	cursors [panels]list.Cursor

	account  ledger.AccountID // whose holdings are shown
	balances reading[[]ledgerview.Balance]
	tokens   reading[[]ledgerview.OwnedToken]
	details  map[string]card.Asset // by symbol or id

	search field.Field // by symbol; empty: the list shows what the account holds
	typing bool
	found  reading[[]*ledger.Asset]
}

// reading is a value as last read.
type reading[T any] struct {
	value T
	at    time.Time // zero: not read yet
	fault error
}

func (r *reading[T]) apply(env screen.Env, msg screen.Result) {
	if r.fault = msg.Err; msg.Err == nil {
		r.value, _ = msg.Body.(T)
		r.at = env.Now
	}
}

// New makes the page.
func New(core Ledger, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, details: map[string]card.Asset{}, search: field.New("")}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if m.focus == panelTokens {
		return "Assets › Tokens"
	}
	if symbol := m.symbol(); symbol != "" {
		return "Assets › " + symbol
	}
	return "Assets"
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.typing {
		return "assets.type", screen.TYPE
	}
	return "assets", screen.KEYS
}

// searching reports whether the list shows what a search found.
func (m *Model) searching() bool { return m.typing || !m.search.Empty() }

// rows returns how many rows the list in focus has.
func (m *Model) rows() int {
	switch {
	case m.focus == panelTokens:
		return len(m.tokens.value)
	case m.searching():
		return len(m.found.value)
	}
	return len(m.balances.value)
}

// asset returns the asset in focus, the zero value if there is none.
func (m *Model) asset() ledgerview.AssetRef {
	at := m.cursors[panelAssets].At
	switch {
	case m.searching() && at < len(m.found.value):
		return ledgerview.AssetRefOf(m.found.value[at])
	case !m.searching() && at < len(m.balances.value):
		return m.balances.value[at].Asset
	}
	return ledgerview.AssetRef{}
}

// symbol returns the symbol of the asset in focus, empty if there is none.
func (m *Model) symbol() string { return m.asset().Symbol }

// token returns the token in focus.
func (m *Model) token() (ledgerview.OwnedToken, bool) {
	at := m.cursors[panelTokens].At
	if at >= len(m.tokens.value) {
		return ledgerview.OwnedToken{}, false
	}
	return m.tokens.value[at], true
}

// balanceOf returns the account's balance of an asset. It reports false if the account holds none, or was not read yet.
func (m *Model) balanceOf(id ledger.AssetID) (ledgerview.Balance, bool) {
	for _, b := range m.balances.value {
		if b.Asset.ID == id {
			return b, true
		}
	}
	return ledgerview.Balance{}, false
}

// Copies implements screen.Copier.
func (m *Model) Copies(screen.Env) []screen.Value {
	if t, there := m.token(); there && m.focus == panelTokens {
		return OfToken(t).Copies
	}
	symbol := m.symbol()
	if symbol == "" {
		return nil
	}
	if a, known := m.details[symbol]; known {
		return a.Copies()
	}
	return []screen.Value{{Name: "Symbol", Text: symbol}}
}

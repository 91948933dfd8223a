package home

import (
	"context"
	"errors"
	"math"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Totals holds the balances of the wallet's accounts as they were last read; the zero value: none were.
type Totals struct {
	of map[ledger.AccountID][]ledgerview.Balance // without those that could not be read
}

// ReadTotals reads the balances of all accounts. If one cannot be read, it returns the others with the error.
func ReadTotals(ctx context.Context, reader Reader, own []vault.OwnAccount) (Totals, error) {
	t, failed := Totals{of: map[ledger.AccountID][]ledgerview.Balance{}}, error(nil)
	for _, a := range own {
		balances, err := reader.Balances(ctx, a.ID)
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		t.of[a.ID] = balances
	}
	return t, failed
}

// Of returns how much an account has of an asset, in its smallest unit; known is false if its balances were not read.
func (t Totals) Of(id ledger.AccountID, asset ledger.AssetID) (amount int64, known bool) {
	balances, known := t.of[id]
	for _, b := range balances {
		if b.Asset.ID == asset {
			amount = b.Amount
		}
	}
	return amount, known
}

// Sum adds up what accounts have of an asset, in its smallest unit, and counts those whose balances are known. ok is false if the sum
// does not fit, as only a false answer can cause.
func (t Totals) Sum(own []vault.OwnAccount, asset ledger.AssetID) (sum int64, known int, ok bool) {
	for _, a := range own {
		amount, there := t.Of(a.ID, asset)
		switch {
		case !there:
			continue
		case amount < 0 || amount > math.MaxInt64-sum:
			return 0, 0, false
		}
		sum += amount
		known++
	}
	return sum, known, true
}

// Lines returns what an account has: of DCT, and of the asset in focus if that is another which it has.
func (t Totals) Lines(env screen.Env, id ledger.AccountID, focus ledgerview.AssetRef) []canvas.Line {
	dct := ledgerview.DCT()
	amount, known := t.Of(id, dct.ID)
	if !known {
		return []canvas.Line{canvas.In(theme.Muted, "balance not known")}
	}
	out := []canvas.Line{env.Money().Amount(dct, amount)}
	if other, _ := t.Of(id, focus.ID); other != 0 && focus.ID != dct.ID {
		out = append(out, env.Money().Amount(focus, other))
	}
	return out
}

// SumLine returns what the accounts on the list have together of an asset, and of how many of them that is unless all are known; nil if
// there is nothing to add up.
func (t Totals) SumLine(env screen.Env, asset ledgerview.AssetRef) canvas.Line {
	sum, known, ok := t.Sum(env.Accounts, asset.ID)
	if !ok || known == 0 || len(env.Accounts) < 2 {
		return nil
	}
	out := canvas.Join(canvas.In(theme.Muted, "Sum "), env.Money().Amount(asset, sum))
	if known < len(env.Accounts) {
		out = canvas.Join(out, canvas.In(theme.Muted, " in "+format.Count(known)+" of "+format.Count(len(env.Accounts))))
	}
	return out
}

// Uncounted returns how many payments the sums do not count yet, in a line; nil if they count all.
func Uncounted(env screen.Env) canvas.Line {
	if n := uncounted(env); n > 0 {
		return canvas.In(theme.Muted, "Not counting "+format.Many(n, "pending payment"))
	}
	return nil
}

// uncounted returns how many payments and messages may still take something that balances contain: those that no node has accepted. A node
// counts what it accepted, with its fees, before it is in a block.
func uncounted(env screen.Env) (n int) {
	for _, p := range progress.Underway(env) {
		if p.State == payment.Prepared || p.State == payment.Unknown {
			n++
		}
	}
	return n
}

// SumLines returns the sums of DCT and of the asset in focus, if that is another.
func (t Totals) SumLines(env screen.Env, focus ledgerview.AssetRef) (out []canvas.Line) {
	if sum := t.SumLine(env, ledgerview.DCT()); sum != nil {
		out = append(out, sum)
	}
	if sum := t.SumLine(env, focus); sum != nil && focus.ID != ledger.CoreAsset {
		out = append(out, sum)
	}
	return out
}

// richest returns the account with the most DCT among those that the keys here can sign for; if none has any, one that has something
// else. ok is false if none has anything, or if the account in focus has some of the same kind.
func (t Totals) richest(env screen.Env) (id ledger.AccountID, ok bool) {
	var most int64 = -1
	for _, a := range env.Accounts {
		amount, _ := t.Of(a.ID, ledger.CoreAsset)
		if len(t.of[a.ID]) == 0 || !a.CanSign() {
			continue
		}
		if amount > most {
			id, most = a.ID, amount
		}
	}
	now, _ := t.Of(env.Account.ID, ledger.CoreAsset)
	return id, most > 0 && now == 0 || most == 0 && len(t.of[env.Account.ID]) == 0
}

// topicTotals is the topic of the task that reads the balances of all accounts.
const topicTotals = "totals"

// totalsAge is the age of the totals from which on a block makes Home read them again.
const totalsAge = 15 * time.Second

// Totals returns the balances of all accounts as last read.
func (m *Model) Totals() Totals { return m.totals }

// ReadTotals starts reading the balances of all accounts, unless they are under way. One account has none beside its balances.
func (m *Model) ReadTotals(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(topicTotals); busy || len(env.Accounts) < 2 {
		return nil
	}
	own := env.Accounts
	m.totalsAsked = env.Now
	return m.tasks.Start(env, topicTotals, readLimit, func(ctx context.Context) (any, error) {
		totals, err := ReadTotals(ctx, m.core, own)
		if len(totals.of) > 0 { // what could be read is shown
			err = nil
		}
		return totals, err
	})
}

// refreshTotals reads the totals again after an event; after a block only if they have become old.
func (m *Model) refreshTotals(env screen.Env, kind event.Kind) tea.Cmd {
	if kind == event.Block && env.Now.Sub(m.totalsAsked) < totalsAge {
		return nil
	}
	return m.ReadTotals(env)
}

// applyTotals applies what was read. The first time, it suggests the account with money if the one in focus has none.
func (m *Model) applyTotals(env screen.Env, msg screen.Result) tea.Cmd {
	if msg.Err != nil {
		return nil
	}
	m.totals = msg.Body.(Totals)
	if m.suggested {
		return nil
	}
	m.suggested = true
	if id, ok := m.totals.richest(env); ok {
		return screen.Request(screen.SuggestAccount{ID: id})
	}
	return nil
}

// FocusAsset returns the asset in focus, which lists of accounts show beside DCT; DCT if there is none.
func (m *Model) FocusAsset() ledgerview.AssetRef {
	if at := m.cursors[panelBalances].At; at < len(m.balances) {
		return m.balances[at].Asset
	}
	return ledgerview.DCT()
}

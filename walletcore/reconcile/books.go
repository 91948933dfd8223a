package reconcile

import (
	"context"
	"math/big"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/balance"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// rowsAtOnce is the number of rows of the index that are read at a time.
const rowsAtOnce = 500

// balances are an account's holdings as the node reports them. They hold what is under way too: a node adds transactions to them before they
// are in a block, and nothing shows which.
type balances struct {
	head uint32
	id   ledger.BlockID
	held map[ledger.AssetID]int64
}

// readBalances reads them; same reports whether the head stayed the same meanwhile.
func readBalances(ctx context.Context, h *history.Reader, id ledger.AccountID) (b balances, same bool, err error) {
	before, err := h.Daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return b, false, fault.Daemon("reading the head block", err)
	}
	if b.held, err = h.View.Assets.Held(ctx, id); err != nil {
		return b, false, err
	}
	after, err := h.Daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return b, false, fault.Daemon("reading the head block", err)
	}
	b.head, b.id = after.HeadBlockNumber, after.HeadBlockID
	return b, after.HeadBlockID == before.HeadBlockID, nil
}

// books are an account's history, as of the head of the index, and its balances.
type books struct {
	balances
	days    sheet
	created bool // by its first operation, so it held nothing before
	status  historyindex.Status

	final sheet // days of operations that stay: they are added up once
	after ledger.HistoryID
}

// addUp adds up the operations up to the block of some balances; same reports whether the index has exactly these.
func (b *books) addUp(ctx context.Context, h *history.Reader, id ledger.AccountID, at balances) (same bool, err error) {
	if b.status, err = h.Index.Status(ctx, id); err != nil {
		return false, history.IndexFault(err)
	}
	if !b.isAt(at) {
		return false, nil
	}
	if b.after == 0 {
		b.final = sheet{}
	}
	b.balances, b.days = at, b.final.clone()
	win := historyindex.Window{Oldest: true, Limit: rowsAtOnce, After: b.after}
	for more := true; more; {
		page, err := h.Index.Page(ctx, id, historyindex.Filter{}, win)
		if err != nil {
			return false, history.IndexFault(err)
		}
		for _, row := range page.Rows {
			if err := b.add(ctx, h, id, row); err != nil {
				return false, err
			}
			win.After = row.ID
		}
		more = len(page.Rows) == rowsAtOnce
	}
	status, err := h.Index.Status(ctx, id)
	return status == b.status, history.IndexFault(err)
}

// isAt reports whether the index has every operation up to the block of some balances, and no other.
func (b *books) isAt(at balances) bool {
	return b.status.Known() && b.status.Whole && b.status.Head == at.head && b.status.HeadID == at.id
}

// add adds an operation.
func (b *books) add(ctx context.Context, h *history.Reader, id ledger.AccountID, row historyindex.Row) error {
	var record ledger.HistoryRecord
	if err := codec.Unmarshal(row.Raw, &record); err != nil {
		return &fault.Error{Code: fault.File, Op: "reconcile", Message: "a row of the history index cannot be read", Err: err,
			Hint: "move history.db away: it is rebuilt from the ledger"}
	}
	if row.Seq == 1 {
		op, is := record.Op.Body.(*ledger.AccountCreateOp)
		b.created = is && op.Registrar != id
	}
	e, known := balance.EffectOf(id, record.Op)
	if !known {
		var err error
		if e, err = askNode(ctx, h, id, row.ID, e.Fee); err != nil {
			return err
		}
	}
	if row.Block > b.status.Final {
		b.days.add(pending, e)
		return nil
	}
	b.days.add(dayOf(row.Time), e)
	b.final.add(dayOf(row.Time), e)
	b.after = row.ID
	return nil
}

// openings returns what the account held before its first operation, as it follows from its balances.
func (b *books) openings() map[ledger.AssetID]*big.Int {
	out := map[ledger.AssetID]*big.Int{}
	for _, id := range b.days.assets(b.held) {
		out[id] = big.NewInt(b.held[id])
		for _, day := range b.days {
			if of := day[id]; of != nil {
				out[id].Sub(out[id], of.net())
			}
		}
	}
	return out
}

// askNode asks the node what an operation moved that does not state it.
func askNode(
	ctx context.Context, h *history.Reader, id ledger.AccountID, op ledger.HistoryID, fee ledger.AssetAmount,
) (balance.Effect, error) {
	raw, err := h.Daemon.AccountBalanceForTransaction(ctx, id, op)
	if err != nil {
		return balance.Effect{}, fault.Daemon("reading what an operation moved", err)
	}
	var c *ledger.BalanceChange
	if err := codec.Unmarshal(raw, &c); err != nil {
		return balance.Effect{}, fault.Daemon("reading what an operation moved", err)
	}
	if c == nil || c.Record.ID != op {
		return balance.Effect{Fee: fee}, nil
	}
	return effectByNode(id, *c, fee), nil
}

package reconcile

import (
	"context"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/balance"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// rowsAtOnce is how many rows of the index are read at a time.
const rowsAtOnce = 500

// books are an account's history and balances as of one block.
type books struct {
	days    sheet
	held    map[ledger.AssetID]int64
	created bool // by its first operation, so it held nothing before
	status  historyindex.Status
}

// readAt reads everything; same reports whether all of it is as of one block.
func readAt(ctx context.Context, h *history.Reader, id ledger.AccountID) (b *books, same bool, err error) {
	b = &books{days: sheet{}}
	if !h.Indexed() {
		return b, false, nil
	}
	if b.status, err = h.Index.Status(ctx, id); err != nil {
		return b, false, history.IndexFault(err)
	}
	before, err := h.Daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return b, false, fault.Daemon("reading the head block", err)
	}
	if !b.status.Known() || !b.status.Whole || b.status.Head != before.HeadBlockNumber {
		return b, false, nil
	}
	if b.held, err = h.View.Assets.Held(ctx, id); err != nil {
		return b, false, err
	}
	if err := b.addUp(ctx, h, id); err != nil {
		return b, false, err
	}
	after, err := h.Daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return b, false, fault.Daemon("reading the head block", err)
	}
	status, err := h.Index.Status(ctx, id)
	return b, after.HeadBlockNumber == before.HeadBlockNumber && after.HeadBlockID == b.status.HeadID && status == b.status,
		history.IndexFault(err)
}

// addUp adds up the rows of the index, oldest first.
func (b *books) addUp(ctx context.Context, h *history.Reader, id ledger.AccountID) error {
	win := historyindex.Window{Oldest: true, Limit: rowsAtOnce}
	first := true
	for {
		page, err := h.Index.Page(ctx, id, historyindex.Filter{}, win)
		if err != nil {
			return history.IndexFault(err)
		}
		for _, row := range page.Rows {
			var record ledger.HistoryRecord
			if err := codec.Unmarshal(row.Raw, &record); err != nil {
				return &fault.Error{Code: fault.File, Op: "reconcile", Message: "a row of the history index cannot be read", Err: err,
					Hint: "move history.db away: it is rebuilt from the ledger"}
			}
			if first {
				op, is := record.Op.Body.(*ledger.AccountCreateOp)
				b.created = is && op.Registrar != id && row.Seq == 1
				first = false
			}
			e, known := balance.EffectOf(id, record.Op)
			if !known {
				if e, err = askNode(ctx, h, id, row.ID, e.Fee); err != nil {
					return err
				}
			}
			day := pending
			if row.Block <= b.status.Final {
				day = dayOf(row.Time)
			}
			b.days.add(day, e)
		}
		if len(page.Rows) < rowsAtOnce {
			return nil
		}
		win.After = page.Rows[len(page.Rows)-1].ID
	}
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

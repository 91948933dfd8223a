package history

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
)

// batchPages is the number of pages written together. Rows that are not final yet are
// always written together, however many they are.
const batchPages = 10

// forward adds the rows of an account up to at, the head block when the step began.
// The chain may switch forks meanwhile: what was read is valid if that block is still
// on the chain afterwards, since it was then on it all the time.
func (f *Filler) forward(ctx context.Context, at ledger.DynamicGlobalProperties, id ledger.AccountID, total uint64) error {
	for {
		prev, err := f.status(ctx, id)
		if err != nil || prev.Known() && prev.Head != 0 && prev.HeadID == at.HeadBlockID {
			return err
		}
		batch, err := f.readStep(ctx, at, prev, total)
		if err != nil {
			return err
		}
		if ok, err := f.onChain(ctx, at.HeadBlockNumber, at.HeadBlockID); err != nil || !ok {
			return orElse(err, errForked)
		}
		if err := f.storeFinalNames(ctx, prev, batch); err != nil {
			return err
		}
		if err := f.Index.Extend(ctx, prev, batch); err != nil {
			return f.rereadOnGap(ctx, id, err)
		}
		rewound := prev.Known() && batch.From <= prev.Top
		if rewound {
			f.View.Accounts.ForgetNames() // an account created in a dropped block may have had another name
		}
		if rewound || len(batch.Rows) > 0 {
			if prev.Known() || batch.Rows[len(batch.Rows)-1].Block > f.firstHead { // not merely read for the first time
				f.moved.note(id)
			}
			f.events.Publish(event.Event{Kind: event.History})
		}
		if batch.Head != 0 {
			return nil
		}
	}
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// readStep reads what follows the rows that are kept.
func (f *Filler) readStep(
	ctx context.Context,
	at ledger.DynamicGlobalProperties,
	prev historyindex.Status,
	total uint64,
) (batch historyindex.Batch, err error) {
	if !prev.Known() {
		return f.readNewest(ctx, at, prev.Account, total)
	}
	from, anchor, err := f.findSeam(ctx, at, prev)
	if err != nil {
		return batch, err
	}
	batch = historyindex.Batch{
		From:     from,
		Final:    at.LastIrreversibleBlockNum,
		Total:    total,
		Head:     at.HeadBlockNumber,
		HeadID:   at.HeadBlockID,
		HeadTime: at.Time,
	}
	low := from
	if anchor != nil {
		low = anchor.Seq
	}
	var raws []json.RawMessage // starting with the anchor
	for next := low; next <= total; {
		last := min(next+batchPages*pageRows-1, total)
		part, err := f.readPages(ctx, prev.Account, next, last)
		if err != nil {
			return batch, err
		}
		if raws, next = append(raws, part...), last+1; next > total {
			continue
		}
		newest, err := readRecord(part[len(part)-1])
		if err != nil {
			return batch, err
		}
		if newest.BlockNum <= at.LastIrreversibleBlockNum { // leave the rest for the next step: these rows are final
			batch.Head, batch.HeadID, batch.HeadTime = 0, ledger.BlockID{}, 0
			break
		}
	}
	if anchor != nil {
		if len(raws) == 0 || !sameRecord(raws[0], anchor.Raw) {
			if !anchor.Final {
				return batch, errForked
			}
			return batch, f.resolveContradiction(ctx, prev.Account, anchor.Block)
		}
		raws = raws[1:]
	}
	if batch.Rows, err = f.rows(ctx, prev.Account, from, raws, at.HeadBlockNumber); err != nil {
		return batch, err
	}
	if len(batch.Rows) > 0 && prev.Head != 0 && batch.Rows[0].Block <= prev.Final {
		return batch, f.resolveContradiction(ctx, prev.Account, prev.Final) // a new row among final ones
	}
	return batch, nil
}

// findSeam determines which rows are kept: all of them if the block they were complete
// up to is still on the chain, otherwise only the final ones. from is the count of the
// first row that is not kept. anchor is the last kept row; reading it again together
// with what follows proves that the new rows join.
func (f *Filler) findSeam(
	ctx context.Context,
	at ledger.DynamicGlobalProperties,
	prev historyindex.Status,
) (from uint64, anchor *historyindex.Row, err error) {
	continues := false
	if prev.Head != 0 {
		if continues = f.seenOnChain[prev.HeadID]; !continues { // accounts that were updated together share the block
			continues, err = f.onChain(ctx, prev.Head, prev.HeadID)
		}
		if err != nil {
			return 0, nil, err
		}
		f.seenOnChain[prev.HeadID] = continues
	}
	from = prev.Top + 1
	if !continues {
		if from, err = f.Index.FirstProvisional(ctx, prev); err != nil {
			return 0, nil, err
		}
	}
	if from <= prev.Bottom { // no row was final yet, so none is kept
		return from, nil, nil
	}
	row, found, err := f.Index.Row(ctx, prev.Account, from-1)
	switch {
	case err != nil:
		return 0, nil, err
	case !found:
		return 0, nil, historyindex.ErrMoved
	case row.Block > at.HeadBlockNumber:
		return 0, nil, errBehind
	}
	return from, &row, nil
}

// readNewest reads the first rows of an account: the newest page, and as many more
// as it takes to reach a final row, so that everything older is final.
func (f *Filler) readNewest(
	ctx context.Context,
	at ledger.DynamicGlobalProperties,
	id ledger.AccountID,
	total uint64,
) (historyindex.Batch, error) {
	batch := historyindex.Batch{
		From:     total + 1,
		Final:    at.LastIrreversibleBlockNum,
		Total:    total,
		Head:     at.HeadBlockNumber,
		HeadID:   at.HeadBlockID,
		HeadTime: at.Time,
	}
	var raws []json.RawMessage
	for batch.From > 1 {
		first := max(batch.From, pageRows+1) - pageRows
		page, err := f.readPage(ctx, id, first, batch.From-1)
		if err != nil {
			return batch, err
		}
		raws, batch.From = append(page, raws...), first
		oldest, err := readRecord(page[0])
		if err != nil {
			return batch, err
		}
		if oldest.BlockNum <= at.LastIrreversibleBlockNum {
			break
		}
	}
	rows, err := f.rows(ctx, id, batch.From, raws, at.HeadBlockNumber)
	batch.Rows = rows
	return batch, err
}

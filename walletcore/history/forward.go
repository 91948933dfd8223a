package history

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
)

// batchPages is how many pages are written together at most; rows that are not
// final yet are always written together.
const batchPages = 10

// forward adds the rows of an account up to the block that the chain stood at.
// The chain may move meanwhile: what was read counts when that block is on it
// afterwards, for then it was all the time.
func (f *Filler) forward(ctx context.Context, at ledger.DynamicGlobalProperties, id ledger.AccountID, total uint64) error {
	for {
		was, err := f.status(ctx, id)
		if err != nil || was.Known() && was.Head != 0 && was.HeadID == at.HeadBlockID {
			return err
		}
		batch, err := f.readStep(ctx, at, was, total)
		if err != nil {
			return err
		}
		if ok, err := f.onChain(ctx, at.HeadBlockNumber, at.HeadBlockID); err != nil || !ok {
			return orElse(err, errForked)
		}
		if err := f.keepNames(ctx, was, batch); err != nil {
			return err
		}
		if err := f.Index.Extend(ctx, was, batch); err != nil {
			return f.unfit(ctx, id, err)
		}
		taken := was.Known() && batch.From <= was.Top
		if taken {
			f.View.Accounts.ForgetNames() // an account of a lost block may have had another name
		}
		if taken || len(batch.Rows) > 0 {
			if was.Known() || batch.Rows[len(batch.Rows)-1].Block > f.began { // else it is only read for the first time
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

// readStep reads what comes behind the rows that stay.
func (f *Filler) readStep(
	ctx context.Context,
	at ledger.DynamicGlobalProperties,
	was historyindex.Status,
	total uint64,
) (batch historyindex.Batch, err error) {
	if !was.Known() {
		return f.readNewest(ctx, at, was.Account, total)
	}
	from, anchor, err := f.keep(ctx, at, was)
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
	var raws []json.RawMessage // beginning with the anchor
	for next := low; next <= total; {
		last := min(next+batchPages*pageRows-1, total)
		part, err := f.readPages(ctx, was.Account, next, last)
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
		if newest.BlockNum <= at.LastIrreversibleBlockNum { // the rest another time: this much stays true
			batch.Head, batch.HeadID, batch.HeadTime = 0, ledger.BlockID{}, 0
			break
		}
	}
	if anchor != nil {
		if len(raws) == 0 || !sameRecord(raws[0], anchor.Raw) {
			if !anchor.Final {
				return batch, errForked
			}
			return batch, f.contradicts(ctx, was.Account, anchor.Block)
		}
		raws = raws[1:]
	}
	if batch.Rows, err = f.rows(ctx, was.Account, from, raws, at.HeadBlockNumber); err != nil {
		return batch, err
	}
	if len(batch.Rows) > 0 && was.Head != 0 && batch.Rows[0].Block <= was.Final {
		return batch, f.contradicts(ctx, was.Account, was.Final) // a row where there was none, for good
	}
	return batch, nil
}

// keep finds what stays: every row when the chain continues from where it stood,
// the final ones otherwise. from is the count of the first row that does not
// stay; anchor is the row before it, read together with those behind it: that
// proves that they join.
func (f *Filler) keep(
	ctx context.Context,
	at ledger.DynamicGlobalProperties,
	was historyindex.Status,
) (from uint64, anchor *historyindex.Row, err error) {
	goesOn := false
	if was.Head != 0 {
		if goesOn = f.joined[was.HeadID]; !goesOn { // accounts that were looked at together share it
			goesOn, err = f.onChain(ctx, was.Head, was.HeadID)
		}
		if err != nil {
			return 0, nil, err
		}
		f.joined[was.HeadID] = goesOn
	}
	from = was.Top + 1
	if !goesOn {
		if from, err = f.Index.FirstProvisional(ctx, was); err != nil {
			return 0, nil, err
		}
	}
	if from <= was.Bottom { // nothing was final yet: the history begins here
		return from, nil, nil
	}
	row, found, err := f.Index.Row(ctx, was.Account, from-1)
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

// readNewest begins an account: with the newest page, and as many more as it
// takes to come to a final row, so that all that is older is final.
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

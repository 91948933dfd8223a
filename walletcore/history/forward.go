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
		was, err := f.standing(ctx, id)
		if err != nil || was.Known() && was.Head != 0 && was.HeadID == at.HeadBlockID {
			return err
		}
		step, err := f.readStep(ctx, at, was, total)
		if err != nil {
			return err
		}
		if ok, err := f.onChain(ctx, at.HeadBlockNumber, at.HeadBlockID); err != nil || !ok {
			return orElse(err, errForked)
		}
		if err := f.keepNames(ctx, was, step); err != nil {
			return err
		}
		if err := f.Index.Extend(ctx, was, step); err != nil {
			return f.unfit(ctx, id, err)
		}
		taken := was.Known() && step.From <= was.Top
		if taken {
			f.View.Accounts.ForgetNames() // an account of a lost block may have had another name
		}
		if taken || len(step.Rows) > 0 {
			f.events.Publish(event.Event{Kind: event.History})
		}
		if step.Head != 0 {
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
	was historyindex.Standing,
	total uint64,
) (step historyindex.Step, err error) {
	if !was.Known() {
		return f.readNewest(ctx, at, was.Account, total)
	}
	from, anchor, err := f.keep(ctx, at, was)
	if err != nil {
		return step, err
	}
	step = historyindex.Step{
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
		last := min(next+pageRows-1, total)
		page, err := f.readPage(ctx, was.Account, next, last)
		if err != nil {
			return step, err
		}
		raws, next = append(raws, page...), last+1
		if next > total || len(raws) < batchPages*pageRows {
			continue
		}
		newest, err := readRecord(page[len(page)-1])
		if err != nil {
			return step, err
		}
		if newest.BlockNum <= at.LastIrreversibleBlockNum { // the rest another time: this much stays true
			step.Head, step.HeadID, step.HeadTime = 0, ledger.BlockID{}, 0
			break
		}
	}
	if anchor != nil {
		if len(raws) == 0 || !sameRecord(raws[0], anchor.Raw) {
			if !anchor.Final {
				return step, errForked
			}
			return step, f.contradicts(ctx, was.Account, anchor.Block)
		}
		raws = raws[1:]
	}
	if step.Rows, err = f.rows(ctx, was.Account, from, raws, at.HeadBlockNumber); err != nil {
		return step, err
	}
	if len(step.Rows) > 0 && was.Head != 0 && step.Rows[0].Block <= was.Final {
		return step, f.contradicts(ctx, was.Account, was.Final) // a row where there was none, for good
	}
	return step, nil
}

// keep finds what stays: every row when the chain continues from where it stood,
// the final ones otherwise. from is the count of the first row that does not
// stay; anchor is the row before it, read together with those behind it: that
// proves that they join.
func (f *Filler) keep(
	ctx context.Context,
	at ledger.DynamicGlobalProperties,
	was historyindex.Standing,
) (from uint64, anchor *historyindex.Row, err error) {
	goesOn := false
	if was.Head != 0 {
		if goesOn, err = f.onChain(ctx, was.Head, was.HeadID); err != nil {
			return 0, nil, err
		}
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
) (historyindex.Step, error) {
	step := historyindex.Step{
		From:     total + 1,
		Final:    at.LastIrreversibleBlockNum,
		Total:    total,
		Head:     at.HeadBlockNumber,
		HeadID:   at.HeadBlockID,
		HeadTime: at.Time,
	}
	var raws []json.RawMessage
	for step.From > 1 {
		first := max(step.From, pageRows+1) - pageRows
		page, err := f.readPage(ctx, id, first, step.From-1)
		if err != nil {
			return step, err
		}
		raws, step.From = append(page, raws...), first
		oldest, err := readRecord(page[0])
		if err != nil {
			return step, err
		}
		if oldest.BlockNum <= at.LastIrreversibleBlockNum {
			break
		}
	}
	rows, err := f.rows(ctx, id, step.From, raws, at.HeadBlockNumber)
	step.Rows = rows
	return step, err
}

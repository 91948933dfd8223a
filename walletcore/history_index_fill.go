package walletcore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
)

// batchPages is how many pages are written together at most; rows that are not
// final yet are always written together.
const batchPages = 10

// forward adds the rows of an account up to the block that the chain stood at.
// The chain may move meanwhile: what was read counts when that block is on it
// afterwards, for then it was all the time.
func (f *historyFiller) forward(ctx context.Context, at ledger.DynamicGlobalProperties, id ledger.AccountID, total uint64) error {
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
		if err := f.w.index.Extend(ctx, was, step); err != nil {
			return f.unfit(ctx, id, err)
		}
		taken := was.Known() && step.From <= was.Top
		if taken {
			f.w.names.forget() // an account of a lost block may have had another name
		}
		if taken || len(step.Rows) > 0 {
			f.w.events.Publish(event.Event{Kind: event.History})
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
func (f *historyFiller) readStep(ctx context.Context, at ledger.DynamicGlobalProperties, was historyindex.Standing, total uint64) (step historyindex.Step, err error) {
	if !was.Known() {
		return f.readNewest(ctx, at, was.Account, total)
	}
	from, anchor, err := f.keep(ctx, at, was)
	if err != nil {
		return step, err
	}
	step = historyindex.Step{From: from, Final: at.LastIrreversibleBlockNum, Total: total, Head: at.HeadBlockNumber, HeadID: at.HeadBlockID, HeadTime: at.Time}
	low := from
	if anchor != nil {
		low = anchor.Seq
	}
	var raws []json.RawMessage // beginning with the anchor
	for next := low; next <= total; {
		last := min(next+pageRows-1, total)
		page, err := f.page(ctx, was.Account, next, last)
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

// keep finds what stays: every row when the chain goes on from where it stood,
// the final ones otherwise. from is the count of the first row that does not
// stay; anchor is the row before it, read together with those behind it: that
// proves that they join.
func (f *historyFiller) keep(ctx context.Context, at ledger.DynamicGlobalProperties, was historyindex.Standing) (from uint64, anchor *historyindex.Row, err error) {
	goesOn := false
	if was.Head != 0 {
		if goesOn, err = f.onChain(ctx, was.Head, was.HeadID); err != nil {
			return 0, nil, err
		}
	}
	from = was.Top + 1
	if !goesOn {
		if from, err = f.w.index.FirstProvisional(ctx, was); err != nil {
			return 0, nil, err
		}
	}
	if from <= was.Bottom { // nothing was final yet: the history begins here
		return from, nil, nil
	}
	row, found, err := f.w.index.Row(ctx, was.Account, from-1)
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
func (f *historyFiller) readNewest(ctx context.Context, at ledger.DynamicGlobalProperties, id ledger.AccountID, total uint64) (historyindex.Step, error) {
	step := historyindex.Step{From: total + 1, Final: at.LastIrreversibleBlockNum, Total: total, Head: at.HeadBlockNumber, HeadID: at.HeadBlockID, HeadTime: at.Time}
	var raws []json.RawMessage
	for step.From > 1 {
		first := max(step.From, pageRows+1) - pageRows
		page, err := f.page(ctx, id, first, step.From-1)
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

// page reads the rows of an account counted first … last, oldest first.
func (f *historyFiller) page(ctx context.Context, id ledger.AccountID, first, last uint64) ([]json.RawMessage, error) {
	page, err := f.w.daemon.RelativeAccountHistoryRaw(ctx, id, uint32(first), uint32(last-first+1), uint32(last))
	if err != nil {
		return nil, err
	}
	if uint64(len(page)) != last-first+1 {
		return nil, errForked // there were that many a moment ago
	}
	slices.Reverse(page)
	return page, nil
}

func readRecord(raw json.RawMessage) (r ledger.HistoryRecord, err error) {
	return r, codec.Unmarshal(raw, &r)
}

// sameRecord says whether two records are the same operation at the same place,
// whatever members a daemon of another version writes.
func sameRecord(a, b json.RawMessage) bool {
	x, err := readRecord(a)
	if err != nil {
		return false
	}
	y, err := readRecord(b)
	if err != nil || x.ID != y.ID || x.BlockNum != y.BlockNum || x.TrxInBlock != y.TrxInBlock || x.OpInTrx != y.OpInTrx {
		return false
	}
	one, errOne := codec.Marshal(x.Op)
	other, errOther := codec.Marshal(y.Op)
	return errOne == nil && errOther == nil && bytes.Equal(one, other)
}

// rows makes index rows of records, oldest first, counted from first on; what
// is in blocks behind head is left for the next time.
func (f *historyFiller) rows(ctx context.Context, id ledger.AccountID, first uint64, raws []json.RawMessage, head uint32) ([]historyindex.Row, error) {
	records := make([]ledger.HistoryRecord, 0, len(raws))
	for _, raw := range raws {
		r, err := readRecord(raw)
		if err != nil {
			return nil, err
		}
		if r.BlockNum > head {
			break
		}
		records = append(records, r)
	}
	times, err := f.w.blockTimes(ctx, records)
	if err != nil {
		return nil, err
	}
	out := make([]historyindex.Row, len(records))
	for i, r := range records {
		if times[r.BlockNum] == 0 {
			return nil, errForked // the block is gone
		}
		out[i] = indexRow(id, r)
		out[i].Seq, out[i].Time, out[i].Raw = first+uint64(i), times[r.BlockNum], raws[i]
	}
	return out, nil
}

// indexRow is what can be asked of a record, seen from an account.
func indexRow(id ledger.AccountID, r ledger.HistoryRecord) historyindex.Row {
	row := historyindex.Row{ID: r.ID, Block: r.BlockNum, Trx: r.TrxInBlock, Code: r.Op.Code}
	if r.Op.Body == nil {
		return row
	}
	row.Memo = memoKind(r.Op.Memo())
	payer := r.Op.Body.FeePayer()
	row.With = &payer
	m, moves := movementOf(r.Op.Body)
	if !moves {
		return row
	}
	row.Asset, row.Amount = &m.amount.AssetID, m.amount.Amount
	to, err := ledger.ParseAccountID(m.to.String())
	toAccount := err == nil
	switch {
	case m.from == id && toAccount && to == id:
		row.Direction, row.With = historyindex.Self, &to
	case m.from == id:
		row.Direction, row.With = historyindex.Out, nil
		if toAccount {
			row.With = &to
		}
	case toAccount && to == id:
		row.Direction, row.With = historyindex.In, &m.from
	default:
		row.With = &m.from
	}
	return row
}

func memoKind(memo *ledger.Memo) historyindex.Memo {
	switch {
	case memo == nil:
		return historyindex.NoMemo
	case memo.From.IsNull():
		return historyindex.PlainMemo
	}
	return historyindex.EncryptedMemo
}

// backward adds older rows of one account that lacks some; more says that there
// is more to do at once.
func (f *historyFiller) backward(ctx context.Context) (more bool) {
	if !f.ready() {
		return false
	}
	for _, a := range f.w.Accounts() {
		was, err := f.w.index.Standing(ctx, a.ID)
		if err == nil && (!was.Known() || was.Whole) {
			continue
		}
		if err == nil {
			err = f.readOlder(ctx, was)
		}
		if err == nil {
			f.w.events.Publish(event.Event{Kind: event.History})
			return true
		}
		f.w.log.Debug("history index: reading old rows", "account", a.ID.String(), "error", err)
	}
	return false
}

// readOlder reads the pages before the oldest row. The first of them ends with
// that row, which proves that they join; all are final, as that row is.
func (f *historyFiller) readOlder(ctx context.Context, was historyindex.Standing) error {
	anchor, found, err := f.w.index.Row(ctx, was.Account, was.Bottom)
	if err != nil || !found {
		return orElse(err, historyindex.ErrMoved)
	}
	pages, err := f.olderPages(ctx, was)
	if err != nil {
		return err
	}
	if len(pages[0]) == 0 || !sameRecord(pages[0][0], anchor.Raw) {
		return f.contradicts(ctx, was.Account, anchor.Block)
	}
	raws, whole := pages[0][1:], len(pages[0]) < min(pageRows, int(was.Bottom)) // this daemon keeps nothing older
	for _, page := range pages[1:] {
		if whole || len(page) < pageRows && uint64(len(raws)+len(page)) < was.Bottom-1 {
			break // shown to join as the first page of the next time
		}
		raws = append(raws, page...)
	}
	raws = slices.Clone(raws)
	slices.Reverse(raws)
	rows, err := f.rows(ctx, was.Account, was.Bottom-uint64(len(raws)), raws, was.Final)
	if err != nil {
		return err
	}
	if len(rows) != len(raws) {
		return f.contradicts(ctx, was.Account, anchor.Block) // older, but not final
	}
	if err := f.names(ctx, rows); err != nil {
		return err
	}
	return f.unfit(ctx, was.Account, f.w.index.Prepend(ctx, was, rows, whole))
}

// unfit reads an account anew when rows that were shown to join do not fit.
func (f *historyFiller) unfit(ctx context.Context, id ledger.AccountID, err error) error {
	if errors.Is(err, historyindex.ErrGap) {
		f.w.log.Warn("history index", "account", id.String(), "error", err)
		return f.contradicts(ctx, id, 0)
	}
	return err
}

// olderPages reads several pages at once, newest first: their counts are known.
func (f *historyFiller) olderPages(ctx context.Context, was historyindex.Standing) ([][]json.RawMessage, error) {
	n := min(batchPages, (was.Bottom+pageRows-1)/pageRows)
	pages, faults := make([][]json.RawMessage, n), make([]error, n)
	parallel(int(n), func(i int) {
		last := was.Bottom - uint64(i)*pageRows
		first := max(last, pageRows) - pageRows + 1
		pages[i], faults[i] = f.w.daemon.RelativeAccountHistoryRaw(ctx, was.Account, uint32(first), uint32(last-first+1), uint32(last))
	})
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return pages, nil
}

package history

import (
	"context"
	"database/sql"
	"errors"
	"math/big"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// Progress is the extent to which an account's history is available.
type Progress struct {
	Known  bool        // there is an index, and the account was read before
	Rows   uint64      // how many are in the index, without a gap from the newest on
	Total  uint64      // how many the account has, as the daemon last reported
	Whole  bool        // nothing older can be had
	Head   uint32      // the block they are complete up to; 0 while newer ones are being read
	AsOf   ledger.Time // of that block
	Final  uint32      // rows in blocks up to this one never change
	Notice string      // why the index is being rebuilt; usually empty
}

// Sum holds the amounts that moved of an asset, in the smallest unit.
type Sum struct {
	Asset   ledgerview.AssetRef
	In, Out *big.Int
}

// Totals holds the number of rows that match a filter, and the sums that they move.
type Totals struct {
	Rows uint64
	Sums []Sum
}

// Progress returns how far the index of an account has come.
func (r *Reader) Progress(ctx context.Context, id ledger.AccountID) (Progress, error) {
	if !r.Indexed() {
		return Progress{}, nil
	}
	s, err := r.Index.Status(ctx, id)
	p := Progress{
		Known:  s.Known(),
		Total:  s.Total,
		Whole:  s.Whole,
		Head:   s.Head,
		AsOf:   s.HeadTime,
		Final:  s.Final,
		Notice: r.Index.Notice(),
	}
	if s.Known() {
		p.Rows = s.Rows()
	}
	return p, IndexFault(err)
}

// Page returns the rows of the index that match a filter, in the order of the window.
// It needs no daemon.
func (r *Reader) Page(ctx context.Context, id ledger.AccountID, f historyindex.Filter, win historyindex.Window) ([]Entry, error) {
	if !r.Indexed() {
		return nil, nil
	}
	page, err := r.Index.Page(ctx, id, f, win)
	if err != nil {
		return nil, IndexFault(err)
	}
	return r.indexedEntries(ctx, id, page.Rows)
}

// Count returns how many rows of the index match.
func (r *Reader) Count(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (uint64, error) {
	if !r.Indexed() {
		return 0, nil
	}
	n, err := r.Index.Count(ctx, id, f)
	return n, IndexFault(err)
}

// Totals counts and adds up the rows of the index that match.
func (r *Reader) Totals(ctx context.Context, id ledger.AccountID, f historyindex.Filter) (Totals, error) {
	if !r.Indexed() {
		return Totals{}, nil
	}
	totals, err := r.Index.Totals(ctx, id, f)
	if err != nil {
		return Totals{}, IndexFault(err)
	}
	var m ledgerview.Mentions
	for _, s := range totals.Sums {
		m.AssetName(s.Asset)
	}
	names, err := r.View.Namer(ctx, &m)
	if err != nil {
		return Totals{}, err
	}
	out := Totals{Rows: totals.Rows}
	for _, s := range totals.Sums {
		out.Sums = append(out.Sums, Sum{names.Assets[s.Asset], s.In, s.Out})
	}
	return out, nil
}

// Position returns how many matching rows of the index are newer than row.
func (r *Reader) Position(ctx context.Context, id ledger.AccountID, f historyindex.Filter, row ledger.HistoryID) (uint64, error) {
	if !r.Indexed() {
		return 0, nil
	}
	n, err := r.Index.Position(ctx, id, f, row)
	return n, IndexFault(err)
}

// Jump returns the newest matching row of the index that is not later than at; found
// is false if there is none.
func (r *Reader) Jump(
	ctx context.Context,
	id ledger.AccountID,
	f historyindex.Filter,
	at ledger.Time,
) (p historyindex.Place, found bool, err error) {
	if !r.Indexed() {
		return p, false, nil
	}
	p, found, err = r.Index.Jump(ctx, id, f, at)
	return p, found, IndexFault(err)
}

// IndexFault returns the fault for an index that cannot be read; nil stays nil.
func IndexFault(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, sql.ErrTxDone) { // which a context that ends leaves behind
		return &fault.Error{Code: fault.Canceled, Op: "history", Message: "reading the history index was broken off", Hint: "try again", Err: err}
	}
	return &fault.Error{
		Code: fault.File, Op: "history", Message: "the history index cannot be read: " + err.Error(),
		Hint: "try again; if the error stays, remove the file and it is rebuilt", Err: err,
	}
}

// indexedPage reads from the index what the daemon would return; ok is false if the
// index may lack some of it.
func (r *Reader) indexedPage(
	ctx context.Context,
	id ledger.AccountID,
	before ledger.HistoryID,
	limit int,
) (page historyindex.Page, ok bool) {
	if !r.Indexed() || limit <= 0 {
		return page, false
	}
	page, err := r.Index.Page(ctx, id, historyindex.Filter{}, historyindex.Window{Before: before, Limit: limit})
	if err != nil || !page.Known() {
		return page, false
	}
	if r.Daemon.Status().State != daemonclient.Online {
		return page, true // nothing more can be had
	}
	if len(page.Rows) < limit && !page.Whole {
		return page, false
	}
	head, _, _ := r.View.Chain.Position()
	upToHead := page.Head != 0 && page.Head == head
	return page, upToHead || len(page.Rows) > 0 && page.Rows[0].Final && page.Rows[0].Seq < page.Top
}

// indexedEntries turns rows of the index into entries.
func (r *Reader) indexedEntries(ctx context.Context, id ledger.AccountID, rows []historyindex.Row) ([]Entry, error) {
	records, d, err := r.readRecords(ctx, rawsOf(rows))
	if err != nil {
		return nil, err
	}
	out := make([]Entry, len(records))
	onAllCores(len(records), func(i int) {
		out[i] = d.entry(id, records[i])
		out[i].Time, out[i].Final = rows[i].Time, rows[i].Final
	})
	return out, nil
}

// maxMade bounds how many operations are searched for the objects they created.
const maxMade = 1000

// CreatedObjects returns the objects that an account's operations of one kind created, newest first, whoever signed
// them. It searches the rows of the index that are not incoming. Without an index it returns none.
func (r *Reader) CreatedObjects(ctx context.Context, id ledger.AccountID, code ledger.OpCode) ([]ledger.ObjectID, error) {
	if !r.Indexed() {
		return nil, nil
	}
	of := historyindex.Filter{Code: []ledger.OpCode{code},
		Direction: []historyindex.Direction{historyindex.Other, historyindex.Out, historyindex.Self}}
	page, err := r.Index.Page(ctx, id, of, historyindex.Window{Limit: maxMade})
	if err != nil {
		return nil, IndexFault(err)
	}
	var out []ledger.ObjectID
	for _, row := range page.Rows {
		record, err := readRecord(row.Raw)
		if err != nil {
			return nil, fault.Daemon("reading the history", err)
		}
		if record.Result.Object != nil {
			out = append(out, *record.Result.Object)
		}
	}
	return out, nil
}

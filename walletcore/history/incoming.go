package history

import (
	"context"
	"errors"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// IncomingFinal returns up to limit incoming rows of an account, oldest first, in
// irreversible blocks from the given one on. It reads them from the index at once. ok
// is false if the index may lack one of them: there is no index, or it is being built
// and does not reach back to that block.
func (r *Reader) IncomingFinal(ctx context.Context, id ledger.AccountID, from uint32, limit int) (rows []Entry, ok bool, err error) {
	if !r.Indexed() {
		return nil, false, nil
	}
	wanted := historyindex.Filter{Direction: []historyindex.Direction{historyindex.In}, State: historyindex.Final, FromBlock: from}
	page, err := r.Index.Page(ctx, id, wanted, historyindex.Window{Oldest: true, Limit: limit})
	if err != nil || !page.Known() {
		return nil, false, nil //nolint:nilerr // the daemon has the rows as well
	}
	if !reaches(ctx, r.Index, &page, from) {
		return nil, false, nil
	}
	rows, err = r.indexedEntries(ctx, id, page.Rows)
	return rows, err == nil, err
}

// Errors of IncomingSince.
var (
	ErrNotIndexed = errors.New("no index has these rows")
	ErrBehind     = errors.New("the index has not read the head block yet")
)

// IncomingSince returns up to limit incoming rows of an account, newest first, in blocks from the given one on. Rows in
// blocks up to final never change. It reads them from the index at once. Errors: ErrBehind, together with the rows up
// to the block that the index has read; ErrNotIndexed, also if the index does not reach back to that block or is still
// reading newer rows.
func (r *Reader) IncomingSince(ctx context.Context, id ledger.AccountID, from uint32, limit int) (
	rows []Entry, final uint32, err error,
) {
	if !r.Indexed() {
		return nil, 0, ErrNotIndexed
	}
	wanted := historyindex.Filter{Direction: []historyindex.Direction{historyindex.In}, FromBlock: from}
	page, err := r.Index.Page(ctx, id, wanted, historyindex.Window{Limit: limit})
	if err != nil || page.Head == 0 || !reaches(ctx, r.Index, &page, from) {
		return nil, 0, ErrNotIndexed
	}
	if rows, err = r.indexedEntries(ctx, id, page.Rows); err != nil {
		return nil, 0, err
	}
	if head, _, _ := r.View.Chain.Position(); page.Head != head {
		err = ErrBehind
	}
	return rows, page.Final, err
}

// reaches reports whether the index has every row of the page's account in blocks from the given one on.
func reaches(ctx context.Context, index *historyindex.Index, page *historyindex.Page, from uint32) bool {
	if !page.Known() || page.Whole {
		return page.Known()
	}
	oldest, found, err := index.Row(ctx, page.Account, page.Bottom)
	return err == nil && found && oldest.Block < from
}

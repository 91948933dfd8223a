package history

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// IncomingFinal returns up to limit rows of an account, oldest first, that bring it
// something, in irreversible blocks from the given one on. They come from the
// index in one look. ok is false where the index may lack one of them: there is
// none, or it is being built and has not come down to that block.
func (r *Reader) IncomingFinal(ctx context.Context, id ledger.AccountID, from uint32, limit int) (rows []Entry, ok bool, err error) {
	if !r.Indexed() {
		return nil, false, nil
	}
	wanted := historyindex.Filter{Direction: []historyindex.Direction{historyindex.In}, State: historyindex.Final, FromBlock: from}
	page, err := r.Index.Page(ctx, id, wanted, historyindex.Window{Oldest: true, Limit: limit})
	if err != nil || !page.Known() {
		return nil, false, nil //nolint:nilerr // the daemon has the rows as well
	}
	if !page.Whole {
		oldest, found, err := r.Index.Row(ctx, id, page.Bottom)
		if err != nil || !found || oldest.Block >= from {
			return nil, false, nil //nolint:nilerr // likewise
		}
	}
	rows, err = r.indexedEntries(ctx, id, page.Rows)
	return rows, err == nil, err
}

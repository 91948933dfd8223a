package history

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/historyindex"

	lru "github.com/hashicorp/golang-lru/v2"
)

// newestRows reads the newest rows of accounts from the index. It caches them until the account's status changes.
type newestRows struct {
	index *historyindex.Index
	kept  *lru.Cache[ledger.AccountID, historyindex.Page]
}

const (
	mostNewest     = 64  // accounts
	mostNewestRows = 200 // of an account
)

func newNewestRows(x *historyindex.Index) newestRows {
	kept, err := lru.New[ledger.AccountID, historyindex.Page](mostNewest)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return newestRows{x, kept}
}

// read returns up to limit rows, newest first, with the status they were read at.
func (n newestRows) read(ctx context.Context, id ledger.AccountID, limit int) (historyindex.Page, error) {
	if kept, found := n.kept.Get(id); found && (limit <= len(kept.Rows) || len(kept.Rows) == int(kept.Status.Rows())) {
		now, err := n.index.Status(ctx, id)
		if err != nil {
			return historyindex.Page{}, err
		}
		if now == kept.Status {
			kept.Rows = kept.Rows[:min(limit, len(kept.Rows))]
			return kept, nil
		}
	}
	page, err := n.index.Page(ctx, id, historyindex.Filter{}, historyindex.Window{Limit: limit})
	if err == nil && page.Known() && len(page.Rows) <= mostNewestRows {
		n.kept.Add(id, page)
	}
	return page, err
}

func rawsOf(rows []historyindex.Row) []json.RawMessage {
	raws := make([]json.RawMessage, len(rows))
	for i, row := range rows {
		raws[i] = row.Raw
	}
	return raws
}

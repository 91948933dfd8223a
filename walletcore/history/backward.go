package history

import (
	"context"
	"encoding/json"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
)

// ReadOld adds older rows for one account that lacks some. It reports whether it did,
// in which case there may be more to read.
func (f *Filler) ReadOld(ctx context.Context) (more bool) {
	if !f.ready() {
		return false
	}
	if f.older == nil { // with very many accounts, each is added when it is first checked
		f.older = []ledger.AccountID{}
		if all := f.Vault.Listed(); len(all) <= maxFollowed {
			for _, a := range all {
				f.older = append(f.older, a.ID)
			}
		}
	}
	for i := 0; i < len(f.older); {
		id := f.older[i]
		_, listed := f.Vault.AccountOf(id.String())
		prev, err := f.Index.Status(ctx, id)
		if !listed || err == nil && (prev.Whole || !prev.Known()) {
			f.older = slices.Delete(f.older, i, i+1)
			if !prev.Whole {
				delete(f.checked, id) // so that status adds it again when it next checks the account
			}
			continue
		}
		i++
		if err == nil {
			err = f.readOlder(ctx, prev)
		}
		if err == nil {
			f.events.Publish(event.Event{Kind: event.History})
			return true
		}
		f.Logger.Debug("history index: reading old rows", "account", id.String(), "error", err)
	}
	return false
}

// readOlder reads the pages before the oldest row. The newest record of the first
// page must be that row, which proves that they join. All of them are final, since
// that row is.
func (f *Filler) readOlder(ctx context.Context, prev historyindex.Status) error {
	anchor, found, err := f.Index.Row(ctx, prev.Account, prev.Bottom)
	if err != nil || !found {
		return orElse(err, historyindex.ErrMoved)
	}
	pages, err := f.olderPages(ctx, prev)
	if err != nil {
		return err
	}
	if len(pages[0]) == 0 || !sameRecord(pages[0][0], anchor.Raw) {
		return f.resolveContradiction(ctx, prev.Account, anchor.Block)
	}
	raws, whole := pages[0][1:], len(pages[0]) < min(pageRows, int(prev.Bottom)) // this daemon keeps nothing older
	for _, page := range pages[1:] {
		if whole || len(page) < pageRows && uint64(len(raws)+len(page)) < prev.Bottom-1 {
			break // it is proven to join as the first page of the next call
		}
		raws = append(raws, page...)
	}
	raws = slices.Clone(raws)
	slices.Reverse(raws)
	rows, err := f.rows(ctx, prev.Account, prev.Bottom-uint64(len(raws)), raws, prev.Final)
	if err != nil {
		return err
	}
	if len(rows) != len(raws) {
		return f.resolveContradiction(ctx, prev.Account, anchor.Block) // older, but not final
	}
	if err := f.storeNames(ctx, rows); err != nil {
		return err
	}
	return f.rereadOnGap(ctx, prev.Account, f.Index.Prepend(ctx, prev, rows, whole))
}

// olderPages reads several pages at once, newest first. That is possible since their counts are known.
func (f *Filler) olderPages(ctx context.Context, prev historyindex.Status) ([][]json.RawMessage, error) {
	n := min(batchPages, (prev.Bottom+pageRows-1)/pageRows)
	pages := make([][]json.RawMessage, n)
	return pages, queryAll(int(n), func(i int) (err error) {
		last := prev.Bottom - uint64(i)*pageRows
		first := max(last, pageRows) - pageRows + 1
		pages[i], err = f.Daemon.RelativeAccountHistoryRaw(ctx, prev.Account, uint32(first), uint32(last-first+1), uint32(last))
		return err
	})
}

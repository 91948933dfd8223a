package history

import (
	"context"
	"encoding/json"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/historyindex"
)

// Backward adds older rows of one account that lacks some; more says that there
// is more to do at once.
func (f *Filler) Backward(ctx context.Context) (more bool) {
	if !f.ready() {
		return false
	}
	if f.older == nil { // those of very many accounts come when they are looked at
		f.older = []ledger.AccountID{}
		if all := f.Vault.Listed(); len(all) <= mostFollowed {
			for _, a := range all {
				f.older = append(f.older, a.ID)
			}
		}
	}
	for i := 0; i < len(f.older); {
		id := f.older[i]
		_, listed := f.Vault.AccountOf(id.String())
		was, err := f.Index.Status(ctx, id)
		if !listed || err == nil && (was.Whole || !was.Known()) {
			f.older = slices.Delete(f.older, i, i+1)
			if !was.Whole {
				delete(f.checked, id) // it is here again once it is looked at anew
			}
			continue
		}
		i++
		if err == nil {
			err = f.readOlder(ctx, was)
		}
		if err == nil {
			f.events.Publish(event.Event{Kind: event.History})
			return true
		}
		f.Logger.Debug("history index: reading old rows", "account", id.String(), "error", err)
	}
	return false
}

// readOlder reads the pages before the oldest row. The first of them ends with
// that row, which proves that they join; all are final, as that row is.
func (f *Filler) readOlder(ctx context.Context, was historyindex.Status) error {
	anchor, found, err := f.Index.Row(ctx, was.Account, was.Bottom)
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
	return f.unfit(ctx, was.Account, f.Index.Prepend(ctx, was, rows, whole))
}

// olderPages reads several pages at once, newest first: their counts are known.
func (f *Filler) olderPages(ctx context.Context, was historyindex.Status) ([][]json.RawMessage, error) {
	n := min(batchPages, (was.Bottom+pageRows-1)/pageRows)
	pages := make([][]json.RawMessage, n)
	return pages, askAll(int(n), func(i int) (err error) {
		last := was.Bottom - uint64(i)*pageRows
		first := max(last, pageRows) - pageRows + 1
		pages[i], err = f.Daemon.RelativeAccountHistoryRaw(ctx, was.Account, uint32(first), uint32(last-first+1), uint32(last))
		return err
	})
}

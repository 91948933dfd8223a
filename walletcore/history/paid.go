package history

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// Paid is whom an account paid before, as far as a payment to some accounts is compared with it.
type Paid struct {
	To    map[ledger.AccountID]Dealings // of those accounts; one with whom there were no dealings is missing
	Rows  []Entry                       // the newest rows in which they were paid, a few of each
	Alike []ledgerview.AccountRef       // whom it paid, too, and whose name one of theirs can be taken for; by id
	All   bool                          // that is all: false where the index has not the whole history, or there is none
}

// rowsOfEach is how many rows Paid has of each account.
const rowsOfEach = 3

// Paid returns what the index knows of payments from an account to some others, however long ago they were.
// Without an index nothing is known.
func (r *Reader) Paid(ctx context.Context, from ledger.AccountID, to []ledgerview.AccountRef) (out Paid, err error) {
	if !r.Indexed() {
		return out, nil
	}
	ids := make([]ledger.AccountID, len(to))
	for i, one := range to {
		ids[i] = one.ID
	}
	if out.To, out.All, err = r.Dealings(ctx, from, ids); err != nil {
		return out, err
	}
	for _, id := range ids {
		if out.To[id].Out == 0 {
			continue
		}
		paid := historyindex.Filter{With: []ledger.AccountID{id}, Direction: []historyindex.Direction{historyindex.Out}}
		rows, err := r.Page(ctx, from, paid, historyindex.Window{Limit: rowsOfEach})
		if err != nil {
			return out, err
		}
		out.Rows = append(out.Rows, rows...)
	}
	alike, err := r.Index.PaidCalled(ctx, from, func(name string) bool {
		return slices.ContainsFunc(to, func(one ledgerview.AccountRef) bool { return ledgerview.Resemble(one.Name, name) })
	})
	if err != nil {
		return out, IndexFault(err)
	}
	for id, name := range alike {
		out.Alike = append(out.Alike, ledgerview.AccountRef{ID: id, Name: name})
	}
	slices.SortFunc(out.Alike, func(a, b ledgerview.AccountRef) int { return int(a.ID) - int(b.ID) })
	return out, nil
}

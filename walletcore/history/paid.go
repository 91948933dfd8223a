package history

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// Paid is what the review of a payment to some accounts needs to know about earlier payments by the payer.
type Paid struct {
	To    map[ledger.AccountID]Dealings // with those accounts; an account without dealings is missing
	Rows  []Entry                       // the newest payments to them, a few for each
	Alike []ledgerview.AccountRef       // other accounts it paid whose names can be confused with theirs; by id
	All   bool                          // whether the whole history was searched: the index exists and is complete
}

// rowsOfEach is how many rows Paid has for each account.
const rowsOfEach = 3

// Paid returns what the index has about payments from an account to some others, however long ago they were.
// Without an index it returns the zero value.
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
	alike, err := r.Index.PaidAccounts(ctx, from, func(name string) bool {
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

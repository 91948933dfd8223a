package history

import (
	"context"
	"math/big"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
)

// Dealings sums up the payments between an account and another one.
type Dealings struct {
	Out, In uint64      // how many payments
	Last    ledger.Time // of the newest outgoing one; 0 = none
	Sums    []Sum
}

// recentRows is the number of rows that are searched without an index.
const recentRows = 100

// Dealings adds up the payments between an account and others, by the other account. Accounts without
// payments are missing. all reports whether the whole history was searched; without an index only the newest
// rows are.
func (r *Reader) Dealings(
	ctx context.Context, id ledger.AccountID, with []ledger.AccountID,
) (out map[ledger.AccountID]Dealings, all bool, err error) {
	if !r.Indexed() {
		out, err = r.recentDealings(ctx, id, with)
		return out, false, err
	}
	found, err := r.Index.Dealings(ctx, id, with)
	if err != nil {
		return nil, false, IndexFault(err)
	}
	var m ledgerview.Mentions
	for _, d := range found {
		for _, s := range d.Sums {
			m.AssetName(s.Asset)
		}
	}
	names, err := r.View.Namer(ctx, &m)
	if err != nil {
		return nil, false, err
	}
	out = make(map[ledger.AccountID]Dealings, len(found))
	for other, d := range found {
		one := Dealings{Out: d.Out, In: d.In, Last: d.Last}
		for _, s := range d.Sums {
			one.Sums = append(one.Sums, Sum{names.Assets[s.Asset], s.In, s.Out})
		}
		out[other] = one
	}
	status, err := r.Index.Status(ctx, id)
	return out, status.Whole, IndexFault(err)
}

// recentDealings is Dealings for the newest rows alone.
func (r *Reader) recentDealings(ctx context.Context, id ledger.AccountID, with []ledger.AccountID) (map[ledger.AccountID]Dealings, error) {
	rows, err := r.Entries(ctx, id, 0, recentRows)
	if err != nil {
		return nil, err
	}
	wanted := make(map[ledger.AccountID]bool, len(with))
	for _, other := range with {
		wanted[other] = true
	}
	out := map[ledger.AccountID]Dealings{}
	for _, e := range rows {
		if wanted[e.With.ID] && e.Amount != 0 && (e.Direction == In || e.Direction == Out) {
			d := out[e.With.ID]
			d.add(e)
			out[e.With.ID] = d
		}
	}
	return out, nil
}

func (d *Dealings) add(e Entry) {
	at := -1
	for i, s := range d.Sums {
		if s.Asset.ID == e.Asset.ID {
			at = i
		}
	}
	if at < 0 {
		at = len(d.Sums)
		d.Sums = append(d.Sums, Sum{e.Asset, new(big.Int), new(big.Int)})
	}
	s, amount := d.Sums[at], big.NewInt(e.Amount)
	if e.Direction == In {
		d.In++
		s.In.Add(s.In, amount)
		return
	}
	d.Out++
	d.Last = max(d.Last, e.Time)
	s.Out.Add(s.Out, amount)
}

// Paid holds what the review of a payment to some accounts needs to know about earlier payments by the payer.
type Paid struct {
	To    map[ledger.AccountID]Dealings // with those accounts; an account without dealings is missing
	Rows  []Entry                       // the newest payments to them, a few for each
	Alike []ledgerview.AccountRef       // other accounts it paid whose names can be confused with theirs; by id
	All   bool                          // whether the whole history was searched: the index exists and is complete
}

// rowsOfEach is the maximum number of rows that Paid has for each account.
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

package history

import (
	"context"
	"math/big"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Dealings sums up the payments between an account and another one.
type Dealings struct {
	Out, In uint64      // how many payments
	Last    ledger.Time // of the newest outgoing one; 0 = none
	Sums    []Sum
}

// recentRows is how many rows are searched without an index.
const recentRows = 100

// Dealings adds up the payments between an account and others, by the other account. Accounts without
// payments are missing. all reports whether the whole history was searched; without an index only the newest
// rows are.
func (r *Reader) Dealings(
	ctx context.Context, id ledger.AccountID, with []ledger.AccountID,
) (out map[ledger.AccountID]Dealings, all bool, err error) {
	if !r.Indexed() {
		out, err = recentDealings(ctx, r, id, with)
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
func recentDealings(
	ctx context.Context, r *Reader, id ledger.AccountID, with []ledger.AccountID,
) (map[ledger.AccountID]Dealings, error) {
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

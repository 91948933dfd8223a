package build

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// most is of how many payers a review reads what they paid before.
const most = 16

// readBalances reads what accounts have of what they would lose.
func readBalances(ctx context.Context, view *ledgerview.View, r *Review) error {
	assets := map[ledger.AccountID][]ledger.AssetID{}
	for _, o := range r.Outgoing {
		assets[o.Account.ID] = append(assets[o.Account.ID], o.Asset.ID)
	}
	held := map[ledger.AccountID]map[ledger.AssetID]int64{}
	for id, of := range assets {
		var err error
		if held[id], err = view.Assets.Held(ctx, id, of...); err != nil {
			return err
		}
	}
	for i := range r.Outgoing {
		o := &r.Outgoing[i]
		o.Available = held[o.Account.ID][o.Asset.ID]
		if o.Account.ID == r.From.ID && o.Asset.ID == r.Asset.ID {
			r.Available = o.Available
		}
	}
	return nil
}

const (
	reviewHistory = 100       // rows of history a review compares with
	repeatWindow  = 24 * 3600 // seconds within which the same payment is called a repeat
)

// compareWithHistory finds whether those who are paid were paid before, this very
// payment was made lately, or a name resembles another.
func (f *Factory) compareWithHistory(ctx context.Context, r *Review) error {
	paid := r.paid()
	if len(paid) == 0 {
		return nil
	}
	_, head, _ := f.View.Chain.Position()
	known := f.known()
	_, r.Contact = contact.Known(f.Contacts.List())[r.To.ID]
	times := map[ledger.AccountID]int{}
	for _, from := range payers(paid) {
		rows, err := f.History.Entries(ctx, from, 0, reviewHistory)
		if err != nil {
			return err
		}
		r.compare(from, rows, paid, head, times, known)
	}
	for _, m := range paid {
		to := ledger.AccountID(m.To.Instance())
		r.PaidBefore = times[to]
		r.FirstTime = r.FirstTime || to.Object() != m.To || times[to] == 0
		others := make(map[ledger.AccountID]ledgerview.AccountRef, len(known))
		for id, ref := range known {
			if id.Object() != m.To {
				others[id] = ref
			}
		}
		if to.Object() == m.To {
			r.LooksLike = append(r.LooksLike, ledgerview.LookAlikes(f.View.Accounts.Ref(to).Name, others)...)
		}
	}
	return nil
}

// compare counts in the history of one who pays how often each of those was paid, and finds the same payment.
func (r *Review) compare(from ledger.AccountID, rows []history.Entry, paid []Move, head ledger.Time,
	times map[ledger.AccountID]int, known map[ledger.AccountID]ledgerview.AccountRef,
) {
	for i, row := range rows {
		if row.Direction != history.Out || row.To.Name == "" { // content has no name here, so one cannot be told from another
			continue
		}
		known[row.To.ID] = row.To
		for _, m := range paid {
			if row.To.ID.Object() != m.To || m.From != from.Object() {
				continue
			}
			times[row.To.ID]++
			same := row.Asset.ID == m.Asset.ID && row.Amount == m.Amount
			if same && r.Repeats == nil && row.Time+repeatWindow > head {
				r.Repeats = &rows[i]
			}
		}
	}
}

// paid are the moves from an account to somebody.
func (r *Review) paid() (out []Move) {
	for _, m := range r.Moves {
		if from := ledger.AccountID(m.From.Instance()); m.To != 0 && m.From != 0 && from.Object() == m.From {
			out = append(out, m)
		}
	}
	return out
}

// payers are the accounts that pay, no more than most.
func payers(paid []Move) (out []ledger.AccountID) {
	for _, m := range paid {
		if from := ledger.AccountID(m.From.Instance()); len(out) < most && !slices.Contains(out, from) {
			out = append(out, from)
		}
	}
	return out
}

package payment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
)

// OfPayout returns what is recorded with a transaction of a payout under a request key: that its plan pays these rows. The
// payment is refused in the journal's own transaction if another plan of the payer pays one of them and came after position,
// which CheckPayout returned.
func (p *Payments) OfPayout(key string, position int64) Recorder {
	plan, _ := payout.PlanOf(key)
	return func(ops []ledger.Operation) (with []store.Change) {
		for _, r := range rowsOf(p.View.Pins.Chain(), plan, key, ops) {
			r.After = position
			r.Repeats = func(by string, rows int) error {
				return &fault.Error{Code: fault.Denied, Op: "pay_many",
					Message: fmt.Sprintf("%d of these %d payments are made by the payout plan %s (the same account, asset and amount); "+
						"it came in between, and none of these was paid now", rows, len(r.Fingerprints), by),
					Hint: "run it again to see what is left to pay"}
			}
			with = append(with, r.Change())
		}
		return with
	}
}

// rowsOf returns the rows of a plan that operations pay, for each payer.
func rowsOf(chain ledger.ChainID, plan, key string, ops []ledger.Operation) (all []store.PayoutRows) {
	at := map[ledger.ObjectID]int{}
	for _, op := range ops {
		for _, m := range op.Moves() {
			i, known := at[m.From]
			if !known {
				i, at[m.From] = len(all), len(all)
				all = append(all, store.PayoutRows{Payer: ledger.AccountID(m.From.Instance()), Plan: plan, Key: key})
			}
			all[i].Fingerprints = append(all[i].Fingerprints, payout.Fingerprint(chain, m.From, m.To, m.Amount))
		}
	}
	return all
}

// PaidRows is what other plans make of some payments.
type PaidRows struct {
	Rows     []int                // those payments, by their place
	Plans    map[string]time.Time // those plans, with the time of the first such payment of each
	Position int64                // of the payer's latest payment of a payout before they were compared
}

// CheckPayout returns which of the payments by payer other plans than plan make, as far as they came after position. Who pays in
// rows does not matter. Error: fault.File.
func (p *Payments) CheckPayout(
	ctx context.Context, payer ledger.AccountID, plan string, rows []ledger.Movement, position int64,
) (PaidRows, error) {
	out := PaidRows{Rows: []int{}}
	if p.Journal == nil {
		return out, nil
	}
	if err := p.listPayouts(ctx); err != nil {
		return out, unreadable("check_payout", err)
	}
	r := store.PayoutRows{Payer: payer, Plan: plan, After: position}
	for _, m := range rows {
		r.Fingerprints = append(r.Fingerprints, payout.Fingerprint(p.View.Pins.Chain(), payer.Object(), m.To, m.Amount))
	}
	paid, err := p.Journal.PaidElsewhere(ctx, r)
	if err != nil {
		return out, unreadable("check_payout", err)
	}
	for i, fingerprint := range r.Fingerprints {
		if slices.Contains(paid.Fingerprints, fingerprint) {
			out.Rows = append(out.Rows, i)
		}
	}
	out.Plans, out.Position = paid.Plans, paid.Position
	return out, nil
}

// listedAtOnce is how many payments of earlier versions are listed in one commit.
const listedAtOnce = 100

// listPayouts records the rows of payouts that the journal has without them.
func (p *Payments) listPayouts(ctx context.Context) error {
	old, err := p.Journal.UnlistedPayouts(ctx, payout.KeyPrefix, payout.KeysEnd)
	if err != nil {
		return err
	}
	var all []store.PayoutRows
	for i, kept := range old {
		plan, is := payout.PlanOf(kept.Key)
		e, err := p.entryOfJournal(kept)
		if err != nil {
			return err
		}
		if is {
			all = append(all, rowsOf(kept.Chain, plan, kept.Key, e.tx.Operations)...)
		}
		if len(all) > 0 && (len(all) >= listedAtOnce || i == len(old)-1) {
			if err := p.Journal.ListPayouts(ctx, all...); err != nil {
				return err
			}
			all = nil
		}
	}
	return nil
}

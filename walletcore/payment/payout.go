package payment

import (
	"context"
	"database/sql"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
	"billfold/walletcore/store"
)

// PayoutTerms say how a payout was compared with others of its payer before it was approved.
type PayoutTerms struct {
	Label    string // of the payout; "" = none
	Position int64  // up to which its rows were compared with those of other plans; see CheckPayout
	First    bool   // it is the first transaction since: no other plan may have paid anything meanwhile
	Again    bool   // a person wants what was paid before to be paid again
}

// OfPayout returns what is recorded with a transaction of a payout under a request key: that its plan pays these rows. The
// payment is refused in the journal's own transaction if another plan of the payer pays one of them under the same label, or came
// after the position.
func (p *Payments) OfPayout(key string, terms PayoutTerms) Recorder {
	plan, _ := payout.PlanOf(key)
	return func(ops []ledger.Operation) (with []store.Change) {
		for _, r := range rowsOf(p.View.Pins.Chain(), plan, key, ops) {
			r.Label, r.SameLabel = p.labelOf(r.Payer, terms.Label)
			r.After, r.First, r.Again = terms.Position, terms.First, terms.Again
			r.Repeats = func(by string, rows int) error {
				return &fault.Error{Code: fault.Denied, Op: "pay_many",
					Message: fmt.Sprintf("the payout plan %s makes %d of %s here (the same account, asset and amount), "+
						"and nothing was paid now", by, rows, printable.Many(len(r.Fingerprints), "payment")),
					Hint: "check_payout names them"}
			}
			r.Moved = func() error {
				return &fault.Error{Code: fault.StateChanged, Op: "pay_many",
					Message: "another payout of this account has paid something since this one was compared with the others; nothing was paid now",
					Hint:    "call check_payout once more for all of its payments, and pay with the new position"}
			}
			with = append(with, r.Change())
		}
		return with
	}
}

// labelOf returns the mark of a label, as it is recorded, and those that what was paid under it may have.
func (p *Payments) labelOf(payer ledger.AccountID, label string) (mark sql.NullString, same []string) {
	chain := p.View.Pins.Chain()
	return sql.NullString{String: payout.LabelMark(chain, payer, label), Valid: true}, payout.LabelMarks(chain, payer, label)
}

// rowsOf returns the rows of a plan that operations pay, for each payer. Their label is not known.
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

// PaidRow says of a payment of a list that another plan makes it, or a payment that was found after a loss.
type PaidRow struct {
	Row int // its place in the list
	store.PaidRow
	Lost bool // it was found and is not claimed, so it may be of any plan
}

// ClaimCommand returns the command that says of a payment found after a loss which request it was.
func (p *Payments) ClaimCommand() string { return p.command("claim") }

// CheckPayout returns which of the payments by payer other plans than plan make, as far as they came after position, and the
// position of the payer's latest payment of a payout before that was looked up. What claimed payments make is returned whatever plan their key
// names: whoever claims may have named the wrong one. Who pays in rows does not matter. Error: fault.File.
func (p *Payments) CheckPayout(
	ctx context.Context, payer ledger.AccountID, plan, label string, rows []ledger.Movement, after int64,
) (paid []PaidRow, position int64, err error) {
	if p.Journal == nil {
		return nil, 0, nil
	}
	if err := p.listPayouts(ctx); err != nil {
		return nil, 0, unreadable("check_payout", err)
	}
	lost, err := p.foundRows(ctx, payer, rows) // first, since what is claimed meanwhile is among the rows that are read afterwards
	if err != nil {
		return nil, 0, err
	}
	r := store.PayoutRows{Payer: payer, Plan: plan, After: after}
	r.Label, r.SameLabel = p.labelOf(payer, label)
	for _, m := range rows {
		r.Fingerprints = append(r.Fingerprints, payout.Fingerprint(p.View.Pins.Chain(), payer.Object(), m.To, m.Amount))
	}
	found, err := p.Journal.PaidElsewhere(ctx, r)
	if err != nil {
		return nil, 0, unreadable("check_payout", err)
	}
	for i, fingerprint := range r.Fingerprints {
		for _, one := range found.Rows {
			if one.Fingerprint == fingerprint {
				paid = append(paid, PaidRow{Row: i, PaidRow: one})
			}
		}
	}
	return append(paid, lost...), found.Position, nil
}

// LabelPayout records that a plan, all rows of which are known, has a label, if the plan's id proves it. Its rows
// that were claimed count as that label's from then on.
func (p *Payments) LabelPayout(ctx context.Context, plan payout.Plan, id string) error {
	if p.Journal == nil || plan.ID() != id {
		return nil
	}
	r := store.PayoutRows{Payer: plan.Payer, Plan: id}
	r.Label, _ = p.labelOf(plan.Payer, plan.Label)
	if err := p.Journal.LabelPayout(ctx, r, payout.KeyPrefix+id+"/", payout.KeyPrefix+id+"0"); err != nil {
		return unreadable("get_payout_receipt", err)
	}
	return nil
}

// foundRows returns which of the payments by payer were found after a loss and are not claimed.
func (p *Payments) foundRows(ctx context.Context, payer ledger.AccountID, rows []ledger.Movement) (lost []PaidRow, err error) {
	unclaimed, _, err := p.Journal.Unclaimed(ctx)
	if err != nil {
		return nil, unreadable("check_payout", err)
	}
	for _, kept := range unclaimed {
		e, err := p.entryOfJournal(kept)
		if err != nil {
			return nil, err
		}
		moves, pays := movesOf(e.tx.Operations), 0
		for _, n := range moves {
			pays += n
		}
		for i, m := range rows {
			if m.From = payer.Object(); moves[m] > 0 {
				moves[m]-- // two equal rows are two payments
				lost = append(lost, PaidRow{Row: i, Lost: true, PaidRow: store.PaidRow{ID: e.ID.String(), At: e.Prepared, Counts: true, Pays: pays}})
			}
		}
	}
	return lost, nil
}

// listedAtOnce is the number of payments of earlier versions listed in one commit.
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
		if e.givenUp != "" {
			return e.notKnown("a part of the payout " + kept.Key + " cannot be compared")
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

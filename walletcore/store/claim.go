package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"billfold/ledger"
)

// Claiming is an engine on which payments that were found after a loss can be claimed.
type Claiming interface {
	// Claimed follows claims, or one that was taken back, in their transaction.
	Claimed(tx Tx, undone bool) error
}

// Claim says under which request key a payment found after a loss was made; "" = under none that counts.
type Claim struct {
	Key, ID string
	Line    int // line of the file that it is from; 0 = from no file

	// Rows returns the rows of a payout that the payment makes, whatever its key, without Key; they are recorded with the claim. why
	// says that it cannot be the payment of that key, of whose plan the journal has other transactions. nil = nothing is recorded.
	Rows func(e Entry, of []PlanPart) (rows []PayoutRows, why error)
}

// PlanPart is one transaction of a plan.
type PlanPart struct {
	Key   string
	Payer ledger.AccountID
	Rows  int
	Never bool // it was refused or expired
}

// refusal adds the line to the reason why a claim of a file is not made.
func (c *Claim) refusal(why error) error {
	if c.Line == 0 {
		return why
	}
	return fmt.Errorf("line %d: %w", c.Line, why)
}

// ErrNotFoundPayment means that no payment with this id was found after a loss and is still unclaimed.
var ErrNotFoundPayment = errors.New("there is no payment of this id that was found after a loss and is not claimed yet")

// ErrOwnPayment means that the payment was never lost.
var ErrOwnPayment = errors.New("the payment of this id was not lost: the store knows how it was requested, and there is nothing to claim")

// ErrAnswered means that a claim cannot be taken back, because a request under the key was answered with the payment.
var ErrAnswered = errors.New("a request under this key was answered with that payment already, and whoever asked takes it for theirs; " +
	"--answered takes the claim back all the same, and then they have to ask again")

// ErrNotClaimed means that there is no such claim to take back.
var ErrNotClaimed = errors.New("there is no payment that was found after a loss and claimed this way")

// errDryRun rolls everything back.
var errDryRun = errors.New("it was a dry run")

// ClaimFound makes claims, all or none; with try it only checks them. It returns an error for each one that cannot be made. It may be
// called while others use the store, and may be repeated.
func (j *Journal) ClaimFound(ctx context.Context, try bool, claims ...Claim) error {
	err := j.claiming(ctx, false, func(tx Tx) (refusal, failure error) {
		var all []error
		plans := map[string][]PlanPart{}
		for i := range claims {
			why, err := claims[i].make(tx, plans)
			if err != nil {
				return nil, err
			}
			if why != nil {
				all = append(all, claims[i].refusal(why))
			}
		}
		if len(all) == 0 && try {
			return errDryRun, nil
		}
		return errors.Join(all...), nil
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

// claiming makes a change of claims, and what follows from it: two parts, so that a refusal takes back what was written.
func (j *Journal) claiming(ctx context.Context, undo bool, apply func(Tx) (refusal, failure error)) error {
	engine, can := j.engine.(Claiming)
	if !can {
		return errors.New("this store has no payments that can be claimed")
	}
	return j.engine.Write(ctx, Change{Apply: apply}, Change{Apply: func(tx Tx) (refusal, failure error) {
		return nil, engine.Claimed(tx, undo)
	}})
}

// make makes one claim; why says that it cannot be made. plans has the transactions of the plans that were looked up.
func (c *Claim) make(tx Tx, plans map[string][]PlanPart) (why, err error) {
	var taken, claimed, own int
	if err := tx.QueryRow(`SELECT (SELECT COUNT(*) FROM payments WHERE request_key = ?),
		(SELECT COUNT(*) FROM payments WHERE COALESCE(request_key, '') = ? AND id = ? AND origin IN (2, 3)),
		(SELECT COUNT(*) FROM payments WHERE id = ? AND origin = 0)`, c.Key, c.Key, c.ID, c.ID).
		Scan(&taken, &claimed, &own); err != nil {
		return nil, err
	}
	switch {
	case claimed > 0: // the same claim was made before
		return nil, nil
	case own > 0:
		return ErrOwnPayment, nil
	case taken > 0:
		return ErrKeyTaken, nil
	}
	e, err := scan(tx.QueryRow(`SELECT `+Columns+`, '', origin FROM payments WHERE id = ? AND origin = 1`, c.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFoundPayment, nil
	} else if err != nil {
		return nil, err
	}
	rows, why, err := c.rows(tx, e, plans)
	if why != nil || err != nil {
		return why, err
	}
	made, err := changedRow(tx.Exec(`UPDATE payments SET origin = 2, request_key = ? WHERE id = ? AND origin = 1`,
		sql.NullString{String: c.Key, Valid: c.Key != ""}, c.ID))
	if err == nil && !made {
		return ErrNotFoundPayment, nil
	}
	if err == nil && len(rows) > 0 { // a version before left those of a claim that was taken back
		_, err = tx.Exec(`DELETE FROM payout_rows WHERE request_key = ?`, c.Key)
	}
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		r.Key = c.Key
		if err := r.add(tx); err != nil {
			return nil, err
		}
		plans[r.Plan] = append(plans[r.Plan], PlanPart{Key: r.Key, Payer: r.Payer, Rows: len(r.Fingerprints)})
	}
	return nil, nil
}

// rows returns the rows that are recorded with the claim; why says that it cannot be made.
func (c *Claim) rows(tx Tx, e Entry, plans map[string][]PlanPart) (rows []PayoutRows, why, err error) {
	if c.Key == "" || c.Rows == nil {
		return nil, nil, nil
	}
	plan := ""
	if rows, why = c.Rows(e, nil); len(rows) > 0 {
		plan = rows[0].Plan
	}
	if plan == "" {
		return rows, why, nil
	}
	if err := rows[0].lock(tx); err != nil {
		return nil, nil, err
	}
	if _, known := plans[plan]; !known {
		if plans[plan], err = planParts(tx, c.Key, plan); err != nil {
			return nil, nil, err
		}
	}
	rows, why = c.Rows(e, plans[plan])
	return rows, why, nil
}

// UnclaimFound takes a claim back: that of the payment under key or, if key is "", that of the payment with that id which was
// claimed for no request. It returns the payment's id. A request equal to that payment is refused again, even one that
// is being decided now. Errors: ErrAnswered unless answered, ErrNotClaimed.
func (j *Journal) UnclaimFound(ctx context.Context, key, id string, answered bool) (found string, err error) {
	err = j.claiming(ctx, true, func(tx Tx) (refusal, failure error) {
		which, arg := `request_key = ?`, key
		if key == "" {
			which, arg = `request_key IS NULL AND id = ?`, id
		}
		var origin Origin
		err := tx.QueryRow(`SELECT id, origin FROM payments WHERE `+which, arg).Scan(&found, &origin)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNotClaimed, nil
		case err != nil:
			return nil, err
		case origin == Answered && !answered:
			return ErrAnswered, nil
		case origin != Claimed && origin != Answered: // it was never lost
			return ErrNotClaimed, nil
		}
		undone, err := changedRow(tx.Exec(`UPDATE payments SET origin = 1, request_key = NULL WHERE id = ? AND origin = ?`, found, int64(origin)))
		if err == nil && !undone { // somebody was answered just now
			return ErrNotClaimed, nil
		}
		if key != "" && err == nil { // another payment may get the key
			_, err = tx.Exec(`DELETE FROM payout_rows WHERE request_key = ?`, key)
		}
		return nil, err
	})
	return found, err
}

package postgres

import (
	"context"
	"errors"
	"fmt"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
)

// Claim says under which request key a payment found after a loss was made; "" = under none that counts.
type Claim struct {
	Key, ID string
	Line    int // line of the file that it is from; 0 = from no file
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
var ErrAnswered = errors.New("a request under this key was answered with that payment already, so the claim stays")

// ErrNotClaimed means that there is no such claim to take back.
var ErrNotClaimed = errors.New("there is no payment that was found after a loss and claimed this way")

// errDryRun rolls everything back.
var errDryRun = errors.New("it was a dry run")

// Claim makes claims, all or none; with try it only checks them. It returns an error for each one that cannot be made. It may be
// called while servers run, and may be repeated. It does not insist on a standby: what a failover loses of it is asked for again.
func (o Options) Claim(ctx context.Context, address string, try bool, claims ...Claim) error {
	err := o.alterStore(ctx, address, func(c *pgx.Conn) error {
		var all []error
		for i := range claims {
			why, err := claim(ctx, c, &claims[i])
			if err != nil {
				return err
			}
			if why != nil {
				all = append(all, claims[i].refusal(why))
			}
		}
		if len(all) == 0 && try {
			return errDryRun
		}
		return errors.Join(all...)
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

// claim makes one claim; why says that it cannot be made.
func claim(ctx context.Context, c *pgx.Conn, one *Claim) (why, err error) {
	var taken, claimed, own bool
	if err := c.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM payments WHERE request_key = $1),
		EXISTS (SELECT 1 FROM payments WHERE COALESCE(request_key, '') = $1 AND id = $2 AND origin IN (2, 3)),
		EXISTS (SELECT 1 FROM payments WHERE id = $2 AND origin = 0)`, one.Key, one.ID).
		Scan(&taken, &claimed, &own); err != nil {
		return nil, err
	}
	switch {
	case claimed: // the same claim was made before
		return nil, nil
	case own:
		return ErrOwnPayment, nil
	case taken:
		return store.ErrKeyTaken, nil
	}
	done, err := c.Exec(ctx, `UPDATE payments SET origin = 2, request_key = NULLIF($1, '') WHERE id = $2 AND origin = 1`, one.Key, one.ID)
	if err == nil && done.RowsAffected() == 0 {
		why = ErrNotFoundPayment
	}
	return why, err
}

// Unclaim takes a claim back: that of the payment under key or, if key is "", that of the payment with that id which was
// claimed for no request. It returns the payment's id. A request equal to that payment is refused again, even one that
// is being decided now. Errors: ErrAnswered, ErrNotClaimed.
func (o Options) Unclaim(ctx context.Context, address, key, id string) (found string, err error) {
	err = o.alterStore(ctx, address, func(c *pgx.Conn) error {
		const which = ` FROM payments WHERE request_key = $1 AND $1 <> '' OR id = $2 AND request_key IS NULL`
		var origin int
		err := c.QueryRow(ctx, `SELECT id, origin`+which+` FOR UPDATE`, key, id).Scan(&found, &origin)
		switch {
		case errors.Is(err, pgx.ErrNoRows) || err == nil && store.Origin(origin) != store.Claimed && store.Origin(origin) != store.Answered:
			return ErrNotClaimed
		case err != nil:
			return err
		case store.Origin(origin) == store.Answered:
			return ErrAnswered
		}
		if _, err := c.Exec(ctx, `UPDATE payments SET origin = 1, request_key = NULL WHERE id = $1`, found); err != nil {
			return err
		}
		_, err = c.Exec(ctx, `UPDATE store_meta SET generation = generation + 1`) // new payments are compared again
		return err
	})
	return found, err
}

// alterStore changes a store of this version while servers run.
func (o Options) alterStore(ctx context.Context, address string, with func(*pgx.Conn) error) error {
	o.MayLose = true
	return o.alter(ctx, address, func(c *pgx.Conn, have int) error {
		if have == 0 {
			return ErrNoStore
		}
		if err := checkVersion(have, have); err != nil {
			return err
		}
		return with(c)
	})
}

// NoteAnswered records that a request under the key of a claimed payment is answered with it: from then on the claim stays.
func (f *file) NoteAnswered(ctx context.Context, id string) error {
	return f.Write(ctx, store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		done, failure := tx.Exec(`UPDATE payments SET origin = 3 WHERE id = ? AND origin IN (2, 3)`, id)
		if failure != nil {
			return nil, failure
		}
		if n, failure := done.RowsAffected(); n == 0 || failure != nil {
			return ErrNotClaimed, failure
		}
		return nil, nil
	}})
}

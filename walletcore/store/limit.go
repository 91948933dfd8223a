package store

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"billfold/ledger"
)

// Spend is one payment as counted against a limit.
type Spend struct {
	Token, Key string // Key is the request key; "" = none
	Asset      ledger.AssetID
	Amount     int64 // smallest units
}

const (
	limitWindow = 24 * time.Hour
	spendsKept  = 2 * limitWindow // longer than any sum reaches back
)

// Limits stores what was spent under daily limits.
type Limits struct{ engine Engine }

// Reservation counts a payment before it is made.
type Reservation struct {
	Spend
	Limit int64
	At    time.Time // by the ledger: see payment.Payments.LedgerTime
	Over  error     // returned if the payment would exceed the limit

	// Kept, if not nil, is called once the commit is on disk. Counted is false if another payment under
	// the same request key was counted before.
	Kept func(counted bool)

	canceled atomic.Bool
	counted  bool // in the latest transaction
}

// Cancel withdraws the reservation from its batch, before the payment is made.
func (r *Reservation) Cancel() { r.canceled.Store(true) }

// Reserve counts r together with the payment of batch, or at once if batch is nil, unless the sum of the last 24 hours
// would exceed its limit; then the error is r.Over. A payment under a request key is counted once in that time.
func (l *Limits) Reserve(ctx context.Context, batch *CallBatch, r *Reservation) error {
	c := Change{Token: r.Token, Apply: r.apply, Kept: func() {
		if r.Kept != nil && !r.canceled.Load() {
			r.Kept(r.counted)
		}
	}}
	if batch != nil {
		batch.Add(c)
		return nil
	}
	return l.engine.Write(ctx, c)
}

func (r *Reservation) apply(tx Tx) (refusal, failure error) {
	if r.counted = false; r.canceled.Load() {
		return nil, nil
	}
	at, err := countFrom(tx, r.Token, r.At)
	if err != nil {
		return nil, err
	}
	known, err := counted(tx, r.Spend, at)
	if known || err != nil {
		return nil, err
	}
	before, err := spent(tx, r.Spend, at)
	if err != nil {
		return nil, err
	}
	if r.Amount > r.Limit || before > r.Limit-r.Amount {
		return r.Over, nil
	}
	r.counted = true
	return nil, insertSpend(tx, r.Spend, at)
}

// countFrom returns the time at which the window of a limit ends: now, or the latest spend if a server counted it that follows the ledger
// more closely. In a shared store it first locks the token, so that no other server counts against it; otherwise it prunes old spends.
func countFrom(tx Tx, token string, now time.Time) (at time.Time, err error) {
	if shared, ok := tx.(locking); ok {
		err = shared.LockToken(token)
	} else {
		_, err = tx.Exec(`DELETE FROM token_spent WHERE token = ? AND spent_at < ?`, token, now.Add(-spendsKept).UnixMilli())
	}
	if err != nil {
		return now, err
	}
	var latest int64
	err = tx.QueryRow(`SELECT COALESCE(MAX(spent_at), 0) FROM token_spent WHERE token IN (?, '`+EveryToken+`')`, token).Scan(&latest)
	if at := time.UnixMilli(latest); at.After(now) {
		return at, err
	}
	return now, err
}

// PruneSpends removes what no sum reaches back to. What is old is told by the latest spend of the same token, which has its time from the
// ledger: no clock that is set forward makes a limit forget, and neither does what another token spent on a ledger that went back.
func PruneSpends(tx Tx) error {
	_, err := tx.Exec(`DELETE FROM token_spent WHERE spent_at <
		(SELECT MAX(latest.spent_at) FROM token_spent latest WHERE latest.token = token_spent.token) - ?`, spendsKept.Milliseconds())
	return err
}

// Spent reads the sum of the last 24 hours that s would be added to, and whether s, if it has a request key, is counted in it.
func (l *Limits) Spent(ctx context.Context, s Spend, at time.Time) (sum int64, known bool, err error) {
	db := l.engine.Reader()
	if db == nil {
		return 0, false, nil
	}
	from := reading{ctx, db}
	if known, err = counted(from, s, at); err == nil {
		sum, err = spent(from, s, at)
	}
	return sum, known, l.engine.Explain(err)
}

// rows is a database or a transaction.
type rows interface {
	QueryRow(query string, args ...any) *sql.Row
}

// reading reads outside of a transaction.
type reading struct {
	ctx context.Context
	db  *sql.DB
}

func (r reading) QueryRow(query string, args ...any) *sql.Row {
	return r.db.QueryRowContext(r.ctx, query, args...)
}

func spent(from rows, s Spend, at time.Time) (sum int64, err error) {
	err = from.QueryRow(`SELECT COALESCE(SUM(amount), 0) FROM token_spent
		WHERE token IN (?, '`+EveryToken+`') AND asset = ? AND spent_at > ?`,
		s.Token, s.Asset.String(), at.Add(-limitWindow).UnixMilli()).Scan(&sum)
	return sum, err
}

func counted(from rows, s Spend, at time.Time) (bool, error) {
	if s.Key == "" {
		return false, nil
	}
	var n int
	err := from.QueryRow(`SELECT COUNT(*) FROM token_spent 
		WHERE token IN (?, '`+EveryToken+`') AND request_key = ? AND asset = ? AND amount = ? AND spent_at > ?`,
		s.Token, s.Key, s.Asset.String(), s.Amount, at.Add(-limitWindow).UnixMilli()).Scan(&n)
	return n > 0, err
}

// EveryToken is the token name under which a sum counts against the limits of all tokens.
const EveryToken = "*"

// CountForAll returns the change that counts an earlier payment against the limits of all tokens, for a day from now,
// because it is unknown which token made it.
func CountForAll(s Spend, now time.Time) Change {
	return Change{Token: EveryToken, Apply: func(tx Tx) (refusal, failure error) {
		s.Token = EveryToken
		at, err := countFrom(tx, s.Token, now)
		if err != nil {
			return nil, err
		}
		return nil, insertSpend(tx, s, at)
	}}
}

func insertSpend(tx Tx, s Spend, at time.Time) error {
	_, err := tx.Exec(`INSERT INTO token_spent (id, token, asset, amount, request_key, spent_at)
		VALUES (?, ?, ?, ?, ?, ?)`,
		rand.Int64(), s.Token, s.Asset.String(), s.Amount, s.Key, at.UnixMilli())
	return err
}

// Release removes the latest count of s, because nothing was spent.
func (l *Limits) Release(ctx context.Context, s Spend) error {
	return change(ctx, l.engine, func(tx Tx) error {
		_, err := tx.Exec(`DELETE FROM token_spent WHERE id =
			(SELECT id FROM token_spent WHERE token = ? AND request_key = ? AND asset = ? AND amount = ?
			ORDER BY spent_at DESC, id LIMIT 1)`,
			s.Token, s.Key, s.Asset.String(), s.Amount)
		return err
	})
}

// Confirm counts s again if another request under its key released it while this one succeeded.
func (l *Limits) Confirm(ctx context.Context, s Spend, at time.Time) error {
	if _, known, err := l.Spent(ctx, s, at); known && err == nil { // the usual case, which needs no commit
		return nil
	}
	return change(ctx, l.engine, func(tx Tx) error {
		at, err := countFrom(tx, s.Token, at)
		if err != nil {
			return err
		}
		if known, err := counted(tx, s, at); known || err != nil {
			return err
		}
		return insertSpend(tx, s, at)
	})
}

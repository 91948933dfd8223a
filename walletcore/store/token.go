package store

import (
	"context"
	"errors"
	"time"
)

// Tokens stores the tokens of programs where several servers share the store, so that making or revoking one takes
// effect on all of them. A wallet that is alone keeps its tokens in a separate file.
type Tokens struct{ engine Engine }

// ErrTokensMoved means that the tokens were changed since they were read.
var ErrTokensMoved = errors.New("the tokens were changed meanwhile")

// Shared reports whether the tokens are in the store.
func (t *Tokens) Shared() bool {
	return ofServers(t.engine)
}

// Revision returns how often the tokens were changed.
func (t *Tokens) Revision(ctx context.Context) (rev int64, err error) {
	err = t.engine.Reader().QueryRowContext(ctx, `SELECT rev FROM tokens_rev`).Scan(&rev)
	return rev, t.engine.Explain(err)
}

// All reads the tokens, oldest first, and a revision that is not newer than they are.
func (t *Tokens) All(ctx context.Context) (list []TokenRow, rev int64, err error) {
	if rev, err = t.Revision(ctx); err != nil {
		return nil, 0, err
	}
	rows, err := t.engine.Reader().QueryContext(ctx, `SELECT id, name, hash, made_at, scope FROM tokens ORDER BY place`)
	if err != nil {
		return nil, 0, t.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r TokenRow
		if err := rows.Scan(&r.ID, &r.Name, &r.Hash, &r.Made, &r.Scope); err != nil {
			return nil, 0, err
		}
		list = append(list, r)
	}
	return list, rev, t.engine.Explain(rows.Err())
}

// Replace replaces the tokens with list, if they are still at revision rev. Once it returns, no more payments are
// written that a changed or removed token authorizes. Error: ErrTokensMoved.
func (t *Tokens) Replace(ctx context.Context, rev int64, list []TokenRow) error {
	return t.engine.Write(context.WithoutCancel(ctx), Change{Tokens: true, Apply: func(tx Tx) (refusal, failure error) {
		moved, err := changedRow(tx.Exec(`UPDATE tokens_rev SET rev = rev + 1 WHERE rev = ?`, rev))
		if err != nil {
			return nil, err
		}
		if !moved {
			return ErrTokensMoved, nil
		}
		if _, err := tx.Exec(`DELETE FROM tokens`); err != nil {
			return nil, err
		}
		for n, r := range list {
			if _, err := tx.Exec(`INSERT INTO tokens (id, name, hash, made_at, scope, place) VALUES (?, ?, ?, ?, ?, ?)`,
				r.ID, r.Name, r.Hash, r.Made, r.Scope, n); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}})
}

// TokenRow is a token as stored.
type TokenRow struct {
	ID, Name, Hash string
	Made           int64 // UTC seconds
	Scope          string
}

// TokenProof is a token as it was when it authorized a payment. A payment whose token was revoked or changed since, or
// has expired by the store's clock, is refused in the commit that would write it.
type TokenProof struct {
	Row     TokenRow
	Expires time.Time // zero = never
	Refusal error
}

// Holds reports whether the token is unchanged and valid at the given time; there is nil if it is gone.
func (p *TokenProof) Holds(there *TokenRow, at time.Time) bool {
	return there != nil && there.Hash == p.Row.Hash && there.Scope == p.Row.Scope && (p.Expires.IsZero() || at.Before(p.Expires))
}

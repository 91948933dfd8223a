package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// SeenAccount holds what can change about an account, though it rarely does, as it was when it was last accepted.
type SeenAccount struct {
	ID            ledger.AccountID
	MemoKey       ledger.PublicKey
	Active, Owner ledger.Authority
	Since         time.Time // whole seconds
}

// SeenAccount reads an account as it was last accepted; nil if it never was.
func (p *Pins) SeenAccount(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) (*SeenAccount, error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	var memo, active, owner string
	var at int64
	err := db.QueryRowContext(ctx, `SELECT memo_key, active, owner, seen_at FROM seen_accounts WHERE chain = ? AND account = ?`,
		chain.String(), int64(id)).Scan(&memo, &active, &owner, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, p.engine.Explain(err)
	}
	a := &SeenAccount{ID: id, Since: time.Unix(at, 0)}
	if a.MemoKey, err = ledger.ParsePublicKey(memo); err != nil {
		return nil, p.engine.Explain(err)
	}
	if err := codec.Unmarshal([]byte(active), &a.Active); err != nil {
		return nil, p.engine.Explain(err)
	}
	if err := codec.Unmarshal([]byte(owner), &a.Owner); err != nil {
		return nil, p.engine.Explain(err)
	}
	return a, nil
}

// SetSeenAccount stores an account as accepted, replacing what was stored.
func (p *Pins) SetSeenAccount(ctx context.Context, chain ledger.ChainID, a SeenAccount) error {
	active, err := codec.Marshal(a.Active)
	if err != nil {
		return err
	}
	owner, err := codec.Marshal(a.Owner)
	if err != nil {
		return err
	}
	return change(ctx, p.engine, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO seen_accounts (chain, account, memo_key, active, owner, seen_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (chain, account) DO UPDATE
			SET memo_key = excluded.memo_key, active = excluded.active, owner = excluded.owner, seen_at = excluded.seen_at`,
			chain.String(), int64(a.ID), a.MemoKey.String(), string(active), string(owner), a.Since.Unix())
		return err
	})
}

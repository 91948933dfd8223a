package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/finality"
)

// Anchor reads what was last proven of a chain; nil when it was never seen.
func (s *Store) Anchor(ctx context.Context, chain ledger.ChainID) (*finality.Anchor, error) {
	db, err := s.find()
	if db == nil || err != nil {
		return nil, err
	}
	var text string
	err = db.QueryRowContext(ctx, `SELECT anchor FROM anchors WHERE chain = ?`, chain.String()).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.fault(err)
	}
	a := new(finality.Anchor)
	if err := json.Unmarshal([]byte(text), a); err != nil {
		return nil, s.fault(fmt.Errorf("what was proven of the chain is not readable: %w", err))
	}
	if err := a.Check(); err != nil || a.Chain != chain {
		return nil, s.fault(errors.Join(errors.New("what was proven of the chain cannot be"), err))
	}
	return a, nil
}

// SaveAnchor keeps a, unless a later block was proven meanwhile by another
// program that shares the store.
func (s *Store) SaveAnchor(ctx context.Context, a finality.Anchor) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO anchors (chain, block, anchor) VALUES (?, ?, ?)
			ON CONFLICT (chain) DO UPDATE SET block = excluded.block, anchor = excluded.anchor WHERE excluded.block >= anchors.block`,
			a.Chain.String(), int64(a.Block.Num()), string(text))
		return err
	})
}

// ForgetAnchor lets the miners of a chain be trusted anew, as at first sight;
// false when there was nothing.
func (s *Store) ForgetAnchor(ctx context.Context, chain ledger.ChainID) (found bool, err error) {
	if db, err := s.find(); db == nil || err != nil {
		return false, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		gone, err := tx.ExecContext(ctx, `DELETE FROM anchors WHERE chain = ?`, chain.String())
		if err != nil {
			return err
		}
		n, err := gone.RowsAffected()
		found = n > 0
		return err
	})
	return found, err
}

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

// Anchors stores what the miners' signatures proved about each chain.
type Anchors struct{ engine Engine }

// Anchor reads what was last proven about a chain; nil if the chain is new.
func (p *Anchors) Anchor(ctx context.Context, chain ledger.ChainID) (*finality.Anchor, error) {
	db := p.engine.Reader()
	if db == nil {
		return nil, nil
	}
	var text string
	err := db.QueryRowContext(ctx, `SELECT anchor FROM anchors WHERE chain = ?`, chain.String()).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, p.engine.Explain(err)
	}
	a := new(finality.Anchor)
	if err := json.Unmarshal([]byte(text), a); err != nil {
		return nil, p.engine.Explain(fmt.Errorf("what was proven of the chain is not readable: %w", err))
	}
	if err := a.Check(); err != nil || a.Chain != chain {
		return nil, p.engine.Explain(errors.Join(errors.New("what was proven of the chain cannot be"), err))
	}
	return a, nil
}

// SaveAnchor stores a, unless another program that shares the store has stored a later block meanwhile.
func (p *Anchors) SaveAnchor(ctx context.Context, a finality.Anchor) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return change(ctx, p.engine, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO anchors (chain, block, anchor) VALUES (?, ?, ?)
			ON CONFLICT (chain) DO UPDATE SET block = excluded.block, anchor = excluded.anchor WHERE excluded.block >= anchors.block`,
			a.Chain.String(), int64(a.Block.Num()), string(text))
		return err
	})
}

// ForgetAnchor removes the anchor of a chain, so that its miners are trusted anew like those of a new
// chain. It reports false if there was none.
func (p *Anchors) ForgetAnchor(ctx context.Context, chain ledger.ChainID) (found bool, err error) {
	if p.engine.Reader() == nil {
		return false, nil
	}
	err = change(ctx, p.engine, func(tx Tx) (err error) {
		found, err = changedRow(tx.Exec(`DELETE FROM anchors WHERE chain = ?`, chain.String()))
		return err
	})
	return found, err
}

package store

import (
	"context"
	"time"

	"billfold/ledger"
)

// Label is a person's label on a history row.
type Label struct {
	Chain  ledger.ChainID
	Row    ledger.HistoryID
	Block  uint32 // block of the row; if that differs, the row was undone by a fork
	Sealed string // encrypted
	Since  time.Time
}

// Labels stores labels by chain and row. Errors are those of the file.
type Labels struct{ engine Engine }

// List reads the labels of all chains, ordered by row.
func (l *Labels) List(ctx context.Context) (list []Label, err error) {
	db := l.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT chain, history_row, block, label, saved_at FROM labels ORDER BY history_row, chain`)
	if err != nil {
		return nil, l.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one Label
		var chain string
		var row, block, at int64
		if err := rows.Scan(&chain, &row, &block, &one.Sealed, &at); err != nil {
			return nil, l.engine.Explain(err)
		}
		if one.Chain, err = ledger.ParseChainID(chain); err != nil {
			return nil, l.engine.Explain(err)
		}
		one.Row, one.Block, one.Since = ledger.HistoryID(row), uint32(block), time.Unix(at, 0)
		list = append(list, one)
	}
	return list, l.engine.Explain(rows.Err())
}

// Put stores a label, replacing that of the same row.
func (l *Labels) Put(ctx context.Context, kept Label) error {
	return change(ctx, l.engine, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO labels (chain, history_row, block, label, saved_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (chain, history_row) DO UPDATE SET block = excluded.block, label = excluded.label, saved_at = excluded.saved_at`,
			kept.Chain.String(), int64(kept.Row), int64(kept.Block), kept.Sealed, kept.Since.Unix())
		return err
	})
}

// Drop deletes the label of a row. It is not an error if there is none.
func (l *Labels) Drop(ctx context.Context, chain ledger.ChainID, row ledger.HistoryID) error {
	return change(ctx, l.engine, func(tx Tx) error {
		_, err := tx.Exec(`DELETE FROM labels WHERE chain = ? AND history_row = ?`, chain.String(), int64(row))
		return err
	})
}

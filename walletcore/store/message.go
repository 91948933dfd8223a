package store

import (
	"context"

	"billfold/ledger"
)

// MessageMark holds what a person has read and hidden of the messages between an account and another one. The numbers are
// the N of the messages' ids 2.18.N.
type MessageMark struct {
	Chain          ledger.ChainID
	Account, Other ledger.AccountID
	UnreadFrom     uint64 // messages below it have been read
	ShownFrom      uint64 // messages below it are hidden
}

// MessageMarks stores marks by chain and account. Errors are those of the file.
type MessageMarks struct{ engine Engine }

// List reads the marks of an account.
func (m *MessageMarks) List(ctx context.Context, chain ledger.ChainID, account ledger.AccountID) (list []MessageMark, err error) {
	db := m.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT other, unread_from, shown_from FROM message_marks WHERE chain = ? AND account = ?`,
		chain.String(), int64(account))
	if err != nil {
		return nil, m.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var other, unread, shown int64
		if err := rows.Scan(&other, &unread, &shown); err != nil {
			return nil, m.engine.Explain(err)
		}
		list = append(list, MessageMark{Chain: chain, Account: account, Other: ledger.AccountID(other),
			UnreadFrom: uint64(unread), ShownFrom: uint64(shown)})
	}
	return list, m.engine.Explain(rows.Err())
}

// Put stores a mark, replacing that of the same two accounts.
func (m *MessageMarks) Put(ctx context.Context, kept MessageMark) error {
	return change(ctx, m.engine, func(tx Tx) error {
		_, err := tx.Exec(`INSERT INTO message_marks (chain, account, other, unread_from, shown_from) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (chain, account, other) DO UPDATE SET unread_from = excluded.unread_from, shown_from = excluded.shown_from`,
			kept.Chain.String(), int64(kept.Account), int64(kept.Other), int64(kept.UnreadFrom), int64(kept.ShownFrom))
		return err
	})
}

package store

import (
	"context"
	"time"

	"billfold/ledger"
)

// ContentAuthor is the first statement about the author of a content object, who never changes on the ledger.
type ContentAuthor struct {
	Content ledger.ObjectID
	Author  ledger.AccountID
	Source  string    // who stated it
	Since   time.Time // when; whole seconds
}

// PinContentAuthor stores a unless the content has an author already, and returns what is stored.
func (p *Pins) PinContentAuthor(ctx context.Context, chain ledger.ChainID, a ContentAuthor) (kept ContentAuthor, err error) {
	kept.Content = a.Content
	var author, at int64
	err = change(ctx, p.engine, func(tx Tx) error {
		if _, err := tx.Exec(`INSERT INTO content_authors (chain, content, author, source, seen_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			chain.String(), a.Content.String(), int64(a.Author), a.Source, a.Since.Unix()); err != nil {
			return err
		}
		return tx.QueryRow(`SELECT author, source, seen_at FROM content_authors WHERE chain = ? AND content = ?`,
			chain.String(), a.Content.String()).Scan(&author, &kept.Source, &at)
	})
	kept.Author, kept.Since = ledger.AccountID(author), time.Unix(at, 0)
	return kept, err
}

// ForgetContent removes the author of a content object; it reports false if there was none.
func (p *Pins) ForgetContent(ctx context.Context, chain ledger.ChainID, content ledger.ObjectID) (bool, error) {
	return p.forget(ctx, chain, content.String(), `DELETE FROM content_authors WHERE chain = ? AND content = ?`)
}

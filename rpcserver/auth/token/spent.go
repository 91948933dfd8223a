package token

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/walletcore/database"
)

const (
	day      = 24 * time.Hour
	keepTime = 2 * day // longer than any sum looks back
)

// errOverLimit says that a payment would exceed the sum of a day.
var errOverLimit = errors.New("over the limit")

var schema = []string{
	`CREATE TABLE IF NOT EXISTS token_spent (
		id          INTEGER PRIMARY KEY,
		token       VARCHAR(16) NOT NULL,
		asset       VARCHAR(24) NOT NULL,
		amount      BIGINT NOT NULL,
		request_key VARCHAR(200) NOT NULL,
		spent_at    BIGINT NOT NULL
	)`,
	`CREATE INDEX IF NOT EXISTS token_spent_by_token ON token_spent (token, asset, spent_at)`,
}

// Spent keeps on disk what tokens with a daily limit have spent. The file is
// made with the first sum. It may be used by many goroutines and programs.
type Spent struct {
	file *database.File
	now  func() time.Time
}

// OpenSpent keeps the sums at path.
func OpenSpent(path string) *Spent { return &Spent{file: database.At(path, schema...), now: time.Now} }

// Close closes the file.
func (s *Spent) Close() error { return s.file.Close() }

// sum is one payment as it counts.
type sum struct {
	token, key string // key "" = none
	asset      ledger.AssetID
	amount     int64 // smallest units
}

// reserve counts p before it is made, unless the asset's sum of the last 24
// hours would exceed limit: errOverLimit. A payment under a request key is
// counted once in that time; fresh tells whether it was this time.
func (s *Spent) reserve(ctx context.Context, p sum, limit int64) (fresh bool, err error) {
	db, err := s.file.Open()
	if err != nil {
		return false, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // after Commit it does nothing
	now := s.now()
	if _, err := tx.ExecContext(ctx, `DELETE FROM token_spent WHERE spent_at < ?`, now.Add(-keepTime).UnixMilli()); err != nil {
		return false, err
	}
	if known, err := counted(ctx, tx, p, s.now()); known || err != nil {
		return false, err
	}
	var before int64
	err = tx.QueryRowContext(ctx, `SELECT COALESCE(SUM(amount), 0) FROM token_spent WHERE token = ? AND asset = ? AND spent_at > ?`,
		p.token, p.asset.String(), now.Add(-day).UnixMilli()).Scan(&before)
	if err != nil {
		return false, err
	}
	if p.amount > limit || before > limit-p.amount {
		return false, errOverLimit
	}
	if err := insert(ctx, tx, p, now); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

func counted(ctx context.Context, tx *sql.Tx, p sum, now time.Time) (bool, error) {
	if p.key == "" {
		return false, nil
	}
	var n int
	err := tx.QueryRowContext(ctx,
		`SELECT COUNT(*) FROM token_spent WHERE token = ? AND request_key = ? AND asset = ? AND amount = ? AND spent_at > ?`, p.token,
		p.key, p.asset.String(), p.amount, now.Add(-day).UnixMilli()).Scan(
		&n,
	)
	return n > 0, err
}

func insert(ctx context.Context, tx *sql.Tx, p sum, at time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO token_spent (token, asset, amount, request_key, spent_at) VALUES (?, ?, ?, ?, ?)`,
		p.token, p.asset.String(), p.amount, p.key, at.UnixMilli())
	return err
}

// release takes back what reserve counted freshly: nothing was spent.
func (s *Spent) release(ctx context.Context, p sum) error {
	db, err := s.file.Open()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(
		ctx,
		`DELETE FROM token_spent WHERE id = (SELECT MAX(id) FROM token_spent WHERE token = ? AND request_key = ? AND asset = ? AND amount = ?)`,
		p.token, p.key, p.asset.String(), p.amount)
	return err
}

// confirm counts p once more if another request under its key took it back
// while this one succeeded.
func (s *Spent) confirm(ctx context.Context, p sum) error {
	db, err := s.file.Open()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if known, err := counted(ctx, tx, p, s.now()); known || err != nil {
		return err
	}
	if err := insert(ctx, tx, p, s.now()); err != nil {
		return err
	}
	return tx.Commit()
}

// fileFault says that sums cannot be kept, so nothing may be spent.
func fileFault(path string, err error) error {
	return fmt.Errorf("the file %s of what tokens have spent cannot be used: %w; nothing was sent", path, database.Explain(path, err))
}

// Package audit decides whether programs may spend, by a policy, and writes
// every decision and its outcome to a log whose entries are chained by their
// hashes: each holds the hash of the one before, so that none can be changed,
// removed or put in between without all later ones showing it. Cutting off the
// end is seen only by who noted the last hash elsewhere (Verify gives it).
//
// Promises: a spend is written down before it is made, and not made when it
// cannot be written down. Refuses: memos, keys and passwords in the log.
package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"billfold/walletcore/database"
)

const schema = `CREATE TABLE IF NOT EXISTS audit (
	number BIGINT PRIMARY KEY,
	entry  TEXT NOT NULL,
	hash   VARCHAR(64) NOT NULL
)`

// Entry is one line of the log. Its JSON is what is hashed.
type Entry struct {
	Number   int64     `json:"number"` // from 1 on, without gaps
	Time     time.Time `json:"time"`
	Who      string    `json:"who"`                // the token's name, or "anybody"
	Via      string    `json:"via,omitempty"`      // HTTP, websocket, unix socket; and from which other machine
	Method   string    `json:"method"`             // the operation
	What     string    `json:"what,omitempty"`     // accounts, amount and asset as they were asked for, or as a person saw them
	Decision string    `json:"decision,omitempty"` // allow or deny
	Rule     string    `json:"rule,omitempty"`     // why it was decided so
	Of       int64     `json:"of,omitempty"`       // number of the decision whose outcome this is
	Outcome  string    `json:"outcome,omitempty"`  // done, or the kind of fault
	Previous string    `json:"previous"`           // hash of the entry before, "" for the first
}

// Log is the file. It may be used by many goroutines and programs.
type Log struct {
	file *database.File
	now  func() time.Time

	mu sync.Mutex // one entry follows the other
}

// Open keeps the log at path; the file is made with the first entry.
func Open(path string) *Log { return &Log{file: database.At(path, schema), now: time.Now} }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }

// Append writes e as the next entry and gives its number. Number, Time and
// Previous are set here. It is on disk when Append returns.
func (l *Log) Append(ctx context.Context, e Entry) (int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	db, err := l.file.Open()
	if err != nil {
		return 0, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // after Commit it does nothing
	err = tx.QueryRowContext(ctx, `SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1`).Scan(&e.Number, &e.Previous)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	e.Number, e.Time = e.Number+1, l.now().UTC().Truncate(time.Millisecond)
	text, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO audit (number, entry, hash) VALUES (?, ?, ?)`, e.Number, string(text), hash(text)); err != nil {
		return 0, err
	}
	return e.Number, tx.Commit()
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Verify walks the whole log, gives each entry to see, and the number and hash
// of the last. Its error says where the chain is broken. A log that does not
// exist has no entries.
func (l *Log) Verify(ctx context.Context, see func(Entry)) (last int64, head string, err error) {
	db, err := l.file.Find()
	if db == nil || err != nil {
		return 0, "", err
	}
	rows, err := db.QueryContext(ctx, `SELECT number, entry, hash FROM audit ORDER BY number`)
	if err != nil {
		return 0, "", err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		var text, noted string
		if err := rows.Scan(&number, &text, &noted); err != nil {
			return last, head, err
		}
		e, err := check(number, text, noted, last, head)
		if err != nil {
			return last, head, err
		}
		last, head = number, noted
		see(e)
	}
	return last, head, rows.Err()
}

// check holds an entry to the one before it.
func check(number int64, text, noted string, last int64, head string) (e Entry, err error) {
	switch {
	case number != last+1:
		return e, fmt.Errorf("entry %d is missing from the audit log; what was there is not known", last+1)
	case hash([]byte(text)) != noted:
		return e, fmt.Errorf("entry %d of the audit log was changed", number)
	case json.Unmarshal([]byte(text), &e) != nil || e.Number != number || e.Previous != head:
		return e, fmt.Errorf("entry %d of the audit log does not follow entry %d; one of them was replaced", number, last)
	}
	return e, nil
}

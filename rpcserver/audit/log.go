// Package audit decides by rules whether programs may spend, touch private keys or
// change the password, and writes every decision and its outcome, and who locks and
// unlocks, to a log whose entries are chained by their
// hashes: each holds the hash of the one before, so that none can be changed,
// removed or put in between without all later ones showing it. Cutting off the
// end is seen only by who noted the last hash elsewhere (Verify gives it).
//
//	Append ──┐ waits                    ┌─► one commit, one fsync for all that wait
//	         ├──► lines in their order ──┤
//	Note   ──┘ goes on                  └─► (at once; nothing is held back)
//
// Promises: a spend is written down before it is sent, a use of keys or the password
// before it is done, and not made when it cannot be written down; how the latter ended is on
// disk before the caller has its answer. What is signed but not sent, and how calls ended, is written
// down right after: only the loss of power can take the last moment of that, and
// nothing more is signed once it cannot be written. Refuses: memos, keys and
// passwords in the log.
package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	Decision string    `json:"decision,omitempty"` // allow or deny; ask while a person is asked; "" for the lock, which is not decided about
	Rule     string    `json:"rule,omitempty"`     // why it was decided so
	Of       int64     `json:"of,omitempty"`       // number of the decision whose outcome this is
	Outcome  string    `json:"outcome,omitempty"`  // done, unknown, or the kind of fault
	Previous string    `json:"previous"`           // hash of the entry before, "" for the first
}

// mostWaiting bounds what may be on its way to the disk without anybody waiting.
const mostWaiting = 4096

// Log is the file. It may be used by many goroutines and programs.
type Log struct {
	file *database.File
	now  func() time.Time

	writing sync.Mutex     // one commit follows the other
	writers sync.WaitGroup // goroutines that write what nobody waits for

	mu      sync.Mutex
	waiting []*Line // in the order in which they will be written
	noting  bool    // one of writers is at work
	failed  error   // of the last commit
}

// Line is an entry on its way into the file.
type Line struct {
	entry Entry
	of    *Line // the decision whose outcome it is; nil = none
	sure  bool  // Append waits for it
	err   error // why it was not written; set by the commit that took it
}

// Open keeps the log at path; the file is made with the first entry.
func Open(path string) *Log { return &Log{file: database.At(path, schema), now: time.Now} }

// Close writes what still waits and closes the file.
func (l *Log) Close() error {
	l.writers.Wait()
	return errors.Join(l.commit(), l.file.Close())
}

// Append writes e as the next entry. Number, Time and Previous are set here. It is
// on disk when Append returns. The folder is made where it is missing: what comes
// first may be the password of a new wallet.
func (l *Log) Append(e Entry) (*Line, error) { return l.append(&Line{entry: e}) }

func (l *Log) append(line *Line) (*Line, error) {
	if err := os.MkdirAll(filepath.Dir(l.file.Path()), 0o700); err != nil {
		return line, err
	}
	line.sure = true
	l.mu.Lock()
	l.waitLocked(line)
	l.mu.Unlock()
	_ = l.commit() // of this line, or of none if another commit took it along
	return line, line.err
}

// Note is Append that does not wait for the disk, unless very much waits already
// or could not be written. of is the decision whose outcome e is, nil = none.
func (l *Log) Note(e Entry, of *Line) (*Line, error) {
	line := &Line{entry: e, of: of}
	if _, err := l.file.Open(); err != nil {
		return nil, database.Explain(l.file.Path(), err)
	}
	l.mu.Lock()
	if l.failed != nil || len(l.waiting) >= mostWaiting {
		l.mu.Unlock()
		return l.append(line)
	}
	defer l.mu.Unlock()
	if l.waitLocked(line); !l.noting {
		l.noting = true
		l.writers.Go(l.commitAll)
	}
	return line, nil
}

func (l *Log) waitLocked(line *Line) {
	line.entry.Time = l.now().UTC().Truncate(time.Millisecond)
	l.waiting = append(l.waiting, line)
}

// commitAll writes until nothing waits, or it cannot be written.
func (l *Log) commitAll() {
	for {
		err := l.commit()
		l.mu.Lock()
		if err != nil || len(l.waiting) == 0 {
			l.noting = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
	}
}

// commit writes all that waits at once. What nobody waits for goes on waiting when
// that fails.
func (l *Log) commit() error {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	batch := l.waiting
	l.waiting = nil
	l.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := database.Explain(l.file.Path(), l.write(batch))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed = err; err == nil {
		return nil
	}
	var kept []*Line
	for _, line := range batch {
		if line.sure {
			line.err = err
		} else {
			kept = append(kept, line)
		}
	}
	l.waiting = append(kept, l.waiting...)
	return err
}

// write chains batch to the last entry, all of it or nothing.
func (l *Log) write(batch []*Line) error {
	db, err := l.file.Open()
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	var last Entry
	var head string
	err = tx.QueryRow(`SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1`).Scan(&last.Number, &head)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	insert, err := tx.Prepare(`INSERT INTO audit (number, entry, hash) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for i, line := range batch {
		e := &line.entry
		if e.Number, e.Previous = last.Number+int64(i)+1, head; line.of != nil {
			e.Of = line.of.entry.Number
		}
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		head = hash(text)
		if _, err := insert.Exec(e.Number, string(text), head); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Verify walks the whole log, gives each entry to see, and the number and hash
// of the last. Its error says where the chain is broken. A log that does not
// exist has no entries. What this Log still has to write is written first.
func (l *Log) Verify(ctx context.Context, see func(Entry)) (last int64, head string, err error) {
	if err := l.commit(); err != nil {
		return 0, "", err
	}
	db, err := l.file.Find()
	if db == nil || err != nil {
		return 0, "", database.Explain(l.file.Path(), err)
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

// Package journal keeps payments on disk: the signed bytes before the first of
// them leaves the program, and what became of them.
//
//	many callers ──► queue ──► one writer: everything that waits goes into one commit
//	                             │           (one fsync), then all callers go on
//	                             ▼
//	                           SQLite file ──► readers
//
// Promises: when Add returns nil the entry survives power loss; entries change
// in the order in which changes were asked for; a request key stands for one
// payment for ever. Owns: the file, its schema and its upgrade.
//
// Refuses: a file of a newer version, two payments under one request key, and
// changes that would contradict what a payment is known to be (State.May). The
// latter also holds between two programs that share the file: a payment that one
// of them may have sent cannot be called rejected by the other.
//
// No key and no memo in plain text is stored: the bytes hold memos as the
// ledger shows them to everybody, and the mark of a request cannot be guessed at
// without a private key.
//
// The SQL is plain and portable; wallets that outgrow one machine will share
// this store in another database.
package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger"
	"billfold/walletcore/database"
)

// State is where a payment stands, as it is written in the file.
type State string

// The states of a payment.
const (
	Prepared     State = "prepared"     // signed and written here; perhaps sent
	Sent         State = "sent"         // taken by a daemon
	InBlock      State = "in_block"     // in a block that may still be forked away
	Irreversible State = "irreversible" // final: it happened
	Unknown      State = "unknown"      // sent, no answer
	Rejected     State = "rejected"     // final: never sent, or refused and proven not to have happened
	Expired      State = "expired"      // final: proven not to have happened
)

// Final says that nothing more is expected of the payment.
func (s State) Final() bool { return s == Irreversible || s == Rejected || s == Expired }

// May says that a payment in state s may become next. Rejected without a proof is for those
// that nobody sent, so it follows Prepared alone; if a block holds the payment nevertheless, the
// block is right.
func (s State) May(next State) bool {
	switch s {
	case Prepared:
		return true
	case Sent, InBlock, Unknown:
		return next != Prepared && next != Rejected
	case Rejected:
		return next == Rejected || next == InBlock || next == Irreversible
	}
	return next == s
}

// Entry is one payment.
type Entry struct {
	ID         ledger.TransactionID
	Chain      ledger.ChainID // the chain it is signed for; zero in entries of version 1
	Key        string         // the caller's request key; "" = none
	Request    string         // what was asked under that key, as a mark that only the wallet's keys can make; "" in entries before version 3
	State      State
	Bytes      []byte      // the signed transaction, packed
	Expiration ledger.Time // UTC seconds
	RefBlock   uint32      // the head block when it was signed: it cannot be in this one or earlier
	Block      uint32      // the block it is in; 0 = none known
	TrxInBlock uint32
	Code       string // kind of the fault, when rejected
	Reason     string // why rejected, unknown or expired
	Proven     bool   // it is rejected, and no block that could hold it does
	Sure       uint32 // the last block that was proven irreversible when it was signed; 0 = none was, or not known
	Prepared   time.Time
	Sent       time.Time // zero when no daemon was asked yet
	InBlock    time.Time // when the block was seen
}

// ErrKeyTaken says that a request key stands for another payment already.
var ErrKeyTaken = errors.New("this request key stands for another payment")

// ErrIDTaken says that this very transaction was written before.
var ErrIDTaken = errors.New("this transaction is in the journal already")

// ErrNotFound says that there is no such payment.
var ErrNotFound = errors.New("there is no such payment in the journal")

// ErrClosed says that the journal was closed.
var ErrClosed = errors.New("the payment journal is closed")

// version is the schema's; a file of a later one is refused. 2 added the chain, 3
// the request, 4 whether a refusal is proven; those of before count as such; 5 the
// identity, the numbered commits and the block that was proven when a payment was signed.
const version = 5

var schema = []string{
	`CREATE TABLE IF NOT EXISTS journal_version (version INTEGER NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS payments (
		id           VARCHAR(40) PRIMARY KEY,
		request_key  VARCHAR(200) UNIQUE,
		state        VARCHAR(16) NOT NULL,
		bytes        TEXT NOT NULL,
		expiration   BIGINT NOT NULL,
		ref_block    BIGINT NOT NULL,
		block        BIGINT NOT NULL,
		trx_in_block BIGINT NOT NULL,
		code         VARCHAR(40) NOT NULL,
		reason       TEXT NOT NULL,
		prepared_at  BIGINT NOT NULL,
		sent_at      BIGINT NOT NULL,
		in_block_at  BIGINT NOT NULL
	)`,
	`CREATE INDEX IF NOT EXISTS payments_by_state ON payments (state)`,
	`CREATE INDEX IF NOT EXISTS payments_by_time ON payments (prepared_at)`,
}

// upgrades lead from each version, the first from 1, to the next.
var upgrades = []string{
	`ALTER TABLE payments ADD COLUMN chain VARCHAR(64) NOT NULL DEFAULT ''`,
	`ALTER TABLE payments ADD COLUMN request VARCHAR(160) NOT NULL DEFAULT ''`,
	`ALTER TABLE payments ADD COLUMN proven SMALLINT NOT NULL DEFAULT 1`,
	`CREATE TABLE journal_identity (id VARCHAR(32) NOT NULL);
	 CREATE TABLE journal_commits (number BIGINT PRIMARY KEY, nonce VARCHAR(16) NOT NULL);
	 ALTER TABLE payments ADD COLUMN sure_block BIGINT NOT NULL DEFAULT 0`,
}

// Journal is the open file. Its methods may be used by many goroutines.
type Journal struct {
	path    string
	db      atomic.Pointer[sql.DB] // what readers use; nil until there is a file
	queue   chan *change
	quit    chan struct{} // closed by Close
	closing sync.Once
	done    chan struct{} // closed when the writer has ended

	// what the writer alone uses
	writer *sql.DB // nil before the first change, and after a fault
	at     footing
	mark   markFile
	ready  statements
	open   []*change // those of failed commits that the file may hold
}

// Open opens the journal at path. A missing file is made with the first payment,
// with mode 0600; until then the journal is empty.
func Open(path string) (*Journal, error) {
	j := &Journal{path: path, mark: markFile{path: filepath.Join(filepath.Dir(path), MarkName)}, queue: make(chan *change, queueSize), quit: make(chan struct{}), done: make(chan struct{})}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("the payment journal %s cannot be opened: %w", path, err)
	default:
		if err := j.start(); err != nil {
			return nil, err
		}
	}
	go j.write()
	return j, nil
}

// start opens the file, making it when it is missing.
func (j *Journal) start() error {
	db, err := database.Open(j.path, database.Durable)
	if err != nil {
		return fmt.Errorf("the payment journal %s cannot be opened: %w; without it no payment can be made safely, so do not move it away: make it and its folder readable and writable", j.path, err)
	}
	if err := database.Explain(j.path, prepareSchema(db)); err != nil {
		_ = db.Close() // the fault that counts is the schema's
		return fmt.Errorf("the payment journal %s cannot be used: %w", j.path, err)
	}
	if j.at.file, err = os.Stat(j.path); err == nil {
		j.at.last, _, err = follows(context.Background(), db, Mark{})
	}
	if err != nil {
		_ = db.Close() // the fault that counts is the one before
		return fmt.Errorf("the payment journal %s cannot be used: %w", j.path, err)
	}
	db.SetMaxOpenConns(mostConnections)
	j.db.Store(db)
	return nil
}

// mostConnections bounds the memory that readers use; the writer has one of its own.
const mostConnections = 8

// prepareSchema makes the tables and brings older ones up to date, all or nothing.
func prepareSchema(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	for _, statement := range schema {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	if err := upgrade(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func upgrade(tx *sql.Tx) error {
	have := 1
	err := tx.QueryRow(`SELECT version FROM journal_version`).Scan(&have)
	if errors.Is(err, sql.ErrNoRows) {
		_, err = tx.Exec(`INSERT INTO journal_version (version) VALUES (?)`, have)
	}
	switch {
	case err != nil:
		return err
	case have > version:
		return fmt.Errorf("it was written by a newer version of this program (%d, this one knows %d); use that one", have, version)
	case have == version:
		return nil
	}
	for _, statement := range upgrades[have-1:] {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	_, err = tx.Exec(`UPDATE journal_version SET version = ?`, version)
	return err
}

// Close writes what waits and closes the file.
func (j *Journal) Close() error {
	j.closing.Do(func() { close(j.quit) })
	<-j.done
	if db := j.db.Load(); db != nil {
		return db.Close()
	}
	return nil
}

// Get reads one payment. Error: ErrNotFound.
func (j *Journal) Get(ctx context.Context, id ledger.TransactionID) (Entry, error) {
	return j.one(ctx, `WHERE id = ?`, id.String())
}

// ByKey reads the payment of a request key. Error: ErrNotFound.
func (j *Journal) ByKey(ctx context.Context, key string) (Entry, error) {
	return j.one(ctx, `WHERE request_key = ?`, key)
}

// Open reads the payments that blocks are to be searched for, oldest first: those
// whose outcome is not final, and the rejected ones that a block may still hold.
func (j *Journal) Open(ctx context.Context) ([]Entry, error) {
	return j.many(ctx, `WHERE state NOT IN ('irreversible', 'rejected', 'expired') OR (state = 'rejected' AND proven = 0) ORDER BY prepared_at, id`)
}

// Latest reads up to limit payments, newest first.
func (j *Journal) Latest(ctx context.Context, limit int) ([]Entry, error) {
	return j.many(ctx, `ORDER BY prepared_at DESC, id LIMIT ?`, limit)
}

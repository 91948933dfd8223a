package store

import (
	"database/sql"
	"time"
)

// Tx is a transaction of the one writer. The next one has the same value only where all of this one is kept and nobody else
// wrote since. Each statement is prepared once, and kept.
type Tx interface {
	Exec(query string, args ...any) (sql.Result, error)
	QueryRow(query string, args ...any) *sql.Row
}

// SharedTx is a transaction of a store that several servers use at once.
type SharedTx interface {
	Tx

	// Now is the database's time: the clocks of servers decide nothing.
	Now() time.Time

	// LockToken keeps other servers from counting against limits of the token until the commit.
	LockToken(token string) error

	// LastRecord is the latest record of the audit log, to which nobody else adds until the commit;
	// AddRecord puts one behind it.
	LastRecord() (AuditRecord, error)
	AddRecord(r AuditRecord)
}

// AuditRecord is one row of the audit log, whose hash also covers the record before.
type AuditRecord struct {
	Number     int64 // from 1 on, without gaps
	Text, Hash string
}

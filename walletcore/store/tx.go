package store

import (
	"database/sql"
)

// Tx is a transaction of the one writer. The next transaction is the same value only if everything of this one was
// committed and nobody else has written since. Each statement is prepared once, and the prepared statement is reused.
type Tx interface {
	Exec(query string, args ...any) (sql.Result, error)
	QueryRow(query string, args ...any) *sql.Row
}

// locking is a transaction beside which other servers may write.
type locking interface {
	// LockToken keeps them from counting against limits of the token, or from changing what else it stands for, until the commit.
	LockToken(token string) error
}

// SharedTx is a transaction of a store that several servers use at once.
type SharedTx interface {
	Tx
	locking

	// LastRecord returns the latest record of the audit log, to which nobody else appends until the commit. AddRecord appends one.
	LastRecord() (AuditRecord, error)
	AddRecord(r AuditRecord)
}

// AuditRecord is one row of the audit log, whose hash also covers the record before.
type AuditRecord struct {
	Number     int64 // from 1, without gaps
	Text, Hash string
}

package store

import (
	"context"
	"time"
)

// Sharing is an engine whose store several servers use at once. Each follows the payments that it
// owns: those that it made, and those that it took over from servers whose lease ended.
type Sharing interface {
	// Server is the id of this one.
	Server() string

	// TakeOver gives this server the open payments of those that are gone, as unknown where
	// they may have been sent; false when there were none. After an error they may be its own.
	TakeOver(ctx context.Context) (bool, error)

	// Fault says why nothing can be written now; nil when all is well.
	Fault() error
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

// Server returns the id of this server where several share the journal; "" where it is alone.
func (j *Journal) Server() string {
	if s, ok := j.engine.(Sharing); ok {
		return s.Server()
	}
	return ""
}

// TakeOver is that of Sharing; false where the journal is this program's alone.
func (j *Journal) TakeOver(ctx context.Context) (bool, error) {
	if s, ok := j.engine.(Sharing); ok {
		return s.TakeOver(ctx)
	}
	return false, nil
}

// Fault returns why nothing can be written now, where that is known before it is tried.
func (j *Journal) Fault() error {
	if s, ok := j.engine.(Sharing); ok {
		return s.Fault()
	}
	return nil
}

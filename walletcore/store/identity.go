package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
)

// Mark is how far a store had come: after a commit it is written beside the
// file, never before, and it does not wait for the disk. So it may lag behind the
// store, by the last seconds when power was lost, and it never leads: a store
// that is behind its mark is an older one.
type Mark struct {
	ID     string // the store's identity
	Commit int64  // the number of the commit, from 1
	Nonce  string // that commit's own random text: a store that went another way has another
}

// Identity distinguishes the store of a wallet from any other, and from older copies.
type Identity interface {
	// Path is where the file is, or would be; MarkPath where its mark is.
	Path() string
	MarkPath() string

	// Position is the mark that the store itself has: its identity, "" when it was never
	// claimed, and its latest commit.
	Position(ctx context.Context) (Mark, error)

	// Check compares the file with what the wallet knows of it: the identity, "" when
	// it never claimed one, and the mark. Errors: *LostError, those of the disk.
	Check(ctx context.Context, id string) error

	// Claim makes this the store with the identity id, making the file where it is
	// missing, and returns the identity that it has: another one when it was claimed
	// before. File and mark are on disk on return.
	Claim(ctx context.Context, id string) (string, error)

	// Renew sets a new identity and mark for the store, making the file where
	// it is missing; what is in it stays. Both are on disk on return.
	Renew(ctx context.Context) (id string, err error)
}

// LostKind is what is wrong with a store whose wallet knows of another.
type LostKind string

// The kinds.
const (
	Missing LostKind = "missing" // the wallet had a journal, and there is no file
	Foreign LostKind = "foreign" // the file is another wallet's, or went on somewhere else
	Older   LostKind = "older"   // the file had come further before: it is a copy of earlier days
	NoMark  LostKind = "no mark" // nothing says how far it had come
)

// LostError means that the file is not the one that the wallet wrote last. What was
// sent meanwhile is not in it: a request key that was used could be used again.
type LostError struct {
	Kind LostKind
	Path string
	Why  string

	Have, Want int64 // of Older: how many changes the file has, and how many were written
}

func (e *LostError) Error() string { return e.Why }

// NewID makes an identity.
func NewID() string {
	raw := make([]byte, 16)
	rand.Read(raw) //nolint:errcheck // it never fails
	return hex.EncodeToString(raw)
}

package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
)

// Mark is a record of a store's latest commit. It is written beside the file after a commit, never before, and without
// waiting for the disk. So it may lag behind the store, by the last seconds if power was lost, and never leads it: a
// store that is behind its mark is an older copy.
type Mark struct {
	ID     string // the store's identity
	Commit int64  // number of the latest commit, from 1
	Nonce  string // random text of that commit: a store that diverged has another
}

// Identity distinguishes a wallet's store from any other, and from older copies of itself.
type Identity interface {
	// Path is the path of the file, existing or not; MarkPath is that of its mark.
	Path() string
	MarkPath() string

	// Position returns the mark that the store itself holds: its identity, "" if it was never claimed, and its latest commit.
	Position(ctx context.Context) (Mark, error)

	// Check compares the file with what the wallet knows about it: the identity, "" if it never claimed one, and the
	// mark. Errors: *LostError, those of the disk.
	Check(ctx context.Context, id string) error

	// Claim sets the store's identity to id, creating the file if it is missing, and returns the identity that it has:
	// another one if it was claimed before. File and mark are on disk on return.
	Claim(ctx context.Context, id string) (string, error)

	// Renew sets a new identity and mark for the store, creating the file if it is missing; its
	// contents stay. Both are on disk on return.
	Renew(ctx context.Context) (id string, err error)
}

// LostKind is the defect of a store that is not the one its wallet knows.
type LostKind string

// The kinds.
const (
	Missing LostKind = "missing" // the wallet had a journal, but there is no file
	Foreign LostKind = "foreign" // the file is another wallet's, or a copy that diverged
	Older   LostKind = "older"   // the file is an older copy: it has fewer changes than were written
	NoMark  LostKind = "no mark" // nothing says how far it had come
	Moved   LostKind = "moved"   // it was moved into another store
	Behind  LostKind = "behind"  // the ledger has payments of the wallet's keys that the file lacked
	Unowned LostKind = "unowned" // the file was used with another key file, and this one knows of none
)

// LostError means that the file is not the one that the wallet wrote last. Payments sent since are not in it: a request
// key that was used could be used again.
type LostError struct {
	Kind LostKind
	Path string
	Why  string

	Have, Want int64 // for Older: how many changes the file has, and how many were written
}

func (e *LostError) Error() string { return e.Why }

// NewID returns a new random identity.
func NewID() string {
	raw := make([]byte, 16)
	n, _ := rand.Read(raw) // it never fails
	return hex.EncodeToString(raw[:n])
}

// MovedError means that a store has moved into another one, or that a move began: nothing may be written to it any more.
type MovedError struct {
	Path         string
	Store, Place string // identity of the other store, and where it is
	Done         bool
}

func (e *MovedError) Error() string {
	if e.Done {
		return "the store " + e.Path + " was moved into store " + e.Store + " at " + e.Place + ": use that one"
	}
	return "the store " + e.Path + " is being moved into store " + e.Store + " at " + e.Place +
		"; if nobody is doing that any more, run billfold store init --from with its folder again, which completes the move or takes it back"
}

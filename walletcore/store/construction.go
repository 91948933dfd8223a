package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"
)

// Construction is a transaction under construction.
type Construction struct {
	Token   string // of the program that began it; "" is the person
	Packed  []byte
	Numbers string // of the newest states of objects when it was begun, as the package handle writes them
}

// Constructions stores transactions under construction, each under a handle, so that every server of a shared store
// knows them and none begins another one under the same handle. Changes of one are made one after the other, at
// whichever servers they arrive.
type Constructions struct{ engine Engine }

// constructionKept is the time for which a transaction is kept after its last change.
const constructionKept = 24 * time.Hour

// A handle is a JSON number that a client can hold as a double (up to 2^53-1), and has 16 digits, so that one that a client cut
// off to 32 or 16 bits, as the reference has them, is nobody's.
const (
	LeastHandle = 1 << 52
	MostHandle  = 1<<53 - 1
)

// NewHandle returns a handle that cannot be guessed.
func NewHandle() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return LeastHandle | binary.LittleEndian.Uint64(b[:])&(LeastHandle-1)
}

// constructionLock is locked before the first transaction is, and held until the commit: two servers that change the same ones in
// another order, or begin the last that there may be, must not meet. No token has this name.
const constructionLock = "*construction"

// unsigned is the beginning of the bytes of a transaction that was not signed yet: without reference block and expiration.
const unsigned = `'00000000000000000000'`

// IsOpen reports whether a transaction under construction was not signed yet.
func (c Construction) IsOpen() bool {
	return len(c.Packed) < 10 || [10]byte(c.Packed) == [10]byte{}
}

// SignedKept is the number of signed transactions of a token that are kept, besides those of the last minute.
const SignedKept = 32

// Begin stores a new transaction and returns its handle, unless full, which gets how many there are of all programs and of this
// token that were not signed yet, returns an error. It forgets those that were not changed for a day, and all but the latest of
// those that were signed. Errors: that of full, those of Engine.Write.
func (c *Constructions) Begin(ctx context.Context, begun Construction, at time.Time, full func(all, own int) error) (handle uint64, err error) {
	err = c.write(ctx, func(tx Tx) (refusal, failure error) {
		if _, err := tx.Exec(`DELETE FROM constructions WHERE changed_at < ?`, at.Add(-constructionKept).Unix()); err != nil {
			return nil, err
		}
		if _, err := tx.Exec(`DELETE FROM constructions WHERE token = ? AND SUBSTR(packed, 1, 20) <> `+unsigned+` AND changed_at < ? AND handle NOT IN
			(SELECT handle FROM constructions WHERE token = ? AND SUBSTR(packed, 1, 20) <> `+unsigned+` ORDER BY changed_at DESC, handle LIMIT ?)`,
			begun.Token, at.Add(-time.Minute).Unix(), begun.Token, SignedKept); err != nil {
			return nil, err
		}
		var all, own int
		if err := tx.QueryRow(`SELECT COUNT(*), COUNT(CASE WHEN token = ? THEN 1 END) FROM constructions
			WHERE SUBSTR(packed, 1, 20) = `+unsigned, begun.Token).Scan(&all, &own); err != nil {
			return nil, err
		}
		if refusal := full(all, own); refusal != nil {
			return refusal, nil
		}
		for {
			handle = NewHandle()
			written, err := changedRow(tx.Exec(`INSERT INTO constructions (handle, token, packed, changed_at, numbers) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT DO NOTHING`, int64(handle), begun.Token, hex.EncodeToString(begun.Packed), at.Unix(), begun.Numbers))
			if written || err != nil {
				return nil, err
			}
		}
	})
	return handle, err
}

// Get reads the transaction under a handle. Error: ErrNotFound.
func (c *Constructions) Get(ctx context.Context, handle uint64) (Construction, error) {
	db := c.engine.Reader()
	if db == nil {
		return Construction{}, ErrNotFound
	}
	found, err := construction(reading{ctx, db}, handle)
	if errors.Is(err, ErrNotFound) {
		return found, err
	}
	return found, c.engine.Explain(err)
}

// Change replaces the transaction under a handle by what how returns; nil removes it. how may be called more than once.
// Errors: ErrNotFound, that of how, those of Engine.Write.
func (c *Constructions) Change(ctx context.Context, handle uint64, at time.Time, how func(Construction) (packed []byte, err error)) error {
	return c.write(ctx, func(tx Tx) (refusal, failure error) {
		found, err := construction(tx, handle)
		switch {
		case errors.Is(err, ErrNotFound):
			return err, nil
		case err != nil:
			return nil, err
		}
		packed, refusal := how(found)
		switch {
		case refusal != nil:
			return refusal, nil
		case packed == nil:
			_, err = tx.Exec(`DELETE FROM constructions WHERE handle = ?`, int64(handle))
		default:
			_, err = tx.Exec(`UPDATE constructions SET packed = ?, changed_at = ? WHERE handle = ?`,
				hex.EncodeToString(packed), at.Unix(), int64(handle))
		}
		return nil, err
	})
}

// write makes a change.
func (c *Constructions) write(ctx context.Context, apply func(Tx) (refusal, failure error)) error {
	return c.engine.Write(ctx, Change{Token: constructionLock, Apply: apply})
}

func construction(from rows, handle uint64) (found Construction, err error) {
	if handle > MostHandle {
		return found, ErrNotFound
	}
	var packed string
	err = from.QueryRow(`SELECT token, packed, numbers FROM constructions WHERE handle = ?`, int64(handle)).
		Scan(&found.Token, &packed, &found.Numbers)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return found, ErrNotFound
	case err != nil:
		return found, err
	}
	found.Packed, err = hex.DecodeString(packed)
	return found, err
}

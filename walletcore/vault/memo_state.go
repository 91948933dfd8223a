// Package vault keeps the wallet's keys: the lock, what is encrypted for them, and what they may do.
package vault

// MemoState is what can be shown of a memo.
type MemoState int

// The memo states.
const (
	MemoNone    MemoState = iota // the operation carries none
	MemoOpen                     // encrypted, opened with a key of this wallet
	MemoPlain                    // anyone can read it
	MemoLocked                   // encrypted, the wallet is locked
	MemoForeign                  // encrypted, the key is not in this wallet
	MemoDamaged                  // checksum or padding does not match
)

// Lasting reports whether a memo reads the same as long as the wallet is not locked: no key imported later changes it.
func (s MemoState) Lasting() bool { return s == MemoNone || s == MemoOpen || s == MemoPlain }

package ledger

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

const hiddenSecret = "(secret hidden)"

// errHiddenSecret is the error of every attempt to write a secret by accident. A placeholder
// instead could end up in a wallet file in place of the key.
var errHiddenSecret = errors.New("a private key is not written out by itself; ask for its WIF where that is really meant")

// sealed keeps the bytes of a secret where all copies of a key are wiped together. The lock
// lets a wallet be locked while a signature is being made: the signer has all of
// the secret or none of it.
//
// fmt prints the unexported fields of any struct without asking for their Format method, and
// where the verb does not suit a pointer (%s) it even follows the first one. It never
// follows a second, therefore the value is behind two.
type sealed[T [32]byte | [64]byte] struct {
	mu    sync.RWMutex
	value *T
}

func newSealed[T [32]byte | [64]byte](value T) *sealed[T] {
	return &sealed[T]{value: &value}
}

// open copies the secret; the caller clears the copy. A wiped or missing secret is all zeroes.
func (s *sealed[T]) open() (value T) {
	if s == nil {
		return value
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return *s.value
}

func (s *sealed[T]) wipe() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var zeroes T
	*s.value = zeroes
}

// hide prints the placeholder; fmt has no use for the error of its own buffer.
func hide(f fmt.State) { _, _ = io.WriteString(f, hiddenSecret) }

package ledger

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

const hiddenSecret = "(secret hidden)"

// errHiddenSecret is the error of every attempt to marshal a secret by accident. A placeholder
// could end up in a wallet file in place of the key.
var errHiddenSecret = errors.New("a private key is never written out implicitly; ask for its WIF if that is what you want")

// sealed holds the bytes of a secret that all copies of a key share, so that they are wiped
// together. The lock lets a wallet be locked while a signature is being made: the signer reads
// the whole secret or none of it.
//
// fmt prints the unexported fields of any struct without calling their Format method, and with
// a verb that does not suit a pointer (%s) it even follows the first pointer. It never follows
// a second one, so the value is behind two.
type sealed[T [32]byte | [64]byte] struct {
	mu    sync.RWMutex
	value *T
}

func newSealed[T [32]byte | [64]byte](value *T) *sealed[T] {
	own := new(T)
	*own = *value
	return &sealed[T]{value: own}
}

// put copies the secret, which the caller clears: a result would leave another copy on the stack. A wiped or missing secret is
// all zeroes.
func (s *sealed[T]) put(into *T) {
	if s == nil {
		var zeroes T
		*into = zeroes
		return
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	*into = *s.value
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

// hide prints the placeholder. fmt's buffer never fails, so the error is ignored.
func hide(f fmt.State) { _, _ = io.WriteString(f, hiddenSecret) }

// stackRoom is more than the functions that handle a secret use of the stack, those of the library included.
const stackRoom = 16 << 10

// CleanStack makes room on the stack, and overwrites what functions that have returned left below. A function that handles a secret
// calls it first, because a stack that grows leaves its old memory behind as it is, and once more, deferred, when
// it has cleared its own variables.
//
//go:noinline
func CleanStack() {
	var room [stackRoom]byte
	use(&room)
}

// use keeps the compiler from leaving out what is not used otherwise.
//
//go:noinline
func use(room *[stackRoom]byte) byte { return room[len(room)/2] }

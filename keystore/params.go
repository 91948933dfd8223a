package keystore

import (
	"crypto/rand"
	"fmt"
	"runtime/debug"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

// Params is the cost of turning a password into a key with argon2id.
type Params struct {
	MemoryKiB uint32 // memory per try
	Time      uint32 // passes over it
	Threads   uint8
}

const (
	minMemoryKiB = 64 * 1024
	minTime      = 3

	// A file may ask for this much and no more: a hostile one must not take the
	// machine's memory or its day.
	maxMemoryKiB = 2 * 1024 * 1024
	maxTime      = 64
	maxThreads   = 64
	maxWorkKiB   = 16 * 1024 * 1024

	saltSize = 16
)

// DefaultParams takes 0.6 to 0.7 s on two slow cores; 256 MiB took 1.3 to 1.6 s
// there, which is long for whoever unlocks many times a day.
func DefaultParams() Params { return Params{MemoryKiB: 128 * 1024, Time: 3, Threads: 4} }

// strong tells whether p is good enough for a real wallet.
func (p Params) strong() bool { return p.MemoryKiB >= minMemoryKiB && p.Time >= minTime }

// affordable tells whether p can be computed at all, and without ruin.
func (p Params) affordable() bool {
	return p.Time >= 1 && p.Time <= maxTime && p.Threads >= 1 && p.Threads <= maxThreads &&
		p.MemoryKiB >= 8*uint32(p.Threads) && p.MemoryKiB <= maxMemoryKiB &&
		uint64(p.MemoryKiB)*uint64(p.Time) <= maxWorkKiB
}

// Options change how a file is made. A nil *Options means none.
type Options struct {
	Params Params // zero = DefaultParams

	// AllowWeak accepts parameters under 64 MiB and three passes. For tests and
	// throw-away wallets only: such a file is quickly guessed.
	AllowWeak bool

	volume volume // nil = the real disk
}

func (o *Options) params() (Params, error) {
	if o == nil || o.Params == (Params{}) {
		return DefaultParams(), nil
	}
	if !o.Params.affordable() || (!o.Params.strong() && !o.AllowWeak) {
		return Params{}, &Error{Kind: ErrWeak,
			Message: fmt.Sprintf("The key derivation parameters (%d KiB, %d passes, %d threads) are out of range", o.Params.MemoryKiB, o.Params.Time, o.Params.Threads),
			Hint:    fmt.Sprintf("use %d to %d KiB and at least %d passes", minMemoryKiB, maxMemoryKiB, minTime)}
	}
	return o.Params, nil
}

func (o *Options) disk() volume {
	if o == nil || o.volume == nil {
		return osVolume{}
	}
	return o.volume
}

// derivation is how the password of one file is turned into its key.
type derivation struct {
	Params
	salt []byte
}

func newDerivation(p Params) derivation {
	salt := make([]byte, saltSize)
	rand.Read(salt) //nolint:errcheck // never fails: the runtime ends the program when the system has no random bytes
	return derivation{Params: p, salt: salt}
}

// key gives the key-encryption key; the caller clears it.
func (d derivation) key(password string) []byte {
	secret := []byte(password)
	defer clear(secret)
	key := argon2.IDKey(secret, d.salt, d.Time, d.MemoryKiB, d.Threads, chacha20poly1305.KeySize)
	if d.MemoryKiB >= minMemoryKiB {
		// Give the working memory back at once: a small service would otherwise
		// keep hundreds of megabytes for minutes after each unlock.
		debug.FreeOSMemory()
	}
	return key
}

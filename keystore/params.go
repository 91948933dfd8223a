package keystore

import (
	"crypto/rand"
	"fmt"
	"runtime/debug"
	"time"

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

// floorParams is the least a real wallet gets. Four lanes are what RFC 9106
// recommends; they cost a machine with fewer cores nothing but time.
func floorParams() Params { return Params{MemoryKiB: minMemoryKiB, Time: minTime, Threads: 4} }

// strong tells whether p is good enough for a real wallet.
func (p Params) strong() bool { return p.MemoryKiB >= minMemoryKiB && p.Time >= minTime }

// cardBytes is what the memory of a fast graphics card moves in a second. Trying
// passwords is bound by that: each pass writes all of the memory and reads it.
const cardBytes = 1e12

// GuessesPerSecond is how many passwords somebody who has the file tries in a
// second with one graphics card, at most.
func (p Params) GuessesPerSecond() float64 {
	return cardBytes / (2 * 1024 * float64(p.MemoryKiB) * float64(p.Time))
}

// Cost is the least that trying a password costs in the files that these options
// make: what was set, or what any real wallet gets.
func (o *Options) Cost() Params {
	if own := o.given(); own.Params != (Params{}) {
		return own.Params
	}
	return floorParams()
}

// affordable tells whether p can be computed at all, and without ruin.
func (p Params) affordable() bool {
	return p.Time >= 1 && p.Time <= maxTime && p.Threads >= 1 && p.Threads <= maxThreads &&
		p.MemoryKiB >= 8*uint32(p.Threads) && p.MemoryKiB <= maxMemoryKiB &&
		uint64(p.MemoryKiB)*uint64(p.Time) <= maxWorkKiB
}

// atLeast gives p raised to what min asks for, and p itself where that would be
// more than any file may ask for. No part of it ever gets smaller.
func (p Params) atLeast(min Params) Params {
	raised := Params{max(p.MemoryKiB, min.MemoryKiB), max(p.Time, min.Time), p.Threads}
	if !raised.affordable() {
		return p
	}
	return raised
}

// Options change how a file is made and opened. A nil *Options means none.
type Options struct {
	// Params is what trying a password costs in new files, and the least in files
	// that are unlocked; zero means what Calibrate finds.
	Params Params

	// AllowWeak accepts parameters under 64 MiB and three passes, and leaves files
	// that have them as they are. For tests and throw-away wallets only: such a
	// file is quickly guessed.
	AllowWeak bool

	volume    volume        // nil = the real disk
	calibrate func() Params // nil = Calibrate
	pin       func([]byte) error
	freeTries bool // wrong passwords are not counted
	now       func() time.Time
}

// given answers for nil as well.
func (o *Options) given() Options {
	var own Options
	if o != nil {
		own = *o
	}
	if own.volume == nil {
		own.volume = osVolume{}
	}
	if own.calibrate == nil {
		own.calibrate = Calibrate
	}
	if own.now == nil {
		own.now = time.Now
	}
	if own.pin == nil {
		own.pin = pin
	}
	return own
}

// params gives what a new file costs.
func (o Options) params() (Params, error) {
	if o.Params == (Params{}) {
		return o.calibrate(), nil
	}
	if !o.Params.affordable() || (!o.Params.strong() && !o.AllowWeak) {
		return Params{}, &Error{Kind: ErrWeak,
			Message: fmt.Sprintf("The key derivation parameters (%d KiB, %d passes, %d threads) are out of range", o.Params.MemoryKiB, o.Params.Time, o.Params.Threads),
			Hint:    fmt.Sprintf("use %d to %d KiB and at least %d passes", minMemoryKiB, maxMemoryKiB, minTime)}
	}
	return o.Params, nil
}

// raised gives what a file should cost that costs now, when one try took that
// long here: never less in any respect, and now itself when it is good enough.
func (o Options) raised(now Params, took time.Duration) Params {
	switch {
	case o.Params != Params{}:
		return now.atLeast(o.Params)
	case now.strong() && took >= clearlyTooFast, o.AllowWeak && !now.strong():
		return now
	}
	return now.atLeast(o.calibrate())
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

package keystore

import (
	"runtime/debug"
	"sync/atomic"

	"billfold/ledger"

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

	// A file may ask for this much and no more: a hostile one must not take up all of the machine's memory or time.
	maxMemoryKiB = 2 * 1024 * 1024
	maxTime      = 64
	maxThreads   = 64
	maxWorkKiB   = 16 * 1024 * 1024

	saltSize = 16
)

// floorParams returns the least cost of a real wallet. RFC 9106 recommends four lanes; they cost a machine with fewer
// cores nothing but time.
func floorParams() Params { return Params{MemoryKiB: minMemoryKiB, Time: minTime, Threads: 4} }

// Strong reports whether p is good enough for a real wallet.
func (p Params) Strong() bool { return p.MemoryKiB >= minMemoryKiB && p.Time >= minTime }

// cardBytes is how many bytes of memory a fast graphics card moves in a second. That is what limits trying passwords:
// each pass writes all of the memory and reads it.
const cardBytes = 1e12

// GuessesPerSecond returns the most passwords that somebody who has the file can try in a second with one graphics card.
func (p Params) GuessesPerSecond() float64 {
	return cardBytes / (2 * 1024 * float64(p.MemoryKiB) * float64(p.Time))
}

// affordable reports whether p can be computed at all, at a reasonable cost.
func (p Params) affordable() bool {
	return p.Time >= 1 && p.Time <= maxTime && p.Threads >= 1 && p.Threads <= maxThreads &&
		p.MemoryKiB >= 8*uint32(p.Threads) && p.MemoryKiB <= maxMemoryKiB &&
		uint64(p.MemoryKiB)*uint64(p.Time) <= maxWorkKiB
}

// atLeast returns p raised to min, or p itself if that would be more than any file may ask for. No part of it ever gets
// smaller.
func (p Params) atLeast(min Params) Params {
	raised := Params{max(p.MemoryKiB, min.MemoryKiB), max(p.Time, min.Time), p.Threads}
	if !raised.affordable() {
		return p
	}
	return raised
}

// derivation is how the password of one file is turned into its key.
type derivation struct {
	Params
	salt []byte
}

func newDerivation(p Params) derivation {
	return derivation{Params: p, salt: random(saltSize, 0)}
}

// key returns the key-encryption key; the caller clears it.
func (d derivation) key(password string) []byte {
	ledger.CleanStack() // argon2 hashes the password on it
	defer ledger.CleanStack()
	secret := []byte(password)
	defer clear(secret)
	key := argon2.IDKey(secret, d.salt, d.Time, d.MemoryKiB, d.Threads, chacha20poly1305.KeySize)
	if d.MemoryKiB >= minMemoryKiB { // all files but those of tests
		// Give back the working memory at once: a small service would otherwise keep hundreds of megabytes for minutes
		// after each unlock.
		debug.FreeOSMemory()
		overwriteHashers()
	}
	return key
}

// hasherSize is the size of a BLAKE2b hasher, and hashersOverwritten more than are ever free at a time.
const (
	hasherSize         = 360
	hashersOverwritten = 4096
)

// overwriteHashers overwrites freed objects of the size of a BLAKE2b hasher: argon2 hashes the password with one, which stays
// behind with the password in its buffer, because freed memory is cleared only when something else gets it.
func overwriteHashers() {
	for range hashersOverwritten {
		overwritten.Store(new([hasherSize]byte))
	}
	overwritten.Store(nil)
}

// overwritten keeps the compiler from leaving the allocations out.
var overwritten atomic.Pointer[[hasherSize]byte]

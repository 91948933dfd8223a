package keystore

import (
	"runtime/debug"
	"sync/atomic"
	"time"

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

// cardBytes is the number of bytes of memory that a fast graphics card moves in a second. That is what limits trying
// passwords: each pass writes all of the memory and reads it.
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

// derivation turns the password of one file into its key.
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

// Time that one try of a password should take on the owner's machine: barely noticed by somebody who knows it, a wall
// to somebody who guesses.
const (
	shortestTry = 500 * time.Millisecond
	aimedTime   = 750 * time.Millisecond
	longestTry  = time.Second

	// clearlyTooFast is the time of a try below which an opened file gets a higher cost. It is half of the least, so
	// that a file does not change whenever the machine is a bit less busy.
	clearlyTooFast = shortestTry / 2

	// usualMostKiB is the most memory that Calibrate chooses: the wallet should also open on the smaller machine that a
	// backup is restored on.
	usualMostKiB = 512 * 1024
	memoryStep   = 4 * 1024

	// A service with very many keys needs its memory for them, and is restarted in containers that limit it. Its
	// password takes as much time, with more passes over less memory.
	largeMostKiB = 96 * 1024
	largeFile    = 4 << 20 // bytes
)

// Calibrate measures this machine and returns parameters with which one try of a password takes 0.5 to 1 s here, or
// longer on a machine for which 64 MiB and three passes are much work: it never returns less than those, nor more
// memory than maxKiB or a quarter of what is free. It takes one to two seconds.
func Calibrate(maxKiB uint32) Params { return calibrate(timeTry, memoryLimitKiB(maxKiB)) }

// maxTryMemoryKiB returns how much memory a try may take for a file of size bytes.
func maxTryMemoryKiB(size int) uint32 {
	if size >= largeFile {
		return largeMostKiB
	}
	return usualMostKiB
}

// memoryLimitKiB returns a quarter of what this process may still take, within bounds.
func memoryLimitKiB(maxKiB uint32) uint32 {
	return uint32(min(freeMemoryKiB(4*usualMostKiB)/4, uint64(maxKiB)))
}

// timeTry returns how long one try of a password takes.
func timeTry(p Params) time.Duration {
	start := time.Now()
	clear(newDerivation(p).key("calibration"))
	return time.Since(start)
}

// calibrate starts with the least and corrects at most twice: otherwise a machine that is busy with something else
// would be measured for ever.
func calibrate(measure func(Params) time.Duration, maxKiB uint32) Params {
	p := floorParams()
	for range 3 {
		took := measure(p)
		next := p.scaled(took, maxKiB)
		if (took >= shortestTry && took <= longestTry) || next == p {
			return p
		}
		p = next
	}
	return p
}

// scaled returns parameters with which a try takes aimedTime, given that one with p took that long: as much memory as
// allowed, the rest in passes.
func (p Params) scaled(took time.Duration, maxKiB uint32) Params {
	maxKiB = max(maxKiB, minMemoryKiB)
	work := float64(p.MemoryKiB) * float64(p.Time) * float64(aimedTime) / float64(max(took, time.Microsecond))
	work = min(work, maxWorkKiB)
	p.MemoryKiB = uint32(min(max(work/minTime, minMemoryKiB), float64(maxKiB)))
	p.MemoryKiB -= p.MemoryKiB % memoryStep
	p.Time = uint32(min(max(work/float64(p.MemoryKiB), minTime), maxTime))
	return p
}

package keystore

import "time"

// Time that one try of a password should take on the owner's machine: barely noticed by somebody who knows it, a wall
// to somebody who guesses.
const (
	leastTime = 500 * time.Millisecond
	aimedTime = 750 * time.Millisecond
	mostTime  = time.Second

	// clearlyTooFast is the time of a try below which an opened file gets a higher cost. It is half of the least, so
	// that a file does not change whenever the machine is a bit less busy.
	clearlyTooFast = leastTime / 2

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
// memory than mostKiB or a quarter of what is free. It takes one to two seconds.
func Calibrate(mostKiB uint32) Params { return calibrate(timeTry, memoryLimitKiB(mostKiB)) }

// mostMemoryKiB returns how much memory a try may take for a file of size bytes.
func mostMemoryKiB(size int) uint32 {
	if size >= largeFile {
		return largeMostKiB
	}
	return usualMostKiB
}

// memoryLimitKiB returns a quarter of what this process may still take, within bounds.
func memoryLimitKiB(mostKiB uint32) uint32 {
	return uint32(min(freeMemoryKiB(4*usualMostKiB)/4, uint64(mostKiB)))
}

// timeTry returns how long one try of a password takes.
func timeTry(p Params) time.Duration {
	start := time.Now()
	clear(newDerivation(p).key("calibration"))
	return time.Since(start)
}

// calibrate starts with the least and corrects at most twice: otherwise a machine that is busy with something else
// would be measured for ever.
func calibrate(measure func(Params) time.Duration, mostKiB uint32) Params {
	p := floorParams()
	for range 3 {
		took := measure(p)
		next := p.scaled(took, mostKiB)
		if (took >= leastTime && took <= mostTime) || next == p {
			return p
		}
		p = next
	}
	return p
}

// scaled returns parameters with which a try takes aimedTime, given that one with p took that long: as much memory as
// allowed, the rest in passes.
func (p Params) scaled(took time.Duration, mostKiB uint32) Params {
	mostKiB = max(mostKiB, minMemoryKiB)
	work := float64(p.MemoryKiB) * float64(p.Time) * float64(aimedTime) / float64(max(took, time.Microsecond))
	work = min(work, maxWorkKiB)
	p.MemoryKiB = uint32(min(max(work/minTime, minMemoryKiB), float64(mostKiB)))
	p.MemoryKiB -= p.MemoryKiB % memoryStep
	p.Time = uint32(min(max(work/float64(p.MemoryKiB), minTime), maxTime))
	return p
}

package keystore

import "time"

// One try of a password should take this long on the machine of the wallet's
// owner: barely noticed by whoever knows it, a wall to whoever guesses.
const (
	leastTime = 500 * time.Millisecond
	aimedTime = 750 * time.Millisecond
	mostTime  = time.Second

	// clearlyTooFast is when a file that is opened deserves a higher cost. Half of
	// the least, so that a file does not change whenever the machine is a bit idler.
	clearlyTooFast = leastTime / 2

	// usualMostKiB bounds what Calibrate chooses: the wallet should also open on
	// the smaller machine that a backup is restored on.
	usualMostKiB = 512 * 1024
	memoryStep   = 4 * 1024

	// A service with very many keys needs its memory for them, and is started again by machines that count it. Its
	// password costs as much time, with more passes over less memory.
	largeMostKiB = 96 * 1024
	largeFile    = 4 << 20 // bytes
)

// Calibrate measures this machine and returns parameters with which one try of a
// password takes 0.5 to 1 s here, or longer on a machine for which 64 MiB and
// three passes are much work: it never returns less than those, nor more than a
// quarter of the memory that is free, nor than mostKiB. It takes one to two seconds.
func Calibrate(mostKiB uint32) Params { return calibrate(timeOf, memoryToUse(mostKiB)) }

// mostMemoryKiB returns how much memory a try may take for a file of so many bytes.
func mostMemoryKiB(size int) uint32 {
	if size >= largeFile {
		return largeMostKiB
	}
	return usualMostKiB
}

// memoryToUse returns a quarter of what this process may still take, within bounds.
func memoryToUse(mostKiB uint32) uint32 {
	return uint32(min(freeMemoryKiB(4*usualMostKiB)/4, uint64(mostKiB)))
}

// timeOf tries a password.
func timeOf(p Params) time.Duration {
	start := time.Now()
	clear(newDerivation(p).key("calibration"))
	return time.Since(start)
}

// calibrate begins with the least and corrects what it finds at most twice: a
// machine that is busy with something else would else be measured for ever.
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

// scaled returns parameters of which a try takes aimedTime, when one of p took that long:
// as much memory as there is, the rest in passes.
func (p Params) scaled(took time.Duration, mostKiB uint32) Params {
	mostKiB = max(mostKiB, minMemoryKiB)
	work := float64(p.MemoryKiB) * float64(p.Time) * float64(aimedTime) / float64(max(took, time.Microsecond))
	work = min(work, maxWorkKiB)
	p.MemoryKiB = uint32(min(max(work/minTime, minMemoryKiB), float64(mostKiB)))
	p.MemoryKiB -= p.MemoryKiB % memoryStep
	p.Time = uint32(min(max(work/float64(p.MemoryKiB), minTime), maxTime))
	return p
}

package keystore

import (
	"math/bits"
	"runtime/debug"
	"slices"
	"unsafe"

	"billfold/ledger"
)

// While the store is unlocked, the key that opens the file and the private keys are in memory that the system is asked
// not to write to its swap ("locked in memory"). What is not locked lives for microseconds and is wiped where it is
// used: the copies that signatures are made with, and the payload while it is encoded.
//
// A refusal affects only this protection: it is reported in Health.

// lockSecrets locks the memory of all keys and of the data key. fault is the first refusal.
func lockSecrets(lock func([]byte) error, dataKey []byte, secrets *Secrets) (fault error) {
	for _, part := range secrets.memory(dataKey) {
		if err := lock(part); err != nil {
			return err
		}
	}
	return nil
}

// memory lists the memory that the secrets and more occupy.
func (s *Secrets) memory(more ...[]byte) [][]byte {
	parts := append(make([][]byte, 0, len(more)+len(s.keys)+len(s.pendingMiners)+len(s.elGamal)), more...)
	add := func(key ledger.PrivateKey) { parts = append(parts, key.Memory()) }
	for _, key := range s.keys {
		add(key)
	}
	for _, keys := range s.pendingAccounts {
		for _, key := range keys {
			add(key)
		}
	}
	for _, key := range s.pendingMiners {
		add(key)
	}
	for _, pair := range s.elGamal {
		words := pair.Private.Bits()
		parts = append(parts, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*bits.UintSize/8))
	}
	return slices.DeleteFunc(parts, func(b []byte) bool { return len(b) == 0 })
}

// A change of a large file makes several copies of it, one after another: what it is written from, what was read back,
// what was parsed from that. By default the garbage collector lets as much garbage pile up as is in use.
const largeFilePercent = 20

// limitGarbage makes the garbage collector run more often while a file of size bytes is worked on. end restores that
// and returns free memory to the system. Both do nothing for usual files.
func limitGarbage(size int) (end func()) {
	if size < largeFile {
		return func() {}
	}
	usual := debug.SetGCPercent(largeFilePercent)
	return func() {
		if usual != largeFilePercent { // otherwise a change of another file is in progress, which started earlier
			debug.SetGCPercent(usual)
		}
		debug.FreeOSMemory()
	}
}

// releaseMemory returns free memory to the system after work on a file of size bytes, if that is large.
func releaseMemory(size int) {
	if size >= largeFile {
		debug.FreeOSMemory()
	}
}

//go:build unix

package keystore

import "golang.org/x/sys/unix"

// lockMemory keeps the pages of b out of the swap; unlockMemory lets them go again.
func lockMemory(b []byte) error { return unix.Mlock(b) }

func unlockMemory(b []byte) { _ = unix.Munlock(b) } // the memory was wiped before: nothing to protect

//go:build unix

package keystore

import "golang.org/x/sys/unix"

// lockMemory keeps the pages of b out of the swap; unlockMemory undoes that.
func lockMemory(b []byte) error { return unix.Mlock(b) }

func unlockMemory(b []byte) { _ = unix.Munlock(b) } // the memory was wiped before: there is nothing left to protect

//go:build unix

package keystore

import "golang.org/x/sys/unix"

// pin keeps the pages of b out of the swap; unpin lets them go again.
func pin(b []byte) error { return unix.Mlock(b) }

func unpin(b []byte) { _ = unix.Munlock(b) } // the memory was wiped before: nothing to protect

//go:build unix

package main

import "syscall"

// Folders of tests are the user's own, whatever the umask outside: others could
// write what a wallet refuses.
func ownUmask() { syscall.Umask(0o022) }

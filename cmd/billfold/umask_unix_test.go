//go:build unix

package main

import "syscall"

// ownUmask makes folders of tests writable by the user only, whatever the umask of the
// environment, because a wallet refuses folders that others can write.
func ownUmask() { syscall.Umask(0o022) }

//go:build !unix

package main

import "os/exec"

// isInherited reports whether a descriptor was open when the program started; here only the standard ones can be.
func isInherited(fd uintptr) bool { return fd <= 2 }

// endWithGroup is for systems with process groups; here only the command itself is ended.
func endWithGroup(*exec.Cmd) {}

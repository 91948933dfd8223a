//go:build !unix

package main

// isInherited reports whether a descriptor was open when the program started; here only the standard ones can be.
func isInherited(fd uintptr) bool { return fd <= 2 }

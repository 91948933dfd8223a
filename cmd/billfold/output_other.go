//go:build !unix

package main

import "os"

// wasClosed reports whether standard output or error was closed, which does not show on this system.
func wasClosed(*os.File) bool { return false }

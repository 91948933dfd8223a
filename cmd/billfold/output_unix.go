//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// wasClosed reports whether standard output or error was closed when the program began. Go opens the null device in its place, for reading and
// writing, which hardly anybody does who throws output away.
func wasClosed(out *os.File) bool {
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := out.Stat()
	if err != nil || !os.SameFile(info, null) {
		return err != nil
	}
	mode, err := unix.FcntlInt(out.Fd(), unix.F_GETFL, 0)
	return err == nil && mode&unix.O_ACCMODE == unix.O_RDWR
}

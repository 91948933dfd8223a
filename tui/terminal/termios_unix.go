//go:build aix || linux || solaris

package terminal

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS

	flushTermios = unix.TCSETSF // sets, and drops unread input
)

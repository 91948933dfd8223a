//go:build unix

package main

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isInherited reports whether a descriptor was open when the program started. All that it opens itself are closed at an exec, and a
// number that was not passed may be one of those.
func isInherited(fd uintptr) bool {
	flags, err := unix.FcntlInt(fd, unix.F_GETFD, 0)
	return err == nil && flags&unix.FD_CLOEXEC == 0
}

// endWithGroup has everything that the command starts end with it.
func endWithGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
}

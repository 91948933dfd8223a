//go:build unix

package main

import (
	"context"
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

// systemCommand returns a command line as the system's shell runs it. Everything that it starts ends with it.
func systemCommand(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
	return cmd
}

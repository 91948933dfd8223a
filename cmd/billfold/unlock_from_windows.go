package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// isInherited reports whether a descriptor was open when the program started; here only the standard ones can be.
func isInherited(fd uintptr) bool { return fd <= 2 }

// systemCommand returns a command line as the system's shell runs it. Here only the shell itself is ended with it, not what it started.
func systemCommand(ctx context.Context, line string) *exec.Cmd {
	folder, err := windows.GetSystemDirectory()
	cmd := exec.CommandContext(ctx, filepath.Join(folder, "cmd.exe"))
	cmd.Err = errors.Join(cmd.Err, err)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + line + `"`} // which takes quotes as they stand
	return cmd
}

//go:build linux

package storetest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Spawn starts a process that gets a signal when this one ends, however it does. The channel is closed when the process has
// ended; then cmd.ProcessState says how.
func Spawn(cmd *exec.Cmd, last syscall.Signal) (ended <-chan struct{}, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = last
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the kernel sends the signal when the thread ends that started the process
		defer runtime.UnlockOSThread()
		defer close(done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // however it ends
		}
	}()
	return done, <-started
}

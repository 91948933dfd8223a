//go:build linux

package storetest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Spawn starts a process that gets a signal when this one ends, however it ends. The channel is closed when the process
// has ended; cmd.ProcessState then says how.
func Spawn(cmd *exec.Cmd, last syscall.Signal) (ended <-chan struct{}, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = last
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // the kernel sends the signal when the thread that started the process ends
		defer runtime.UnlockOSThread()
		defer close(done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // its error does not matter
		}
	}()
	return done, <-started
}

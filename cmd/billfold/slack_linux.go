package main

import (
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// timerSlack is how late the system may end a sleep of the program's threads.
	timerSlack = time.Millisecond

	// usualSlack is Linux' own.
	usualSlack = 50 * time.Microsecond

	// startedAnew in the environment says that the program started itself anew: it does so once.
	startedAnew = "BILLFOLD_STARTED_ANEW"
)

// relaxTimers starts the program anew, in the same process, so that its threads sleep with timerSlack. While anything runs,
// one of Go's own threads sleeps 20 µs at a time, which Linux makes 70: in a program that is paid through, that
// thread alone is a tenth of the processor time, and with this hardly any. A thread has its slack from the one that
// made it, and Go makes that thread before any code of the program runs, so nothing less helps.
//
// It returns in the program that was started anew. It also returns when somebody chose another slack, as
// TimerSlackNSec of systemd does, and when the program cannot be started anew: then nothing changes. Nothing may have been opened, read or
// printed before, and no signal be waited for.
func relaxTimers() {
	if os.Getenv(startedAnew) != "" {
		_ = os.Unsetenv(startedAnew)
		return
	}
	runtime.LockOSThread() // what this thread has, those of the program started anew have
	defer runtime.UnlockOSThread()
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil || time.Duration(slack) != usualSlack {
		return
	}
	path, err := os.Executable()
	if err != nil || setSlack(timerSlack) != nil {
		return
	}
	_ = syscall.Exec(path, os.Args, append(os.Environ(), startedAnew+"=1")) // it returns only with a fault
	_ = setSlack(usualSlack)
}

func setSlack(slack time.Duration) error {
	return unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(slack.Nanoseconds()), 0, 0, 0)
}

package main

import (
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// timerSlack is the maximum delay with which the system ends a sleep of the program's threads.
	timerSlack = time.Millisecond

	// defaultSlack is Linux's default.
	defaultSlack = 50 * time.Microsecond

	// restartedVar is the environment variable that marks the re-executed program, so that it re-executes only once.
	restartedVar = "BILLFOLD_STARTED_ANEW"
)

// relaxTimers re-executes the program in the same process, so that its threads sleep with timerSlack. While anything runs,
// one of Go's own threads sleeps 20 µs at a time, which Linux extends to 70. In a program that makes many payments, that
// thread alone takes a tenth of the processor time, and with the larger slack hardly any. A thread inherits its slack from
// the one that made it, and Go makes that thread before any code of the program runs, so nothing less helps.
//
// It returns in the re-executed program. It also returns, without any change, if somebody has set another slack, as
// TimerSlackNSec of systemd does, or if the program cannot be re-executed. It must be called before anything is opened, read
// or printed, and before signals are caught.
func relaxTimers() {
	if os.Getenv(restartedVar) != "" {
		_ = os.Unsetenv(restartedVar)
		return
	}
	runtime.LockOSThread() // the threads of the re-executed program inherit the slack of this one
	defer runtime.UnlockOSThread()
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil || time.Duration(slack) != defaultSlack {
		return
	}
	path, err := os.Executable()
	if err != nil || setSlack(timerSlack) != nil {
		return
	}
	_ = syscall.Exec(path, os.Args, append(os.Environ(), restartedVar+"=1")) // returns only if it fails
	_ = setSlack(defaultSlack)
}

func setSlack(slack time.Duration) error {
	return unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(slack.Nanoseconds()), 0, 0, 0)
}

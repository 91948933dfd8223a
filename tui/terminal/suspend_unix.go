//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopWait is how long a stop may take.
const stopWait = 200 * time.Millisecond

// notifyBack has c hear that the program goes on after ctrl+z.
func notifyBack(c chan<- os.Signal) { signal.Notify(c, syscall.SIGCONT) }

// Suspend stops the processes of the terminal's job, as ctrl+z does, and returns once they go on. stopped is false where nothing was
// stopped: no shell is there that could let it go on.
func Suspend() (stopped bool) {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return false
	}
	late := time.NewTimer(stopWait)
	defer late.Stop()
	select {
	case <-goesOn:
		return true
	case <-late.C: // also where it was stopped for longer than that
	}
	select {
	case <-goesOn:
		return true
	case <-time.After(stopWait / 4):
		return false
	}
}

//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopWait is the time that a stop may take.
const stopWait = 200 * time.Millisecond

// notifyResumed has c notified when the program resumes after ctrl+z.
func notifyResumed(c chan<- os.Signal) { signal.Notify(c, syscall.SIGCONT) }

// Suspend stops the processes of the terminal's job, as ctrl+z does, and returns once they resume. stopped is false if nothing was
// stopped, because there is no shell that could resume the job.
func Suspend() (stopped bool) {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return false
	}
	late := time.NewTimer(stopWait)
	defer late.Stop()
	select {
	case <-continued:
		return true
	case <-late.C: // the timer fires as well if the job was stopped for longer than that
	}
	select {
	case <-continued:
		return true
	case <-time.After(stopWait / 4):
		return false
	}
}

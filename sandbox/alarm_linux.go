package sandbox

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// alarm wakes one sleeper on time. The runtime's timers wake him up to a millisecond late in a
// process that has little else to do, which is much on a short line.
type alarm struct{ file *os.File } // nil: the system gives none

func newAlarm() *alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return &alarm{}
	}
	return &alarm{os.NewFile(uintptr(fd), "alarm")}
}

// sleep waits for so long, or until the alarm is ended. It reports whether it could.
func (a *alarm) sleep(d time.Duration) bool {
	if a.file == nil {
		return false
	}
	raw, err := a.file.SyscallConn()
	if err != nil {
		return false
	}
	once := unix.ItimerSpec{Value: unix.NsecToTimespec(d.Nanoseconds())}
	if raw.Control(func(fd uintptr) { err = unix.TimerfdSettime(int(fd), 0, &once, nil) }) != nil || err != nil {
		return false
	}
	var expirations [8]byte
	_, _ = a.file.Read(expirations[:]) // fails when the alarm was ended, and then nobody waits
	return true
}

// end wakes the sleeper; nobody sleeps any more.
func (a *alarm) end() {
	if a.file != nil {
		_ = a.file.Close()
	}
}

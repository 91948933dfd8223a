package sandbox

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// alarm wakes one sleeper on time. In an otherwise idle process the runtime's timers fire up to a
// millisecond late, which is a lot for a short round trip.
type alarm struct{ file *os.File } // nil if the system provides no timer

func newAlarm() *alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return &alarm{}
	}
	return &alarm{os.NewFile(uintptr(fd), "alarm")}
}

// sleep waits for d, or until close. It returns false at once if the alarm cannot be used.
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
	_, _ = a.file.Read(expirations[:]) // fails if the alarm was closed, and then nobody waits
	return true
}

// close wakes the sleeper. The alarm cannot be used again.
func (a *alarm) close() {
	if a.file != nil {
		_ = a.file.Close()
	}
}

//go:build unix

package terminal

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// silence is how long nothing comes once a paste is over, also over a slow line.
const silence = 150 * time.Millisecond

// mostDropped is how many bytes of what was dropped are returned.
const mostDropped = 1 << 20

// Drain drops what was typed or pasted at a terminal and not read yet, until nothing more comes, and returns it.
// Nothing of it is shown. On what is no terminal it does nothing.
func Drain(ctx context.Context, file *os.File) (dropped []byte, err error) {
	fd := int(file.Fd())
	if !term.IsTerminal(fd) {
		return nil, nil
	}
	before, err := term.MakeRaw(fd) // else half a line would wait for its end
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, term.Restore(fd, before)) }()
	part := make([]byte, 4096)
	for {
		more, err := comes(fd, silence)
		if err != nil || !more || ctx.Err() != nil {
			return dropped, errors.Join(err, ctx.Err())
		}
		n, err := file.Read(part)
		if n == 0 || err != nil {
			return dropped, nil // the terminal is gone: whoever reads next hears it
		}
		dropped = append(dropped, part[:min(n, mostDropped-len(dropped))]...)
	}
}

// waits reports whether something can be read now.
func waits(file *os.File) bool {
	more, err := comes(int(file.Fd()), 0)
	return more && err == nil
}

// comes waits until something can be read. A signal does not end the waiting.
func comes(fd int, wait time.Duration) (bool, error) {
	for end := time.Now().Add(wait); ; {
		left := max(time.Until(end), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int((left+time.Millisecond-1)/time.Millisecond))
		if !errors.Is(err, unix.EINTR) {
			return n > 0, err
		}
	}
}

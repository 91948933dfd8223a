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

// pasteGap is the silence after which a paste counts as finished, even over a slow connection.
const pasteGap = 150 * time.Millisecond

// maxDropped is the maximum number of the dropped bytes that Drain returns.
const maxDropped = 1 << 20

// Drain drops what was typed or pasted at a terminal and not read yet, until nothing more arrives, and returns it. Nothing of it is
// shown. It does nothing if file is not a terminal.
func Drain(ctx context.Context, file *os.File) (dropped []byte, err error) {
	fd := int(file.Fd())
	if !term.IsTerminal(fd) {
		return nil, nil
	}
	before, err := term.MakeRaw(fd) // in cooked mode an unfinished line could not be read
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, term.Restore(fd, before)) }()
	part := make([]byte, 4096)
	for {
		more, err := waitForInput(fd, pasteGap)
		if err != nil || !more || ctx.Err() != nil {
			return dropped, errors.Join(err, ctx.Err())
		}
		n, err := file.Read(part)
		if n == 0 || err != nil {
			return dropped, nil // the terminal is gone: the next read reports it
		}
		dropped = append(dropped, part[:min(n, maxDropped-len(dropped))]...)
	}
}

// hasInput reports whether something can be read now.
func hasInput(file *os.File) bool {
	more, err := waitForInput(int(file.Fd()), 0)
	return more && err == nil
}

// waitForInput waits until something can be read and reports whether something can. A signal does not end the wait.
func waitForInput(fd int, wait time.Duration) (bool, error) {
	for end := time.Now().Add(wait); ; {
		left := max(time.Until(end), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int((left+time.Millisecond-1)/time.Millisecond))
		if !errors.Is(err, unix.EINTR) {
			return n > 0, err
		}
	}
}

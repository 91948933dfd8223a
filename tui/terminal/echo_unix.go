//go:build unix

package terminal

import (
	"bufio"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// disableEcho has a terminal show nothing of what is typed; line editing and signal keys still work. restore undoes that, and can
// drop what was typed and not read; again turns echo off once more after a shell had the terminal.
func disableEcho(fd int) (restore func(drop bool), again func(), err error) {
	before, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, nil, err
	}
	silent := *before
	silent.Lflag &^= unix.ECHO
	silent.Lflag |= unix.ICANON | unix.ISIG
	silent.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(fd, setTermios, &silent); err != nil {
		return nil, nil, err
	}
	again = func() { _ = unix.IoctlSetTermios(fd, flushTermios, &silent) }
	return func(drop bool) {
		request := uint(setTermios)
		if drop {
			request = flushTermios
		}
		_ = unix.IoctlSetTermios(fd, request, before)
	}, again, nil
}

// readHidden reads a line of at most the given number of bytes from a terminal without echo, and leaves nothing of it in a buffer.
// ctrl+D on an empty line is io.EOF.
func readHidden(file *os.File, most int) (string, error) {
	part := make([]byte, 1<<12)
	defer clear(part)
	var line []byte
	defer func() { clear(line) }()
	for {
		n, err := file.Read(part)
		switch {
		case n > 0 && len(line)+n > most:
			return "", bufio.ErrTooLong
		case n > 0 && part[n-1] == '\n':
			line = append(line, part[:n-1]...)
			return string(line), nil
		case n > 0: // ctrl+D inside a line
			line = append(line, part[:n]...)
		case err != nil:
			return "", err
		default:
			return "", io.EOF
		}
	}
}

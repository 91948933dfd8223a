//go:build unix

package terminal

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// IsLight asks the terminal on standard input and output whether its background is light. No answer within limit counts as dark. It
// must not run while keys are read.
func IsLight(limit time.Duration) bool {
	in, out := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	if !term.IsTerminal(in) || !term.IsTerminal(out) {
		return false
	}
	old, err := term.MakeRaw(in)
	if err != nil {
		return false
	}
	defer term.Restore(in, old)
	if _, err := os.Stdout.WriteString(askBackground); err != nil {
		return false
	}
	var text []byte
	for end := time.Now().Add(limit); !answerComplete(string(text)) && len(text) < 256; {
		wait := time.Until(end)
		if wait <= 0 || !readable(in, wait) {
			break
		}
		var b [64]byte
		n, err := os.Stdin.Read(b[:])
		if err != nil {
			break
		}
		text = append(text, b[:n]...)
	}
	light, _ := parseBackground(string(text))
	return light
}

func readable(fd int, wait time.Duration) bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(wait/time.Millisecond)+1)
	return err == nil && n > 0
}

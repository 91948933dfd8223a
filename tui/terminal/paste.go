package terminal

import (
	"os"
	"unicode/utf8"
)

// The marks that a terminal puts around a paste.
const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// substitute stands for a byte of a paste that is no text: a control character, which
// fields show and name.
const substitute = 0x1a

// WholePaste is a terminal whose pastes arrive whole. The library drops bytes that are
// not UTF-8 out of them, so that 1\xff5 would be typed as 15; here they are
// substituted first. What is outside of pastes stays as it is.
type WholePaste struct {
	*os.File
	inside bool
	marked int // how many bytes of the next mark were read
	open   int // how many bytes of a character that was cut are still to come
}

// Read implements io.Reader. It changes bytes, never their number.
func (p *WholePaste) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	p.substitute(b[:n])
	return n, err
}

func (p *WholePaste) substitute(b []byte) {
	for i := 0; i < len(b); {
		p.follow(b[i])
		switch {
		case !p.inside || b[i] < utf8.RuneSelf && p.open == 0:
			i++
		case p.open > 0:
			i += p.finish(b[i:])
		default:
			i += p.character(b[i:])
		}
	}
}

// follow keeps track of the marks.
func (p *WholePaste) follow(c byte) {
	mark := pasteBegin
	if p.inside {
		mark = pasteEnd
	}
	switch {
	case c == mark[p.marked]:
		p.marked++
	case c == mark[0]:
		p.marked = 1
	default:
		p.marked = 0
	}
	if p.marked == len(mark) {
		p.inside, p.marked, p.open = !p.inside, 0, 0
	}
}

// finish takes the next byte of a character that the last reading cut.
func (p *WholePaste) finish(b []byte) int {
	if p.open--; utf8.RuneStart(b[0]) { // it never ends
		p.open = 0
		if p.marked == 0 {
			b[0] = substitute
		}
	}
	return 1
}

// character takes one character, or what is none.
func (p *WholePaste) character(b []byte) int {
	r, size := utf8.DecodeRune(b)
	switch {
	case r != utf8.RuneError:
	case !utf8.FullRune(b):
		p.open = missing(b)
		return len(b)
	default: // also the character that stands for what could not be read elsewhere
		for i := range size {
			b[i] = substitute
		}
	}
	return size
}

// missing is how many bytes a character that is cut lacks.
func missing(b []byte) int {
	size := 2
	switch {
	case b[0] >= 0xf0:
		size = 4
	case b[0] >= 0xe0:
		size = 3
	}
	return size - len(b)
}

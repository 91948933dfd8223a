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

// substitute replaces a byte of a paste that is not text: a control character, which fields show and name.
const substitute = 0x1a

// WholePaste is a terminal whose pastes arrive whole. Bubbletea drops bytes that are not UTF-8 from pastes, so that 1\xff5 would
// become 15; here such bytes are substituted first. Input outside pastes is not changed.
type WholePaste struct {
	*os.File
	inside  bool
	marked  int // how many bytes of the next mark were read
	pending int // how many bytes of a character that the last read cut are still to come
}

// Read implements io.Reader. It changes bytes, never their number.
func (p *WholePaste) Read(b []byte) (int, error) {
	n, err := p.File.Read(b)
	p.substitute(b[:n])
	return n, err
}

func (p *WholePaste) substitute(b []byte) {
	for i := 0; i < len(b); {
		p.trackMarks(b[i])
		switch {
		case !p.inside || b[i] < utf8.RuneSelf && p.pending == 0:
			i++
		case p.pending > 0:
			i += p.continueCharacter(b[i:])
		default:
			i += p.takeCharacter(b[i:])
		}
	}
}

// trackMarks keeps track of the marks that begin and end a paste.
func (p *WholePaste) trackMarks(c byte) {
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
		p.inside, p.marked, p.pending = !p.inside, 0, 0
	}
}

// continueCharacter takes the next byte of a character that the last read cut.
func (p *WholePaste) continueCharacter(b []byte) int {
	if p.pending--; utf8.RuneStart(b[0]) { // the character was never completed
		p.pending = 0
		if p.marked == 0 {
			b[0] = substitute
		}
	}
	return 1
}

// takeCharacter takes one character, or substitutes what is not one, and returns its size.
func (p *WholePaste) takeCharacter(b []byte) int {
	r, size := utf8.DecodeRune(b)
	switch {
	case r != utf8.RuneError:
	case !utf8.FullRune(b):
		p.pending = missingBytes(b)
		return len(b)
	default: // U+FFFD as well, which stands for what another program could not read
		for i := range size {
			b[i] = substitute
		}
	}
	return size
}

// missingBytes returns how many bytes are missing from a character that was cut.
func missingBytes(b []byte) int {
	size := 2
	switch {
	case b[0] >= 0xf0:
		size = 4
	case b[0] >= 0xe0:
		size = 3
	}
	return size - len(b)
}

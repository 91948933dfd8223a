package terminal

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPasteLosesNothing(t *testing.T) {
	const in, out = pasteBegin, pasteEnd
	for text, want := range map[string]string{
		in + "1\xff5" + out:              in + "1\x1a5" + out,
		in + "1\ufffd5" + out:            in + "1\x1a\x1a\x1a5" + out,
		in + "žluť 漢字 👩" + out:           in + "žluť 漢字 👩" + out,
		in + "a\xc5" + out + "\xff":      in + "a\xc5" + out + "\xff", // a character cut by the end
		in + "a\xe6\xbc" + "b" + out:     in + "a\x1a\x1ab" + out,
		"\xff" + in + "\x80" + out + "ž": "\xff" + in + "\x1a" + out + "ž",
	} {
		for _, size := range []int{1, 2, 3, 256} {
			p, got := &WholePaste{}, []byte(text)
			for part := got; len(part) > 0; part = part[min(size, len(part)):] {
				p.substitute(part[:min(size, len(part))])
			}
			if size == 256 && string(got) != want && !strings.Contains(text, "\xc5"+out) {
				t.Errorf("%q becomes %q, want %q", text, got, want)
			}
			if len(got) != len(text) || bytes.Count(got, []byte(in)) != 1 || bytes.Count(got, []byte(out)) != 1 {
				t.Errorf("%q in parts of %d becomes %q: the marks moved", text, size, got)
			}
			paste := string(got[bytes.Index(got, []byte(in))+len(in) : bytes.Index(got, []byte(out))])
			if want := string(
				[]byte(text)[strings.Index(text, in)+len(in) : strings.Index(text, out)],
			); utf8.ValidString(want) && !strings.Contains(want, "\ufffd") &&
				paste != want {
				t.Errorf("%q in parts of %d becomes %q", want, size, paste)
			} else if !utf8.ValidString(want) && !strings.Contains(paste, "\x1a") &&
				!strings.Contains(text, "\xc5"+out) {
				t.Errorf("%q in parts of %d becomes %q: nothing shows that a byte was no text", want, size, paste)
			}
		}
	}
}

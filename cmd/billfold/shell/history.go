package shell

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/commandline"
)

// mostHistory is how many lines are read back.
const mostHistory = 1000

// History keeps typed lines in a file of the owner's, "" = none.
type History struct{ Path string }

// Keeps reports whether a line may be recalled while the prompt runs, and whether it may also be
// written to disk. A line that takes a secret is neither; so is one that cannot be read, which
// might hold one. One with a memo, or whose result is secret, is not recorded.
func Keeps(line string) (recall, write bool) {
	parsed, err := commandline.Parse(line)
	if err != nil || ledger.HoldsWIF(line) {
		return false, false
	}
	if parsed.Method == "quit" || parsed.Method == "exit" {
		return len(parsed.Params) == 0, false
	}
	m := Find(parsed.Method)
	if m == nil {
		return false, false
	}
	for _, p := range m.Params {
		if p.Secret {
			return false, false
		}
	}
	return true, !m.Secret
}

// Read returns the last lines that were kept, the oldest first.
func (h History) Read() []string {
	file, err := os.Open(h.Path)
	if h.Path == "" || err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	var lines []string
	for scan := bufio.NewScanner(file); scan.Scan(); {
		if _, write := Keeps(scan.Text()); write {
			lines = append(lines, scan.Text())
		}
	}
	return lines[max(0, len(lines)-mostHistory):]
}

// Add keeps a line if it may be kept.
func (h History) Add(line string) error {
	if _, write := Keeps(line); !write || h.Path == "" || strings.ContainsAny(line, "\r\n") {
		return nil
	}
	file, err := os.OpenFile(h.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, line)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

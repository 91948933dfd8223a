package shell

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/commandline"
)

// maxHistory is the maximum number of lines that Read returns.
const maxHistory = 1000

// History keeps typed lines in a file that only its owner can read. Path "" = none.
type History struct{ Path string }

// MayKeep reports whether a line may be recalled while the prompt runs, and whether it may also be
// written to disk. Neither is allowed for an operation that takes a secret, nor for a line that
// cannot be parsed, which might hold one. The line of an operation that takes a memo, or whose
// result is secret, is not written.
func MayKeep(line string) (recall, write bool) {
	parsed, err := commandline.Parse(line)
	if err != nil || ledger.SecretIn(line) != "" {
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

// Read returns the latest lines in the file, the oldest first.
func (h History) Read() []string {
	file, err := os.Open(h.Path)
	if h.Path == "" || err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	var lines []string
	for scan := bufio.NewScanner(file); scan.Scan(); {
		if _, write := MayKeep(scan.Text()); write {
			lines = append(lines, scan.Text())
		}
	}
	return lines[max(0, len(lines)-maxHistory):]
}

// Add appends a line to the file if it may be written.
func (h History) Add(line string) error {
	if _, write := MayKeep(line); !write || h.Path == "" || strings.ContainsAny(line, "\r\n") {
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

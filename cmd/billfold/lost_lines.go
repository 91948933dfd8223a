package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"

	"github.com/peterh/liner"
)

// readAhead returns the input that the editor has read and not returned, which is lost with the editor. The editor does not export it, so
// this reads its buffer by reflection; it returns nil if the editor's fields have changed.
func readAhead(editor *liner.State) []byte {
	in := reflect.ValueOf(editor).Elem().FieldByName("r")
	if !in.IsValid() || in.Type() != reflect.TypeFor[*bufio.Reader]() || in.IsNil() {
		return nil
	}
	buffer, from, to := in.Elem().FieldByName("buf"), in.Elem().FieldByName("r"), in.Elem().FieldByName("w")
	if !buffer.IsValid() || !from.CanInt() || !to.CanInt() {
		return nil
	}
	return bytes.Clone(buffer.Bytes()[from.Int():to.Int()])
}

// lostLines returns the lines in dropped input, without keys that type nothing.
func lostLines(dropped []byte) (lines []string) {
	for line := range strings.FieldsFuncSeq(string(dropped), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '\x1b' {
			lines = append(lines, line)
		}
	}
	return lines
}

// maxLost is the maximum number of characters shown of a line that was not run.
const maxLost = 60

// printLost prints which lines were not run, because they were typed before a question that they do not answer. It does not show
// a line that might hold a secret.
func printLost(out io.Writer, dropped []byte) {
	lines := lostLines(dropped)
	if len(lines) == 0 {
		return
	}
	first := "not shown, because it may hold a secret"
	if recall, _ := shell.MayKeep(lines[0]); recall {
		first = printable.Quote(lines[0], maxLost)
	}
	if len(lines) == 1 {
		fmt.Fprintf(out, "a line that came before this question was not run: %s\n", first)
		return
	}
	fmt.Fprintf(out, "%d lines that came before this question were not run; the first: %s\n", len(lines), first)
}

package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"billfold/ledger/printable"
)

// section describes one thing that a word is.
type section struct {
	title string
	lines [][2]string
}

func (s *section) add(name, value string) {
	if value != "" {
		s.lines = append(s.lines, [2]string{name, value})
	}
}

// addMembers adds the plain members of an object, until the section has most lines.
func (s *section) addMembers(raw json.RawMessage, most int) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return
	}
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		text := strings.Trim(string(object[name]), `"`)
		if plain := !strings.ContainsAny(text, "{["); plain && text != "" && name != "id" && len(s.lines) < most {
			s.add(name, text)
		}
	}
}

// printAll prints sections with a blank line between them.
func printAll(out io.Writer, sections []section) {
	for i, s := range sections {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, printable.Text(s.title))
		for _, line := range s.lines {
			fmt.Fprintf(out, "  %-14s %s\n", printable.Text(line[0]), printable.Text(line[1]))
		}
	}
}

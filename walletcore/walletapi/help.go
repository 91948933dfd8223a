package walletapi

import (
	"fmt"
	"strings"

	"billfold/walletcore/fault"
	"billfold/walletcore/spelling"
)

// help returns one line per method, under the headings of the groups.
func (t *table) help() string {
	var b strings.Builder
	group := ""
	for _, m := range t.methods {
		if m.Group != group {
			group = m.Group
			fmt.Fprintf(&b, "\n%s\n", group)
		}
		fmt.Fprintf(&b, "  %-28s %s\n", m.Name, m.Help)
	}
	return b.String()[1:] + "\nget_help METHOD explains one of them.\n"
}

// helpFor explains one method. Error: fault.UnknownHelp.
func (t *table) helpFor(name string) (string, error) {
	m := t.byName[name]
	if m == nil {
		return "", t.noSuchMethod(fault.UnknownHelp, "get_help", name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nusage: %s\n\n%s\n", m.Usage(), m.Help)
	for _, p := range m.Params {
		fmt.Fprintf(&b, "  %-20s %-12s %s\n", p.Name, p.Type, p.Help)
	}
	fmt.Fprintf(&b, "result: %s\ntouches: %s\n", m.Result, m.Touches)
	if m.NeedsUnlock {
		b.WriteString("The wallet must be unlocked.\n")
	}
	for _, e := range m.Examples {
		b.WriteString(strings.TrimSpace("example: "+m.Name+" "+e) + "\n")
	}
	return b.String(), nil
}

// noSuchMethod returns the error of an unknown operation. It suggests the operation with the nearest name, and does
// not repeat a text that may be a secret.
func (t *table) noSuchMethod(code fault.Code, op, name string) error {
	e := &fault.Error{Code: code, Op: op, Message: "there is no wallet operation " + show(name), Hint: "help lists them all"}
	if near := spelling.Nearest(name, t.names()); near != "" {
		e.Message, e.Hint = e.Message+"; did you mean "+near+"?", ""
	} else if !isName(name) {
		e.Message = "there is no such wallet operation, and what was given is not repeated, as it may be a password or a key"
	}
	return e
}

// isName reports whether a text reads as the name of an operation of some program, and so as neither a password nor a key: letters in small or
// capital words, with dots, dashes or underscores between.
func isName(text string) bool {
	capitals := 0
	for _, r := range text {
		switch {
		case r >= 'A' && r <= 'Z':
			capitals++
		case (r < 'a' || r > 'z') && !strings.ContainsRune("_.-", r):
			return false
		}
	}
	return len(text) <= 40 && (3*capitals <= len(text) || text == strings.ToUpper(text))
}

package settings

import (
	"slices"
	"strings"

	"billfold/tui/screen"
)

// Commands implements screen.Commander: the setting in focus as a flag, a variable and a line of the file. A value that
// may hold a password is in none of them.
func (m *Model) Commands(screen.Env) []screen.Value {
	s, there := m.current()
	if !there || s.Source == "default" && !slices.Contains(s.Choices, s.Value) || strings.Contains(s.Value, "@") {
		return nil
	}
	return []screen.Value{
		{Name: "Command", Text: screen.ShellLine("billfold", "--"+s.Name+"="+s.Value)},
		{Name: "Variable", Text: s.Variable + "=" + screen.ShellLine(s.Value) + " billfold"},
		{Name: "In a file", Text: s.Name + ": " + s.Value},
	}
}

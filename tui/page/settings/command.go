package settings

import (
	"slices"
	"strings"

	"billfold/tui/screen"
)

// Commands implements screen.Commander: the setting in focus as a flag, a variable and a line of the file. There are none for
// a value that may hold a password.
func (m *Model) Commands(screen.Env) []screen.ShellCommand {
	s, there := m.focused()
	if !there || s.Source == "default" && !slices.Contains(s.Choices, s.Value) || strings.Contains(s.Value, "@") {
		return nil
	}
	return []screen.ShellCommand{
		{Name: "Command", Start: true, Sets: []string{s.Name}, Words: []string{"--" + s.Name + "=" + s.Value}},
		{Name: "Variable", Start: true, Sets: []string{s.Name}, Before: s.Variable + "=" + screen.ShellLine(s.Value)},
		{Name: "In a file", Text: s.Name + ": " + s.Value},
	}
}

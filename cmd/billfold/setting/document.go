package setting

import (
	"fmt"
	"strings"
)

// Markdown returns the settings as a table for the documentation.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| flag and name in the file | environment | value | default | what it does |\n|---|---|---|---|---|\n")
	for i := range t.settings {
		s := &t.settings[i]
		name := "`--" + s.Name + "`"
		switch {
		case s.Secret:
			name = "`" + s.Name + "` (no flag)"
		case s.Early:
			name += " (not in the file)"
		case s.Scope == Program:
			name += " ¹"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", name, s.Variable(t.prefix), cell(kind(s)), cell(defaultText(s)), cell(s.Help))
	}
	return b.String()
}

func kind(s *Setting) string {
	text := s.Value.Kind
	if s.Example != "" {
		text += " such as " + s.Example
	}
	if s.Value.list {
		text += "; one or several"
	}
	if s.Assumed != "" {
		text += "; without a value " + s.Assumed
	}
	return text
}

// defaultText returns the default in words.
func defaultText(s *Setting) string {
	switch {
	case s.Depends != "":
		return s.Depends
	case s.Default != "":
		return s.Default
	case s.Value.isBool:
		return "false"
	}
	return "not set"
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Text returns the value of a setting as it was written, or its default in words.
func (t *Table) Text(name string) string {
	if t.Source(name) == FromDefault {
		return defaultText(t.find(name))
	}
	return t.viper.GetString(name)
}

// InFile returns the text of a setting in the file, and reports whether the file has it.
func (t *Table) InFile(name string) (text string, there bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, there = t.fileText[name]
	return text, there
}

// Adopt takes over the text of a setting from the table of a changed file.
func (t *Table) Adopt(name string, file *Table) {
	text, there := file.InFile(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	if delete(t.fileText, name); there {
		t.fileText[name] = text
	}
}

// Default returns the default of a setting in words.
func (t *Table) Default(name string) string { return defaultText(t.find(name)) }

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
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s |\n", name, s.Variable(t.prefix), cell(kind(s)), cell(standard(s)), cell(s.Help))
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

// standard is the default in words.
func standard(s *Setting) string {
	switch {
	case s.Depends != "":
		return s.Depends
	case s.Default != "":
		return s.Default
	case s.Value.truth:
		return "false"
	}
	return "not set"
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Text is the value of a setting as it was written; of a default in words where it depends on others.
func (t *Table) Text(name string) string {
	if t.Source(name) == FromDefault {
		return standard(t.find(name))
	}
	return t.viper.GetString(name)
}

// Filed is how the file writes a setting; false where it does not.
func (t *Table) Filed(name string) (text string, there bool) {
	t.taking.Lock()
	defer t.taking.Unlock()
	text, there = t.filed[name]
	return text, there
}

// Took notes that what a file says now of a setting counts from now on.
func (t *Table) Took(name string, file *Table) {
	text, there := file.Filed(name)
	t.taking.Lock()
	defer t.taking.Unlock()
	if delete(t.filed, name); there {
		t.filed[name] = text
	}
}

// Default is the default of a setting in words.
func (t *Table) Default(name string) string { return standard(t.find(name)) }

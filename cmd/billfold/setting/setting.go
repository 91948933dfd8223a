// Package setting reads settings from flags, environment, a file and defaults, in
// this order of preference, by a table that declares each of them once. Flags,
// help and documentation come from the same table.
//
// It fails closed: a name that is not in the table, a value that its setting
// cannot have, and a file that can be read in two ways are errors, also where
// another source has the last word. No setting is ever left out silently.
package setting

import (
	"fmt"
	"strconv"
	"strings"
)

// Scope is the set of commands that have a setting as a flag. Environment and file set it
// for every command.
type Scope int

const (
	Everywhere Scope = iota // the program and its commands that open the wallet's folder
	Program                 // the program without a command
)

// Setting declares one thing that the user can choose.
type Setting struct {
	Name    string // the flag without dashes, and the key in the file
	Value   Value  // its type, and where the value goes
	Default string // as a user would write it; "" = what is stored by the caller before
	Assumed string // what the flag means without a value; "" = it needs one
	Example string // a value that is not the default; needed unless it is a Bool or a Choice
	Help    string // one line for --help and the documentation
	Depends string // the default in words where it depends on other settings
	Scope   Scope
	Early   bool // needed before the file is found, so not allowed in it
	Secret  bool // the value stands in no error, help or documentation, and there is no flag
	// Idle returns why the setting has no effect beside the others, "" when it
	// has; nil = it always has. A flag without effect is an error.
	Idle func() string
}

// Variable returns the setting's name in an environment.
func (s *Setting) Variable(prefix string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
}

// Source is where a value came from.
type Source int

// In order of preference, the last one first.
const (
	FromDefault Source = iota
	FromFile
	FromEnvironment
	FromFlag
)

// Sample returns a value that the setting can have and that is not its default.
func (s *Setting) Sample() string {
	switch {
	case s.Example != "":
		return s.Example
	case s.Value.truth:
		return strconv.FormatBool(s.Default != "true")
	}
	for _, c := range s.Value.Choices {
		if c != s.Default {
			return c
		}
	}
	return ""
}

// wrong reports what is wrong with a value, and where it stands.
func (s *Setting) wrong(where, text string, err error) error {
	if s.Secret {
		return fmt.Errorf("%s: the value is not %s", where, s.Value.Kind)
	}
	return fmt.Errorf("%s: %w", where, err)
}

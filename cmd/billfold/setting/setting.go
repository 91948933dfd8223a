// Package setting reads settings from flags, environment, a file and defaults, in
// this order of preference, by a table that declares each of them once. Flags,
// help and documentation come from the same table.
//
// It fails closed: an unknown name, an invalid value, and a file that can be read in
// two ways are errors, even if another source overrides the setting. No setting is
// ever ignored silently.
package setting

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Scope is the set of commands that have a setting as a flag. The environment and the file
// set it for every command.
type Scope int

const (
	Everywhere Scope = iota // the program and its commands that open the wallet's folder
	Program                 // the program without a command
)

// Setting declares one setting.
type Setting struct {
	Name     string // the flag without dashes, and the key in the file
	Value    Value  // its type, and the variable it sets
	Default  string // as a user would write it; "" = the variable keeps its value
	Assumed  string // the value of the flag without one; "" = it needs a value
	Example  string // a value that is not the default; needed unless it is a Bool or a Choice
	Help     string // one line for --help and the documentation
	Depends  string // the default in words if it depends on other settings
	Scope    Scope
	Early    bool // needed to find the file, so not allowed in it
	Secret   bool // there is no flag, and the value is in no error, help or documentation
	OfWallet bool // the wallet that carries a command out has its own: a server does not take that of the command
	// Idle returns why the setting has no effect with the other settings, "" if it
	// has one; nil = it always has one. A flag without effect is an error.
	Idle func() string
}

// Variable returns the setting's name in an environment.
func (s *Setting) Variable(prefix string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.Name, "-", "_"))
}

// Source is the origin of a value.
type Source int

// The sources. Each overrides those before it.
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
	case s.Value.isBool:
		return strconv.FormatBool(s.Default != "true")
	}
	for _, c := range s.Value.Choices {
		if c != s.Default {
			return c
		}
	}
	return ""
}

// parse sets the variable to the text's value. A private key, a phrase or a token is no value of any setting, even if the setting takes any name: it
// would be shown, kept in a folder's name, or sent to a daemon.
func (s *Setting) parse(text string) (string, error) {
	if kind := certainSecret(text); kind != "" {
		return "", &HiddenError{kind: kind}
	}
	return s.Value.parse(text)
}

// valueError returns the error for an invalid value; where says where it was given.
func (s *Setting) valueError(where, text string, err error) error {
	if held, is := errors.AsType[*HiddenError](err); is {
		return &HiddenError{where: where, kind: held.kind}
	}
	if s.Secret {
		return fmt.Errorf("%s: the value is not %s", where, s.Value.Kind)
	}
	return HideSecret(fmt.Errorf("%s: %w", where, err), s.given(where, text))
}

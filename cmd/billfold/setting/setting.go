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
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Scope says which commands have a setting as a flag. Environment and file set it
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

// Table holds the settings of one run. It is not safe for concurrent use.
type Table struct {
	prefix   string
	settings []Setting
	viper    *viper.Viper
	flags    map[string]*pflag.Flag
	variable map[string]bool // set in the environment
	key      map[string]bool // set in the file
}

// New returns a table whose environment variables begin with prefix, such as
// "BILLFOLD_". It panics when two settings share a name: that is a fault of the
// program, found by its first start.
func New(prefix string, settings []Setting) *Table {
	t := &Table{
		prefix: prefix, settings: settings, viper: viper.New(),
		flags: map[string]*pflag.Flag{}, variable: map[string]bool{}, key: map[string]bool{},
	}
	for i, s := range settings {
		if slices.ContainsFunc(settings[:i], func(o Setting) bool { return o.Name == s.Name }) {
			panic("two settings are called " + s.Name)
		}
		t.viper.SetDefault(s.Name, s.Default)
		_ = t.viper.BindEnv(s.Name, s.Variable(prefix)) // fails only without a name
	}
	return t
}

// Settings returns the declarations in the order of the table.
func (t *Table) Settings() []Setting { return t.settings }

// Define adds the flags to root, and those of every command's to its commands.
func (t *Table) Define(root *cobra.Command) {
	for i := range t.settings {
		s := &t.settings[i]
		if s.Secret {
			continue
		}
		set := root.PersistentFlags()
		if s.Scope == Program {
			set = root.Flags()
		}
		f := set.VarPF(&flag{setting: s, text: s.Default}, s.Name, "", usage(s))
		if f.NoOptDefVal = s.Assumed; s.Value.truth {
			f.NoOptDefVal = "true"
		}
		t.flags[s.Name] = f
		_ = t.viper.BindPFlag(s.Name, f) // fails only without a flag
	}
	root.SetFlagErrorFunc(explainFlag)
}

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

func usage(s *Setting) string {
	text := s.Help
	if s.Depends != "" {
		text += " (default " + s.Depends + ")"
	}
	return text
}

// Read takes the settings together and stores each where its Value says. file
// returns the text of the file and its path for errors, once the early settings are
// stored; no text means that there is no file.
func (t *Table) Read(file func() (text []byte, path string, err error)) error {
	if err := t.readEnvironment(os.Environ()); err != nil {
		return err
	}
	if err := t.store(func(s *Setting) bool { return s.Early }); err != nil {
		return err
	}
	text, path, err := file()
	if err != nil {
		return err
	}
	if err := t.readFile(text, path); err != nil {
		return err
	}
	if err := t.store(func(s *Setting) bool { return !s.Early }); err != nil {
		return err
	}
	return t.checkEffect()
}

// store puts the preferred values where they belong.
func (t *Table) store(which func(*Setting) bool) error {
	for i := range t.settings {
		s := &t.settings[i]
		if !which(s) {
			continue
		}
		text := t.viper.GetString(s.Name)
		if text == "" && t.Source(s.Name) == FromDefault {
			continue
		}
		if _, err := s.Value.parse(text); err != nil {
			return s.wrong("--"+s.Name, text, err)
		}
	}
	return nil
}

// Source returns where the value of a setting came from.
func (t *Table) Source(name string) Source {
	switch f := t.flags[name]; {
	case f != nil && f.Changed:
		return FromFlag
	case t.variable[name]:
		return FromEnvironment
	case t.key[name]:
		return FromFile
	}
	return FromDefault
}

// checkEffect finds flags that do nothing beside the other settings. Environment
// and file may prepare for another start.
func (t *Table) checkEffect() error {
	for i := range t.settings {
		s := &t.settings[i]
		if s.Idle == nil || t.Source(s.Name) != FromFlag {
			continue
		}
		if why := s.Idle(); why != "" {
			return fmt.Errorf("--%s has no effect %s", s.Name, why)
		}
	}
	return nil
}

func (t *Table) find(name string) *Setting {
	for i := range t.settings {
		if t.settings[i].Name == name {
			return &t.settings[i]
		}
	}
	return nil
}

func (t *Table) names() []string {
	list := make([]string, len(t.settings))
	for i, s := range t.settings {
		list[i] = s.Name
	}
	return list
}

// wrong says what is wrong with a value, and where it stands.
func (s *Setting) wrong(where, text string, err error) error {
	if s.Secret {
		return fmt.Errorf("%s: the value is not %s", where, s.Value.Kind)
	}
	return fmt.Errorf("%s: %w", where, err)
}

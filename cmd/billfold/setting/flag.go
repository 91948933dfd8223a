package setting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"billfold/walletcore/spelling"
)

// flag is a setting as pflag has it.
type flag struct {
	setting *Setting
	text    string
	given   bool
}

func (f *flag) String() string { return f.text }

// Type is what help shows as the value's name.
func (f *flag) Type() string {
	switch v := f.setting.Value; {
	case v.truth:
		return "bool"
	case v.Choices != nil:
		return strings.Join(v.Choices, "|")
	default:
		return v.Kind
	}
}

// Set keeps the text if it can be a value. A list grows with each flag; of anything else
// there is one value, and no second one that differs.
func (f *flag) Set(text string) error {
	text, err := f.setting.Value.parse(text)
	if err != nil {
		return err
	}
	switch {
	case f.given && f.setting.Value.list:
		text = f.text + "," + text
	case f.given && text != f.text:
		return &twiceError{f.text, text}
	}
	f.text, f.given = text, true
	return nil
}

// explainFlag makes one sentence of what is wrong with a flag.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		near := meantFlag(cmd.Root(), unknown.GetSpecifiedName(), names)
		if near != "" && unknown.GetSpecifiedShortnames() == "" {
			return fmt.Errorf("%w%s", err, near)
		}
		if root, name := cmd.Root(), unknown.GetSpecifiedName(); cmd != root && root.Flags().Lookup(name) != nil {
			return fmt.Errorf("--%s is a flag of %s itself, not of %s; leave it out", name, root.Name(), cmd.CommandPath())
		}
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("%w; flags begin with two dashes; put -- before arguments that begin with a dash", err)
		}
		return fmt.Errorf("%w; %s --help lists them", err, cmd.CommandPath())
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, explainValue(invalid))
	}
	return err
}

// meantFlag is meant for the name of a flag, which may also be that of a command, such as --version in other programs.
func meantFlag(root *cobra.Command, written string, flags []string) string {
	var commands []string
	for _, c := range root.Commands() {
		commands = append(commands, c.Name())
	}
	near := spelling.Nearest(written, slices.Concat(flags, commands))
	if near != "" && !slices.Contains(flags, near) {
		return "; did you mean " + root.Name() + " " + near + "?"
	}
	return meant(written, flags, "--")
}

// explainValue reports what a flag of a command, which is no setting, takes.
func explainValue(e *pflag.InvalidValueError) error {
	if _, twice := errors.AsType[*twiceError](e); twice {
		return errors.Unwrap(e)
	}
	switch e.GetFlag().Value.Type() {
	case "duration":
		return fmt.Errorf("%s is not a time; write it as 500ms, 2s or 1h30m", quoted(e.GetValue()))
	case "int":
		return fmt.Errorf("%s is not a whole number", quoted(e.GetValue()))
	case "uint32":
		return fmt.Errorf("%s is not a whole number from 0 to %d, in digits alone", quoted(e.GetValue()), uint32(math.MaxUint32))
	case "bool":
		return fmt.Errorf("%s is neither true nor false; write one of these", quoted(e.GetValue()))
	}
	return errors.Unwrap(e)
}

// twiceError: a flag was given two values.
type twiceError struct{ one, other string }

func (e *twiceError) Error() string {
	return fmt.Sprintf("it is given as %s and as %s; give it once", quoted(e.one), quoted(e.other))
}

// once is a flag of a command, not a setting, with one value.
type once struct {
	pflag.Value
	given bool
}

// Set refuses a second value that differs.
func (o *once) Set(text string) error {
	before := o.String()
	if err := o.Value.Set(text); err != nil {
		return err
	}
	if after := o.String(); o.given && before != after {
		return &twiceError{before, after}
	}
	o.given = true
	return nil
}

// Once lets no flag of a command and those below it have two values, of which the last
// would be taken silently. Lists, which grow with each, stay as they are.
func Once(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case *flag, *once, pflag.SliceValue:
		default:
			f.Value = &once{Value: f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		Once(below)
	}
}

package setting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"billfold/walletcore/spelling"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flag is a setting as a pflag.Value.
type flag struct {
	setting *Setting
	text    string
	given   bool
}

func (f *flag) String() string { return f.text }

// Type returns the name of the value that help shows.
func (f *flag) Type() string {
	switch v := f.setting.Value; {
	case v.isBool:
		return "bool"
	case v.Choices != nil:
		return strings.Join(v.Choices, "|")
	default:
		return v.Kind
	}
}

// Set stores the text if it is a valid value. A list grows with each flag; for any other
// setting, a second value that differs is refused.
func (f *flag) Set(text string) error {
	text, err := f.setting.parse(text)
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

// explainFlag returns in one sentence what is wrong with a flag.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		near := didYouMeanFlag(cmd.Root(), unknown.GetSpecifiedName(), names)
		if near != "" && unknown.GetSpecifiedShortnames() == "" {
			return fmt.Errorf("%w%s", err, near)
		}
		if root, name := cmd.Root(), unknown.GetSpecifiedName(); cmd != root && root.Flags().Lookup(name) != nil {
			return fmt.Errorf("--%s is a flag of %s itself, not of %s; leave it out", name, root.Name(), cmd.CommandPath())
		}
		if unknown.GetSpecifiedShortnames() != "" {
			// not the error, which has what is attached to the letter: it may be a password
			return fmt.Errorf("unknown shorthand flag: -%s; flags begin with two dashes; put -- before arguments that begin with a dash", unknown.GetSpecifiedName())
		}
		return fmt.Errorf("%w; %s --help lists them", err, cmd.CommandPath())
	case errors.As(err, &invalid):
		name := "--" + invalid.GetFlag().Name
		if own, is := invalid.GetFlag().Value.(*flag); is {
			return own.setting.valueError(name, invalid.GetValue(), explainValue(invalid))
		}
		return HideSecret(fmt.Errorf("%s: %w", name, explainValue(invalid)), Given{name, invalid.GetValue(), true})
	}
	return err
}

// didYouMeanFlag is didYouMean for the name of a flag. The word may also name a command, such as --version in other programs.
func didYouMeanFlag(root *cobra.Command, written string, flags []string) string {
	var commands []string
	for _, c := range root.Commands() {
		commands = append(commands, c.Name())
	}
	near := spelling.Nearest(written, slices.Concat(flags, commands))
	if near != "" && !slices.Contains(flags, near) {
		return "; did you mean " + root.Name() + " " + near + "?"
	}
	return didYouMean(written, flags, "--")
}

// explainValue returns the error for an invalid value of a command's own flag, which is not a setting.
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

// twiceError means that a flag was given two different values.
type twiceError struct{ one, other string }

func (e *twiceError) Error() string {
	return fmt.Sprintf("it is given as %s and as %s; give it once", quoted(e.one), quoted(e.other))
}

// singleFlag is a command's own flag, not a setting, that takes one value.
type singleFlag struct {
	pflag.Value
	given bool
}

// Set refuses a second value that differs.
func (o *singleFlag) Set(text string) error {
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

// RefuseRepeats makes the flags of a command and its subcommands refuse a second value that differs,
// which pflag would take silently. Lists, which grow with each flag, stay as they are.
func RefuseRepeats(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.(type) {
		case *flag, *singleFlag, pflag.SliceValue:
		default:
			f.Value = &singleFlag{Value: f.Value}
		}
	})
	for _, below := range cmd.Commands() {
		RefuseRepeats(below)
	}
}

package setting

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// Set keeps the text if it can be a value. A list grows with each flag.
func (f *flag) Set(text string) error {
	text, err := f.setting.Value.parse(text)
	if err != nil {
		return err
	}
	if f.given && f.setting.Value.list {
		text = f.text + "," + text
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
		if near := meant(unknown.GetSpecifiedName(), names, "--"); near != "" && unknown.GetSpecifiedShortnames() == "" {
			return fmt.Errorf("%w%s", err, near)
		}
		return fmt.Errorf("%w; %s --help lists them", err, cmd.CommandPath())
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s: %w", invalid.GetFlag().Name, errors.Unwrap(invalid))
	}
	return err
}

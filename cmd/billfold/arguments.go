package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"billfold/walletcore/spelling"
)

// strayWord is a word that is no command. Behind which flag it stands is known only to who has the whole command line (placed).
type strayWord struct {
	word  string
	hint  string
	flags *pflag.FlagSet
	flag  string // the one it may be the value of; "" = none
}

// Error implements error.
func (e *strayWord) Error() string {
	hint := e.hint
	if e.flag != "" {
		hint = fmt.Sprintf("if it is the value of --%s, write --%s=%s", e.flag, e.flag, e.word)
	}
	return fmt.Sprintf("there is no command %q; %s", e.word, hint)
}

// placed adds to the error of a command line of words which flag a stray word stands behind that takes it only with =.
func placed(err error, words []string) error {
	stray, is := errors.AsType[*strayWord](err)
	if !is {
		return err
	}
	for i := 1; i < len(words) && words[i-1] != "--" && stray.flag == ""; i++ {
		name, dashed := strings.CutPrefix(words[i-1], "--")
		if f := stray.flags.Lookup(name); words[i] == stray.word && dashed && f != nil && assumes(f, stray.word) {
			stray.flag = name
		}
	}
	return err
}

// assumes reports whether a flag that could have the value has another one where none is given with =.
func assumes(f *pflag.Flag, value string) bool {
	if f.NoOptDefVal == "true" {
		_, err := strconv.ParseBool(value)
		return err == nil
	}
	return f.NoOptDefVal != ""
}

// onlyCommands refuses words that are no command, and names the one that was perhaps meant.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	stray := &strayWord{word: args[0], flags: cmd.Flags(), hint: cmd.CommandPath() + " --help lists them"}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	if near := spelling.Nearest(args[0], names); near != "" {
		stray.hint = "did you mean " + cmd.CommandPath() + " " + near + "?"
	}
	return stray
}

// exactly wants so many arguments, named as in the command's usage line.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing; write %s %s", names[len(args)], cmd.CommandPath(), strings.Join(names, " "))
		case len(args) > len(names):
			return fmt.Errorf("%q is one argument too many; write %s, with quotes around text that has spaces",
				args[len(names)], strings.TrimSpace(cmd.CommandPath()+" "+strings.Join(names, " ")))
		}
		for i, name := range names {
			if strings.TrimSpace(args[i]) == "" {
				return fmt.Errorf("%s is empty; write %s %s", name, cmd.CommandPath(), strings.Join(names, " "))
			}
		}
		return nil
	}
}

// group is a command that only holds others.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = onlyCommands
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// unsettled marks a command that reads no settings: their flags would do nothing.
const unsettled = "reads no settings"

// withoutSettings is a command that reads no settings, and does not show their flags. A template of its own would keep every exported
// method of the program from being left out by the linker.
func withoutSettings(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{unsettled: "yes"}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		cmd.InheritedFlags().VisitAll(func(flag *pflag.Flag) { flag.Hidden = true })
		return cmd.Root().UsageFunc()(cmd)
	})
	return cmd
}

// helpCommand shows the help of a command, and refuses what is none.
func helpCommand() *cobra.Command {
	return withoutSettings(&cobra.Command{
		Use: "help [COMMAND…]", Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if err := onlyCommands(found, rest); err != nil {
				return err
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	})
}

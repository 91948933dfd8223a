package main

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"billfold/cmd/billfold/shell"
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
		hint = fmt.Sprintf("if it is the value of --%s, write --%s=%s", e.flag, e.flag, whole(e.word))
	}
	return fmt.Sprintf("there is no command %q; %s", e.word, hint)
}

// whole makes an address of a port: nothing else that is a number alone is the value of such a flag.
func whole(word string) string {
	if _, err := strconv.ParseUint(word, 10, 16); err == nil {
		return net.JoinHostPort("127.0.0.1", word)
	}
	return word
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
	} else if f := cmd.Flags().Lookup(args[0]); f != nil {
		stray.hint = "did you mean " + cmd.CommandPath() + " --" + f.Name + "?"
	}
	return stray
}

// exactly wants so many arguments, named as in the command's usage line.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s is missing; write %s %s", names[len(args)], cmd.CommandPath(), strings.Join(names, " "))
		}
		if err := atMost(names...)(cmd, args); err != nil {
			return err
		}
		for i, name := range names {
			if strings.TrimSpace(args[i]) == "" {
				return fmt.Errorf("%s is empty; write %s %s", name, cmd.CommandPath(), strings.Join(names, " "))
			}
		}
		return nil
	}
}

// atMost wants no more arguments than these, named as in the command's usage line.
func atMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= len(names) {
			return nil
		}
		return fmt.Errorf("%q is one argument too many; write %s, with quotes around text that has spaces",
			args[len(names)], strings.TrimSpace(cmd.CommandPath()+" "+strings.Join(names, " ")))
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
				return shell.Misuse(err)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	})
}

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"billfold/walletcore/spelling"
)

// onlyCommands refuses words that are no command, and names the one that was perhaps
// meant. A word after a flag that takes its value with = is told of.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	given := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" {
			given = f.Name
		}
	})
	if given != "" && !strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("there is no command %q; if it is the value of --%s, write --%s=%s", args[0], given, given, args[0])
	}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	if near := spelling.Nearest(args[0], names); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %s %s?", args[0], cmd.CommandPath(), near)
	}
	return fmt.Errorf("there is no command %q; %s --help lists them", args[0], cmd.CommandPath())
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

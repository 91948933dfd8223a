package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/usertext"
	"billfold/tui/screen"
	"billfold/walletcore/paylink"
	"billfold/walletcore/spelling"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// strayWord is the error for a word that is not a command. Only nameFlag, which has the whole command line, knows which flag it
// follows.
type strayWord struct {
	word  string
	hint  string
	flags *pflag.FlagSet
	flag  string // the flag it may be the value of; "" = none
}

// Error implements error.
func (e *strayWord) Error() string {
	if sign := wordProcessorSign(e.word); sign != "" { // it may hold what was to be the value of a flag
		return signProblem(sign)
	}
	hint := e.hint
	if e.flag != "" {
		hint = fmt.Sprintf("if it is the value of --%s, write --%s=%s", e.flag, e.flag, fullAddress(e.word))
	}
	return fmt.Sprintf("there is no command %q; %s", e.word, hint)
}

// signProblem returns why a word with a sign of a word processor is refused, without the word: it may hold a password.
func signProblem(sign string) string {
	return "a word of this command line has " + sign + "; " + usertext.PlainSigns
}

// plainSigns refuses words that were to be flags, or parts of one text, and are none: their dash or quotes are not those of a keyboard. A dash
// before a blank, and quotes around several words that the command line took for one, are of the text. What is behind -- is taken as it is.
func plainSigns(cmd *cobra.Command, words []string) error {
	if plain := cmd.ArgsLenAtDash(); plain >= 0 {
		words = words[:plain]
	}
	for _, word := range words {
		sign := usertext.DashInFront(word)
		if _, size := utf8.DecodeRuneInString(word); sign != "" && size < len(word) && usertext.Trim(word[size:]) != word[size:] && usertext.DashInFront(word[size:]) == "" {
			sign = ""
		}
		if sign == "" && len(usertext.Words(word)) == 1 {
			sign = usertext.QuoteAround(word)
		}
		if sign != "" {
			return shell.Misuse(errors.New(signProblem(sign) + `; a text that has it stands behind --, as in billfold call -- transfer …`))
		}
	}
	return nil
}

// fullAddress returns a port as an address, and any other word unchanged: of the flags that need =, only addresses can be numbers.
func fullAddress(word string) string {
	if _, err := strconv.ParseUint(word, 10, 16); err == nil {
		return net.JoinHostPort("127.0.0.1", word)
	}
	return word
}

// nameFlag adds to the error of a command line, if it is a stray word, the flag before it that takes a value only with =.
func nameFlag(err error, words []string) error {
	stray, is := errors.AsType[*strayWord](err)
	if !is {
		return err
	}
	for i := 1; i < len(words) && words[i-1] != "--" && stray.flag == ""; i++ {
		name, dashed := strings.CutPrefix(words[i-1], "--")
		if f := stray.flags.Lookup(name); words[i] == stray.word && dashed && f != nil && needsEquals(f, stray.word) {
			stray.flag = name
		}
	}
	return err
}

// needsEquals reports whether f takes value only with =, because without = it has a default.
func needsEquals(f *pflag.Flag, value string) bool {
	if f.NoOptDefVal == "true" {
		_, err := strconv.ParseBool(value)
		return err == nil
	}
	return f.NoOptDefVal != ""
}

// onlyCommands refuses words that are not commands, and suggests the one that was perhaps meant.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if err := refuseLink(args[0]); err != nil {
		return err
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

// givenPath returns the path of a file that is read, as it was given, or, where nothing is there, as a terminal pastes one on which a file was
// dropped: see screen.Path.
func givenPath(word string) string {
	if _, err := os.Lstat(word); err == nil {
		return word
	}
	return screen.Path(word)
}

// refuseLink refuses a payment link and names where one is paid; nil if a word is none.
func refuseLink(word string) error {
	if !paylink.Is(word) {
		return nil
	}
	if _, err := paylink.Parse(word); err != nil {
		return shell.Misuse(err)
	}
	return shell.Misuse(errors.New("this is a payment link, which a person reviews before it is paid: start billfold (or billfold --linear), and paste it where Send asks To"))
}

// exactly requires these arguments, named as in the command's usage line.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := plainSigns(cmd, args); err != nil {
			return err
		}
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

// atMost allows no more arguments than these, named as in the command's usage line.
func atMost(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := plainSigns(cmd, args); err != nil {
			return err
		}
		if len(args) <= len(names) {
			return nil
		}
		return fmt.Errorf("%q is one argument too many; write %s, with quotes around text that has spaces",
			args[len(names)], strings.TrimSpace(cmd.CommandPath()+" "+strings.Join(names, " ")))
	}
}

// group turns cmd into a command that only has subcommands.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args = onlyCommands
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// noSettings is the annotation of a command that reads no settings, so that their flags have no effect.
const noSettings = "reads no settings"

// withoutSettings marks a command as reading no settings and hides their flags in its help. It does not use a template, because that
// would keep the linker from removing unused exported methods from the program.
func withoutSettings(cmd *cobra.Command) *cobra.Command {
	cmd.Annotations = map[string]string{noSettings: "yes"}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		cmd.InheritedFlags().VisitAll(func(flag *pflag.Flag) { flag.Hidden = true })
		return cmd.Root().UsageFunc()(cmd)
	})
	return cmd
}

// helpCommand returns the command that shows the help of another one.
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

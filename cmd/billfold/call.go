package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/walletapi"

	"github.com/spf13/cobra"
)

func callCommand(s *settings) *cobra.Command {
	var dry, table bool
	var file export
	var to target
	cmd := &cobra.Command{
		Use:   "call METHOD [PARAM…]",
		Short: "Execute one wallet operation and print its result as JSON",
		Long: `Execute one wallet operation and print its result as JSON.

Parameters are text; one that begins with { or [ is JSON where the operation takes a list or an object. Passwords and keys are
asked for, never taken from the command line: write - in their place.
"billfold call help" lists the operations, "billfold call help METHOD" explains one.
With --dry-run, an operation that spends reports what it would do, its fee and what
would be left; nothing is signed.
` + whereHelp + exitHelp,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("METHOD is missing; billfold call help lists the operations")
			}
			return plainSigns(cmd, args)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completeCall(cmd.Context(), s, to, args, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			params, err := wordsOf(shell.Find(args[0]), args[1:])
			if err != nil {
				return err
			}
			c := shell.Command{Method: args[0], Params: params, DryRun: dry}
			if c.Method == "help" && len(c.Params) == 1 {
				c.Method = "get_help"
			}
			return withWallet(cmd, s, to, true, func(ctx context.Context, w shell.Wallet, ask *secrets) error {
				if own, here := w.(ownWallet); here {
					if err := own.checkLock(c.Method); err != nil {
						return err
					}
				}
				sh := shell.Shell{Wallet: w, Secrets: ask, Yes: true, Changed: noteChange(cmd)} // typing the command line was the approval
				if file.file != "" {
					return file.run(ctx, cmd, &sh, c)
				}
				result, err := sh.Run(ctx, c)
				if err != nil {
					return err
				}
				return answers(cmd, table)(c.Method, result)
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "report what a spend would do; sign nothing")
	cmd.Flags().BoolVar(&table, "table", false, "print lists as a table where the operation has one")
	cmd.Flags().Var(namedFlag{&file.file}, "export", "write what a spend would sign into a file, for others to sign; sign nothing")
	cmd.Flags().DurationVar(&file.expires, "expires", exportLife, "how long an exported transaction can be used")
	to.define(cmd)
	return cmd
}

// wordsOf turns words of the command line into parameters of an operation: into JSON if a word is a
// JSON list or object and the operation does not take it as text, otherwise into text. A word that is not UTF-8 is refused:
// JSON cannot hold it as it is.
func wordsOf(m *walletapi.Method, words []string) (params []json.RawMessage, err error) {
	for i, word := range words {
		if !utf8.ValidString(word) {
			return nil, fmt.Errorf("parameter %d is not text in UTF-8, and would change on its way; write it in UTF-8", i+1)
		}
		isText := m != nil && i < len(m.Params) && m.Params[i].IsText()
		if !isText && word != "" && (word[0] == '{' || word[0] == '[') && json.Valid([]byte(word)) {
			params = append(params, json.RawMessage(word))
			continue
		}
		text, err := json.Marshal(word)
		if err != nil {
			return nil, err
		}
		params = append(params, text)
	}
	return params, nil
}

// completeCall returns the words that may follow args and start with what was typed. If there are
// none, it explains the parameter.
func completeCall(ctx context.Context, s *settings, to target, args []string, typed string) []cobra.Completion {
	completer := shell.Completer{}
	if len(args) > 0 {
		completer.Wallet = s.completionWallet(to)
	}
	var out []cobra.Completion
	for _, next := range completer.Next(ctx, args, typed) {
		out = append(out, cobra.CompletionWithDesc(next.Word, next.Help))
	}
	if len(out) > 0 || len(args) == 0 {
		return out
	}
	if p := shell.Expected(args); p != nil {
		return cobra.AppendActiveHelp(nil, strings.TrimSpace(p.Name+", "+p.Type+": "+p.Help))
	}
	return nil
}

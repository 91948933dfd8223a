package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// callWait bounds how long a call waits for the daemon's first answer.
const callWait = 10 * time.Second

func callCommand(s *settings) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "call METHOD [PARAM…]",
		Short: "Execute one wallet operation and print its result as JSON",
		Long: `Execute one wallet operation and print its result as JSON.

Parameters are text; one that begins with { or [ is JSON. Passwords and keys are
asked for, never taken from the command line: write - in their place.
"billfold call help" lists the operations. With --dry-run, an operation that spends
reports what it would do, its fee and what would be left; nothing is signed.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("METHOD is missing; billfold call help lists the operations")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completeCall(args, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCall(cmd, s, callLine{args[0], args[1:], dry})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "report what a spend would do; sign nothing")
	return cmd
}

// completeCall lists what may stand behind args and continue what was begun: an
// operation, or the values of a parameter that has few; else the parameter is explained.
func completeCall(args []string, begun string) []cobra.Completion {
	var out []cobra.Completion
	for _, m := range walletapi.Methods() {
		switch {
		case len(args) == 0 && strings.HasPrefix(m.Name, begun):
			out = append(out, cobra.CompletionWithDesc(m.Name, m.Help))
		case len(args) == 0 || m.Name != args[0] || len(args) > len(m.Params):
		case m.Params[len(args)-1].Type == "bool":
			return []cobra.Completion{"true", "false"}
		default:
			p := m.Params[len(args)-1]
			return cobra.AppendActiveHelp(nil, strings.TrimSpace(p.Name+", "+p.Type+": "+p.Help))
		}
	}
	return out
}

// callLine is what was typed.
type callLine struct {
	method string
	words  []string
	dry    bool // only tell what it would do
}

func runCall(cmd *cobra.Command, s *settings, line callLine) error {
	return runOnce(cmd, s, func(ctx context.Context, p *program) error {
		return p.call(ctx, line, newSecrets(cmd), cmd.OutOrStdout())
	})
}

func (p *program) call(ctx context.Context, line callLine, ask *secrets, out io.Writer) error {
	params := walletapi.Params{Exact: true}
	m := p.api.Find(line.method)
	var password string // a new one
	if m != nil {
		var err error
		if params.Positional, err = callParams(m, line.words, ask); err != nil {
			return err
		}
		if line.method == "set_password" && len(params.Positional) > 0 {
			_ = json.Unmarshal(params.Positional[0], &password) // what is no text the call refuses
		}
		if line.dry {
			if !m.Does(walletapi.Spends) {
				return fmt.Errorf("%s spends nothing; leave out --dry-run", m.Name)
			}
			params.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
		}
		if params, err = m.Bind(params); err != nil { // before a password is asked for
			return err
		}
		if m.NeedsUnlock {
			if err := p.unlockForCall(ctx, ask); err != nil {
				return err
			}
		}
	}
	result, err := p.api.Call(ctx, line.method, params)
	if fault.CodeOf(err) == fault.DaemonAway { // the line is still being made
		wait, cancel := context.WithTimeout(ctx, callWait)
		defer cancel()
		if p.client.WaitOnline(wait) == nil {
			result, err = p.api.Call(ctx, line.method, params)
		}
	}
	if err != nil {
		return err
	}
	if password != "" {
		ask.warnOfWeak(p.judge(password))
	}
	return printResult(out, result)
}

// callParams turns words into parameters; secret ones are asked for.
func callParams(m *walletapi.Method, words []string, ask *secrets) ([]json.RawMessage, error) {
	var params []json.RawMessage
	for i, word := range words {
		if i < len(m.Params) && m.Params[i].Secret {
			if word != "-" {
				return nil, fmt.Errorf("%s of %s is secret, and other programs see the command line; write - to be asked for it",
					m.Params[i].Name, m.Name)
			}
			var err error
			if word, err = ask.ask("The " + m.Params[i].Name); err != nil {
				return nil, err
			}
		} else if word != "" && (word[0] == '{' || word[0] == '[') && json.Valid([]byte(word)) {
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

// printResult prints text as it is and everything else as indented JSON; so is text that
// would do something to a terminal, with escapes in place of what does.
func printResult(out io.Writer, result json.RawMessage) error {
	var text string
	if json.Unmarshal(result, &text) == nil && bytes.ContainsRune(result, '\\') && printable.Lines(text) == text {
		_, err := fmt.Fprintln(out, text)
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, result, "", "  "); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s\n", printable.JSON(pretty.Bytes()))
	return err
}

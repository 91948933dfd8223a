package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"billfold/cmd/billfold/shell"
	"billfold/tui"
	"billfold/tui/screen"
	"billfold/walletcore/walletapi"

	"github.com/spf13/cobra"
)

// console holds the options of the console command.
type console struct {
	to      target
	exec    []string
	file    string // "" = read standard input
	yes     bool
	asJSON  bool
	table   bool
	history shell.History
}

func consoleCommand(s *settings) *cobra.Command {
	var c console
	cmd := &cobra.Command{
		Use:   "console [FILE]",
		Short: "Execute wallet operations line by line: typed, from a file, or from a pipe",
		Long: `Execute wallet operations line by line: typed at a prompt, from FILE, or from a pipe.

  transfer alice bobby 10 DCT "thank you" true
  get_account 1.2.17

A line is an operation and its parameters. Text with blanks needs quotes, any value
may be written as JSON, and # starts a comment. Tab completes operations,
parameters, accounts and assets; help METHOD explains one; quit ends. unlock alone
asks for the password: passwords and keys are never taken from a line.

Before anything is signed you see it and are asked. From a file or a pipe nobody can be
asked, so operations that spend need --yes there. The first error ends a file, a pipe or
--exec; it is reported with its line and with what was done before.
` + whereHelp + exitHelp,
		Args: atMost("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				c.file = args[0]
			}
			if c.file != "" && len(c.exec) > 0 {
				return shell.Misuse(errors.New("both a file and --exec name what is to be done; leave one of them out"))
			}
			return withWallet(cmd, s, c.to, false, func(ctx context.Context, w shell.Wallet, ask *secrets) error {
				if !s.sandbox {
					c.history.Path = filepath.Join(s.dataDir, historyName)
				}
				return c.run(ctx, cmd, w, ask)
			})
		},
	}
	cmd.Flags().StringArrayVar(&c.exec, "exec", nil, "a line to execute instead of typed ones; may be repeated")
	cmd.Flags().BoolVar(&c.yes, "yes", false, "sign without asking")
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print JSON, also at a terminal where a list is otherwise shown as a table")
	c.to.define(cmd)
	return cmd
}

// historyName is the file of typed lines in the wallet's folder.
const historyName = "console.history"

func (c console) run(ctx context.Context, cmd *cobra.Command, w shell.Wallet, ask *secrets) error {
	sh := shell.Shell{Wallet: w, Secrets: ask, Yes: c.yes, Changed: noteChange(cmd)}
	show := answers(cmd, c.table)
	switch {
	case len(c.exec) > 0:
		return sh.RunAll(ctx, "--exec", linesOf(c.exec), show)
	case c.file != "":
		file, err := shell.Open(ctx, c.file)
		if err != nil {
			return shell.Unreadable("command file", c.file, err)
		}
		defer func() { _ = file.Close() }()
		if info, err := file.Stat(); err != nil || info.IsDir() { // a folder opens, and fails only when the first line is read
			return shell.Unreadable("command file", c.file, err)
		}
		return sh.RunAll(ctx, c.file, (&secrets{lines: bufio.NewReader(file)}).line, show)
	case !isTerminal():
		return sh.RunAll(ctx, "standard input", ask.line, show)
	}
	c.table = !c.asJSON
	return c.interact(ctx, cmd, sh)
}

// linesOf returns lines as a source of lines.
func linesOf(lines []string) shell.Lines {
	number := 0
	return func() (string, int, error) {
		if number == len(lines) {
			return "", number, io.EOF
		}
		number++
		return lines[number-1], number, nil
	}
}

// interact reads lines from a person until they quit.
func (c console) interact(ctx context.Context, cmd *cobra.Command, sh shell.Shell) error {
	out := cmd.OutOrStdout()
	completer := shell.Completer{Wallet: sh.Wallet}
	p := newPrompt(ctx, out, c.history.Read(), func(line string) []string { return completer.Line(ctx, line) })
	defer p.close()
	sh.Secrets, sh.Person = p, p
	if own, is := sh.Wallet.(ownWallet); is {
		p.reviewEnv = func() screen.Env { return tui.ReviewEnv(own.p.wallet) }
	}
	show := answers(cmd, c.table)
	fmt.Fprintln(out, "help lists the operations, help METHOD explains one, tab completes, quit ends.")
	for {
		line, err := p.line(promptState(ctx, sh.Wallet) + " >>> ")
		switch {
		case isAbort(err):
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(out)
			return nil
		case err != nil:
			return err
		}
		if recall, _ := shell.MayKeep(line); recall {
			p.editor.AppendHistory(line)
		}
		if err := c.history.Add(line); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "the line is not kept in the history:", err)
		}
		_, err = sh.RunLine(ctx, line, show)
		if errors.Is(err, shell.ErrQuit) {
			return nil
		}
		if err != nil && !isAbort(err) {
			fmt.Fprintln(cmd.ErrOrStderr(), sentence(err))
		}
	}
}

// promptState returns the word before the prompt, which is the same as in the reference wallet.
func promptState(ctx context.Context, w shell.Wallet) string {
	is := func(method string) bool {
		var yes bool
		result, err := w.Call(ctx, method, walletapi.Params{Positional: []json.RawMessage{}})
		return err == nil && json.Unmarshal(result, &yes) == nil && yes
	}
	switch {
	case is("is_new"):
		return "new"
	case is("is_locked"):
		return "locked"
	}
	return "unlocked"
}

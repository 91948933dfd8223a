package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"billfold/cmd/billfold/setting"
	"billfold/daemonclient"
	"billfold/tui"
	"billfold/walletcore/fault"
)

func rootCommand() *cobra.Command {
	s := newSettings()
	root := &cobra.Command{
		Use:               "billfold",
		Short:             "A terminal wallet for DCore with its JSON-RPC server built in",
		Long:              rootHelp,
		Args:              onlyCommands,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: refuseIdleFlags(s),
		RunE:              func(cmd *cobra.Command, _ []string) error { return runWallet(cmd, s) },
	}
	s.values.Define(root)
	root.AddCommand(sandboxCommand(), callCommand(s), importCommand(s), tokenCommand(s), doctorCommand(s), auditCommand(s), pinsCommand(s), journalCommand(s), versionCommand())
	setting.Once(root)
	root.SetHelpCommand(helpCommand())
	root.CompletionOptions.HiddenDefaultCmd = true
	return root
}

const rootHelp = `Billfold keeps your DCore keys on this computer, encrypted, and pays from the
terminal or over JSON-RPC.

  billfold                     the terminal UI
  billfold --sandbox           the same on an embedded ledger with play money
  billfold --rpc-http          headless: wallet API over HTTP on 127.0.0.1:8093, path /rpc
  billfold --rpc-ws            headless: wallet API over websocket on 127.0.0.1:8091
  billfold sandbox             the embedded ledger alone, as a daemon on 127.0.0.1:8090
  billfold call METHOD …       one wallet operation, JSON out
  billfold token new NAME      a password for a program that calls the wallet
  billfold doctor --attack     attacks its own listeners and reports what is refused
  billfold journal status      whether the payment journal is the wallet's own; how to go on when it was lost
  billfold import FILE         takes over a wallet.json of cli_wallet

Every flag can also be set as BILLFOLD_… in the environment (--daemon-url is
BILLFOLD_DAEMON_URL) or in config.yaml in the data folder.`

// runWallet is the program without a subcommand: UI, listeners, or plain lines
// where there is no terminal.
func runWallet(cmd *cobra.Command, s *settings) error {
	if err := s.read(); err != nil {
		return err
	}
	for {
		err := runSession(cmd.Context(), cmd, s)
		if !errors.Is(err, tui.ErrWantSandbox) {
			return err
		}
		s.sandbox = true
	}
}

func runSession(ctx context.Context, cmd *cobra.Command, s *settings) error {
	p, err := newProgram(s)
	if err != nil {
		return err
	}
	defer p.close()
	s.warn(cmd.ErrOrStderr())
	switch {
	case s.headless():
		return p.run(ctx, func(ctx context.Context) error { return p.serve(ctx, cmd.ErrOrStderr()) })
	case !isTerminal():
		return p.run(ctx, func(ctx context.Context) error { return p.printPlain(ctx, cmd.OutOrStdout()) })
	}
	return p.run(ctx, p.showUI)
}

// runOnce does one thing with the wallet of the settings.
func runOnce(cmd *cobra.Command, s *settings, do func(context.Context, *program) error) error {
	if err := s.read(); err != nil {
		return err
	}
	p, err := newProgram(s)
	if err != nil {
		return err
	}
	defer p.close()
	s.warn(cmd.ErrOrStderr())
	return p.run(cmd.Context(), func(ctx context.Context) error { return do(ctx, p) })
}

// warn names the daemons whose lines anybody on the way can read and change.
func (s *settings) warn(out io.Writer) {
	if s.sandbox {
		return
	}
	if plain := daemonclient.PlainURLs(s.daemonURLs); len(plain) > 0 {
		fmt.Fprintf(out, "warning: %s: anybody on the way can read and change what the wallet and this daemon say; "+
			"use a wss:// address, or a tunnel\n",
			strings.Join(plain, ", "))
	}
}

func isTerminal() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}

// sentence is what a person reads of an error: what happened, what to do next.
func sentence(err error) string {
	var e *fault.Error
	if errors.As(err, &e) {
		if e.Hint == "" {
			return e.Message
		}
		return e.Message + "\nhint: " + e.Hint
	}
	return err.Error()
}

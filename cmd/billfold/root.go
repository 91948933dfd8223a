package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"billfold/cmd/billfold/setting"
	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/tui"
	"billfold/tui/terminal"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func rootCommand(newKeys *keystore.Options) *cobra.Command {
	s := newSettings()
	s.newKeys = newKeys
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
	root.Flags().Bool("json", false, "with --linear: each line is a JSON object")
	root.AddCommand(sandboxCommand(), callCommand(s), consoleCommand(s), payCommand(s), reconcileCommand(s), txCommand(s),
		explainCommand(s), contentCommand(s), importCommand(s), tokenCommand(s), doctorCommand(s), auditCommand(s), pinsCommand(s), journalCommand(s),
		backupCommand(s), restoreCommand(s), storeCommand(s), serversCommand(s), statusCommand(s), migrateCommand(), versionCommand(), manualCommand())
	setting.RefuseRepeats(root)
	flagError := root.FlagErrorFunc()
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return shell.Misuse(flagError(cmd, err)) })
	root.SetHelpCommand(helpCommand())
	addCompletion(root)
	markReading(root)
	markMisuse(root)
	hideSecrets(root, s)
	return root
}

// addCompletion adds the completion command before markMisuse runs. Cobra would add it later, without a check of its arguments, and
// for an unknown shell it would then write the help into that shell's startup file, with exit code 0.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			group(c)
			c.Short = "Print a script with which bash, zsh, fish or PowerShell completes commands"
		}
	}
}

// hideSecrets makes a command and those below it end with errors that repeat no secret from their arguments, flags and settings.
func hideSecrets(cmd *cobra.Command, s *settings) {
	hidden := func(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
		if run == nil {
			return nil
		}
		return func(cmd *cobra.Command, args []string) error {
			return s.values.HideSecrets(setting.HideSecret(run(cmd, args), s.given(cmd, args)...))
		}
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := setting.RefusePlaces(s.given(cmd, args)[:len(args)]...); err != nil { // before a file is made that is called so
				return shell.Misuse(err)
			}
			return run(cmd, args)
		}
	}
	cmd.Args, cmd.RunE = hidden(cmd.Args), hidden(cmd.RunE)
	for _, below := range cmd.Commands() {
		hideSecrets(below, s)
	}
}

// given returns the arguments and flags of a command, apart from settings. An argument that the command does not take may have been meant for a flag.
func (s *settings) given(cmd *cobra.Command, args []string) (all []setting.Given) {
	use, _, _ := strings.Cut(cmd.Use, " --")
	names := strings.Fields(use)
	for i, arg := range args {
		name := names[min(i+1, len(names)-1)]
		place := i+1 >= len(names) && !strings.Contains(name, "…") ||
			slices.ContainsFunc([]string{"FILE", "PATH", "FOLDER", "DIR", "UNIT"}, func(what string) bool { return strings.Contains(name, what) })
		all = append(all, setting.Given{Where: fmt.Sprintf("argument %d of %s", i+1, cmd.CommandPath()), Text: arg, Place: place})
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.ContainsFunc(s.values.Settings(), func(own setting.Setting) bool { return own.Name == f.Name }) {
			return
		}
		values := []string{f.Value.String()}
		if list, is := f.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		for _, value := range values {
			all = append(all, setting.Given{Where: "--" + f.Name, Text: value, Place: f.Value.Type() != "stringArray"})
		}
	})
	return all
}

// markMisuse makes wrong arguments of a command end with the exit code for wrong use.
func markMisuse(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return shell.Misuse(check(cmd, args)) }
	}
	for _, below := range cmd.Commands() {
		markMisuse(below)
	}
}

const rootHelp = `Billfold keeps your DCore keys on this computer, encrypted, and pays from the
terminal or over JSON-RPC.

  billfold                     the terminal UI
  billfold --sandbox           the same on an embedded ledger with play money
  billfold --linear            the same as a conversation in lines, for screen readers and scripts
  billfold --rpc-http          headless: wallet API over HTTP on 127.0.0.1:8093, path /rpc
  billfold --rpc-ws            headless: wallet API over websocket on 127.0.0.1:8091
  billfold sandbox             the embedded ledger alone, as a daemon on 127.0.0.1:8090
  billfold call METHOD …       one wallet operation, JSON out
  billfold console             a prompt for wallet operations; also runs files of them
  billfold pay FILE.csv        a payout: everyone in the file, each once
  billfold content buy ADDRESS content: publish, buy, list; packages, keys and payment in one command
  billfold reconcile           whether the history adds up to the balances
  billfold explain WHAT        what an id, name, key, error code, block or amount is
  billfold tx sign FILE        transactions that several sign, as files, without a daemon
  billfold token new NAME      a password for a program that calls the wallet
  billfold status              whether the wallet server pays, and what keeps it from paying
  billfold doctor              looks at files, settings, daemons, clock, disk and journal
  billfold doctor --attack     attacks its own listeners and reports what is refused
  billfold backup FILE         the whole wallet into one sealed file, while it runs
  billfold restore FILE        puts it into an empty folder; --check proves that it can be
  billfold journal status      whether the payment journal is the wallet's own; how to continue after a loss
  billfold store status        the database that several servers share; init, export, verify, accept
  billfold servers             which servers are running, and what they follow
  billfold import FILE         imports a wallet.json of cli_wallet
  billfold migrate LINE        what a command line of cli_wallet is here

Every flag can also be set as BILLFOLD_… in the environment (--daemon-url is
BILLFOLD_DAEMON_URL) or in config.yaml in the data folder.`

// runWallet runs the program without a subcommand: the UI, the listeners, or plain lines
// if there is no terminal.
func runWallet(cmd *cobra.Command, s *settings) error {
	passed, err := takePassedSockets()
	if err != nil {
		return shell.Misuse(err)
	}
	defer passed.close()
	s.adopt(passed)
	if err := s.read(); err != nil {
		return err
	}
	asJSON, err := cmd.Flags().GetBool("json")
	if err == nil && asJSON && !s.linear {
		return shell.Misuse(errors.New("--json has no effect without --linear; add it, or leave --json out"))
	}
	if s.tui && !s.linear && !isTerminal() {
		return shell.Misuse(errors.New("--tui needs a terminal; leave it out to serve without one, or add --linear"))
	}
	s.linear = s.linear || isTerminal() && terminal.IsDumb() && !s.headless()
	if s.linear { // what is typed may pay
		noteChange(cmd)("")
	}
	lines := conversation{terminal.StandardLines(), cmd.OutOrStdout(), asJSON}
	for {
		err := runSession(cmd.Context(), cmd, s, lines)
		switch {
		case errors.Is(err, tui.ErrWantSandbox):
			s.sandbox = true
		case errors.Is(err, tui.ErrWantNode): // the settings name it now
		case errors.Is(err, tui.ErrWantLinear):
			s.linear = true
			noteChange(cmd)("")
		default:
			return err
		}
	}
}

func runSession(ctx context.Context, cmd *cobra.Command, s *settings, lines conversation) error {
	var service *unattended
	p := &program{settings: s}
	if s.headless() {
		p.logged = s.newServerLog(cmd.ErrOrStderr())
		p.log = p.logged.Logger
		defer p.logged.flush()
		cmd.SetErr(p.logged.lines())
		var err error
		if service, err = newUnattended(); err != nil {
			return err
		}
		defer service.close()
	}
	p, err := newProgramWith(ctx, p, s.opener())
	if err != nil {
		return err
	}
	defer p.close()
	if !s.linear || s.headless() { // the linear UI warns in its own lines
		s.warnPlain(cmd.ErrOrStderr())
	}
	switch {
	case s.headless():
		return p.run(ctx, func(ctx context.Context) error { return p.serve(ctx, service, cmd.ErrOrStderr()) })
	case s.linear:
		return p.run(ctx, func(ctx context.Context) error { return p.showLines(ctx, lines) })
	case !isTerminal():
		return p.run(ctx, func(ctx context.Context) error { return p.printPlain(ctx, cmd.OutOrStdout()) })
	}
	return p.run(ctx, p.showUI)
}

// refuseIdleFlags returns a check that refuses setting flags on a command that reads no settings. It notes the flags that select the wallet.
func refuseIdleFlags(s *settings) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		s.flags = walletFlags(cmd)
		if cmd.Annotations[noSettings] == "" {
			return nil
		}
		for _, d := range s.values.Settings() {
			if f := cmd.InheritedFlags().Lookup(d.Name); f != nil && f.Changed {
				return shell.Misuse(fmt.Errorf("--%s has no effect with %s; leave it out", d.Name, cmd.CommandPath()))
			}
		}
		return nil
	}
}

// Command billfold is the wallet: terminal UI, RPC listener, sandbox ledger and
// shell commands over one core. This package reads flags and settings, wires
// the parts together, and is the only place that starts and stops them.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/ledger/printable"
)

func main() { os.Exit(run(nil)) }

// run returns the exit code, see package shell. New key files are made as newKeys says, nil = for a real wallet.
func run(newKeys *keystore.Options) int {
	root, words := rootCommand(newKeys), wordsBelow(os.Args[1:])
	if runsOn(root, words) {
		relaxTimers()
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signals = append(signals, syscall.SIGHUP) // the terminal is gone: what is open is closed in order
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	if err := keystore.ForbidDumps(); err != nil {
		fmt.Fprintln(os.Stderr, "billfold: keys could get into a core dump of this process:", err)
	}
	out, problems := printable.Writer{W: os.Stdout}, printable.Writer{W: os.Stderr}
	tuneCollector()
	root.SetOut(out) // whatever a command prints, names and memos by others can be in it
	root.SetErr(problems)
	root.SetArgs(words)
	if err := placed(root.ExecuteContext(ctx), words); err != nil {
		if _, said := errors.AsType[shell.Said](err); !said {
			fmt.Fprintln(problems, "billfold:", sentence(err))
		}
		return shell.ExitCode(err)
	}
	return shell.Done
}

// runsOn reports whether words ask for a program that runs until it is ended: the wallet or the ledger. Words that are no
// command are refused later.
func runsOn(root *cobra.Command, words []string) bool {
	asked, _, err := root.Find(words)
	return err == nil && (asked == root || asked.Name() == sandboxName)
}

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

	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/ledger/printable"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(nil)) }

// run runs the program and returns its exit code (see package shell). newKeys are the options for new key files, nil for a real
// wallet.
func run(newKeys *keystore.Options) int {
	root := rootCommand(newKeys)
	words, notes, misuse := fromCLIWallet(root, protectCode(os.Args[1:]))
	if misuse == nil && isLongRunning(root, words) {
		relaxTimers()
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // it is ignored under nohup
		signals = append(signals, syscall.SIGHUP) // the terminal is gone: shut down in order
	}
	ctx, _ := signal.NotifyContext(context.Background(), signals...) // to the very end: another signal does not cut the last steps short
	if err := keystore.ForbidDumps(); err != nil {
		fmt.Fprintln(os.Stderr, "billfold: keys could get into a core dump of this process:", err)
	}
	tuneCollector()
	surviveLostReaders()
	out := &output{out: printable.Writer{W: os.Stdout}, problems: printable.Writer{W: os.Stderr}, closed: wasClosed(os.Stdout)}
	if wasClosed(os.Stderr) {
		out.problems = nowhere{}
	}
	for _, note := range notes {
		fmt.Fprintln(out.problems, "note:", note)
	}
	if misuse != nil {
		fmt.Fprintln(out.problems, "billfold:", sentence(misuse))
		return shell.ExitCode(misuse)
	}
	return execute(ctx, root, words, out)
}

// execute runs the command that words name and returns its exit code. Any command may print names and memos that others chose, so out
// makes them safe to show.
func execute(ctx context.Context, root *cobra.Command, words []string, out *output) int {
	asked, _, err := root.Find(words)
	out.changes, out.runs = isChanging(root, words), err == nil && asked.Name() == sandboxName
	root.SetOut(out)
	root.SetErr(out.problems)
	root.SetArgs(words)
	if err := out.end(nameFlag(root.ExecuteContext(ctx), words)); err != nil {
		if _, said := errors.AsType[shell.Reported](err); !said && !out.nobodyReads(err) {
			fmt.Fprintln(out.problems, "billfold:", sentence(err))
		}
		return shell.ExitCode(err)
	}
	return shell.Done
}

// isLongRunning reports whether words start a program that runs until it is stopped: the wallet or the sandbox. Words that are not
// a command are refused later.
func isLongRunning(root *cobra.Command, words []string) bool {
	asked, _, err := root.Find(words)
	return err == nil && (asked == root || asked.Name() == sandboxName)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func journalCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{Use: "journal", Short: "Check the payment journal, and continue after a loss",
		Long: `Check the payment journal, and continue after a loss.

The journal holds every payment that was signed and every request key that was used.
A wallet spends nothing when its journal is missing, is an older copy, or belongs to
another wallet. Put the file back (restore), or let the wallet read the ledger from a
block before the loss and go on with what it finds (accept).

At each start the journal is compared with the ledger, too. If it lacks payments of the
wallet's keys, nothing is spent until you have looked at them (found) and said which
requests they were (claim).`})
	var from uint32
	later := false
	accept := &cobra.Command{
		Use: "accept --from-block N", Short: "Accept the journal as it is, after reading the ledger from block N", Args: exactly(),
		Long: `Accept the journal as it is, or a new one, after reading every block from N up to
one that is too late for anything signed before: about half a minute from now. It
prints and records the payments of this wallet's keys that the journal lacks. Their
request keys are lost, so compare the payments with your own books before you
request any of them again.

N is a block from before the loss. An earlier one only takes longer; a later one
misses payments, and is refused without --later. billfold journal status names one: a little before the newest
payment of an older copy or, if there is no copy, a day before the wallet last wrote
to its journal. If your own books have older payments that are not settled, choose a
block from before those.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("from-block") && from == 0 {
				return shell.Misuse(errors.New("--from-block: blocks are counted from 1; write the number of a block from before the loss"))
			}
			if from == 0 {
				return shell.Misuse(errors.New("--from-block is missing; billfold journal status names a block from before the loss"))
			}
			return acceptJournal(cmd, s, from, later)
		},
	}
	accept.Flags().Uint32Var(&from, "from-block", 0, "the number of a block from before the loss")
	accept.Flags().BoolVar(&later, "later", false, laterHelp)
	older := false
	restore := &cobra.Command{Use: "restore FILE", Short: "Restore a copy of the journal; stop the wallet first", Args: exactly("FILE"),
		Long: `Restore a copy of the journal; stop the wallet first.

Before anything is changed, the copy is opened and checked: it must be this wallet's
journal and hold every change that was written. Copy FILE-wal along with FILE: it is
the log that a killed program leaves behind, and it is restored too. What was there
before is kept in a folder beside it.`,
		RunE: func(cmd *cobra.Command, args []string) error { return restoreJournal(cmd, s, args[0], older) }}
	restore.Flags().BoolVar(&older, "older", false, "restore it even if it lacks changes; then run accept")
	backup := &cobra.Command{Use: "backup FILE", Short: "Copy the journal into a new file while the wallet runs", Args: exactly("FILE"),
		Long: `Copy the journal into a new file while the wallet runs.

The copy is whole and of one moment, with everything that its log held, and on disk when
the command ends. A file that exists is never written over. billfold journal restore
puts it back.`,
		RunE: func(cmd *cobra.Command, args []string) error { return backUpJournal(cmd, s, args[0]) }}
	cmd.AddCommand(accept, backup, claimCommand(s, ownJournal), foundCommand(s, ownJournal), restore,
		&cobra.Command{Use: "status", Short: "Report whether the journal is the wallet's own", Args: exactly(),
			RunE: func(cmd *cobra.Command, _ []string) error { return journalStatus(cmd, s) }})
	return cmd
}

// backUpJournal copies the journal into a new file.
func backUpJournal(cmd *cobra.Command, s *settings, file string) error {
	if err := ownJournal.read(s); err != nil {
		return err
	}
	changes, err := sqlite.Backup(cmd.Context(), filepath.Join(s.dataDir, sqlite.Name), file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s has the journal with %s\n", file, printable.Many(changes, "change"))
	return errors.Join(err, noteBackup(s.dataDir)) // for billfold doctor
}

func journalStatus(cmd *cobra.Command, s *settings) error {
	if err := s.readForStored("journal", keystoreName); err != nil {
		return err
	}
	return showJournal(cmd, s)
}

func showJournal(cmd *cobra.Command, s *settings) error {
	return runProgram(cmd, &program{settings: s, log: s.logger(), noHistory: true}, func(ctx context.Context, p *program) error {
		return p.printJournal(ctx, cmd.OutOrStdout(), walletFlags(cmd))
	})
}

// walletFlags returns the flags of cmd that select its wallet, each after a blank, for the next command to repeat.
func walletFlags(cmd *cobra.Command) (flags string) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if name := flag.Name; name == "data-dir" || name == "trust-group" || name == "store" || name == "store-may-lose" || name == "to" || name == "token-file" || name == "server-cert" ||
			strings.HasPrefix(name, "daemon-") {
			flags += " --" + name + "=" + payment.ShellWord(flag.Value.String())
		}
	})
	return flags
}

func (p *program) printJournal(ctx context.Context, out io.Writer, same string) error {
	at, err := p.wallet.Payments.JournalState(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s\n", at.Path, printable.Many(at.Commits, "change"))
	if failure := p.wallet.Status().StoreFault; failure != "" {
		fmt.Fprintln(out, "warning: "+failure)
	}
	if at.Lost != nil {
		printAcceptFrom(out, at, same)
		return at.Lost
	}
	if held := p.lossReason(); at.Held {
		fmt.Fprintf(out, "it lacked payments: billfold journal found%s lists them, and billfold journal claim%s says which requests they were;\n"+
			"once all are claimed, the wallet spends again\n", same, same)
		return errors.New(held)
	}
	if err := p.store.Journal.Ready(ctx); err != nil {
		return fmt.Errorf("no payment can be written to it: %w", err)
	}
	if at.Identity == "" {
		_, err = fmt.Fprintln(out, "it seems to be the wallet's own; the key file records it at the next unlock")
		return err
	}
	_, err = fmt.Fprintln(out, "it is the wallet's own")
	if err == nil && !at.Compared { // this command does not wait for a node
		_, err = fmt.Fprintln(out, "it was not compared with the ledger here: the wallet does that at each start, once a node answers, and spends nothing before")
	}
	return err
}

// printAcceptFrom prints what is known about the time before a journal was lost, and the block
// to accept it from; same are the flags that the next command has to repeat.
func printAcceptFrom(out io.Writer, at payment.JournalState, same string) {
	if lost, is := errors.AsType[*store.LostError](at.Lost); is && lost.Kind == store.Unowned {
		fmt.Fprintln(out, "before you go on, import every key that has paid: what the others paid is not looked for")
	}
	if at.Newest > 0 {
		fmt.Fprintf(out, "the newest payment in it was signed on %s, after block %d\n", day(at.Signed), at.Newest)
	}
	if !at.Written.IsZero() {
		fmt.Fprintf(out, "the wallet last wrote to its journal on %s (UTC)\n", day(at.Written))
	}
	if at.Proved > 0 {
		fmt.Fprintf(out, "the last block that the wallet has seen proven so far is %d\n", at.Proved)
	}
	if at.From == 0 {
		fmt.Fprintf(out, "to go on: billfold journal accept --from-block N%s, with a block from before the oldest payment that your own "+
			"books have not settled\n", same)
		return
	}
	fmt.Fprintf(out, "to go on: billfold journal accept --from-block %d%s, which is from before the loss;\n"+
		"an earlier block where your own books have not settled older payments\n", at.From, same)
}

// restoreJournal replaces the journal by a copy and moves the old one aside.
func restoreJournal(cmd *cobra.Command, s *settings, file string, older bool) error {
	if err := s.readForStored("journal", keystoreName); err != nil {
		return err
	}
	done, err := payment.RestoreJournal(cmd.Context(), s.keystorePath(), filepath.Join(s.dataDir, sqlite.Name), file, older)
	if err != nil {
		return err
	}
	if done.Aside != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "what was there before is in %s\n", done.Aside)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is restored\n", file)
	err = showJournal(cmd, s)
	if lost, is := errors.AsType[*store.LostError](err); is && older { // as whoever wrote --older knows; the restoring was done
		_, err = fmt.Fprintln(cmd.OutOrStdout(), sentence(lost))
	}
	return err
}

// laterHelp is the help of --later.
const laterHelp = "accept from a block that is later than the one that status names: payments in between are NOT LOOKED FOR; or although keys that paid are not in the wallet"

func acceptJournal(cmd *cobra.Command, s *settings, from uint32, later bool) error {
	if err := s.readForStored("journal", keystoreName); err != nil {
		return err
	}
	return runProgram(cmd, &program{settings: s, log: s.logger(), noHistory: true}, func(ctx context.Context, p *program) error {
		if err := p.unlockForCall(ctx, newSecrets(cmd)); err != nil {
			return err
		}
		if err := p.client.WaitOnline(ctx); err != nil {
			return err
		}
		out, all := cmd.OutOrStdout(), []payment.FoundPayment(nil)
		why := p.lossReason()
		fmt.Fprintf(out, "reading the ledger from block %d, and on for about half a minute\n", from)
		err := p.wallet.Payments.AcceptJournal(ctx, from, later, func(f payment.FoundPayment) {
			all = append(all, f)
			fmt.Fprintf(out, "found %s in block %d: %s\n", f.ID, f.Block, printable.Text(f.Text))
		})
		if err == nil {
			_, err = audit.NewLog(p.store.Audit).Append(recoveryRecord(personHere, why, all))
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s found that the journal did not have; the wallet spends again\n", printable.Were(len(all), "payment"))
		_, err = fmt.Fprint(out, lostKeysNote(len(all), s.store != ""))
		return err
	})
}

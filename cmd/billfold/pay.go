package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"billfold/cmd/billfold/payrun"
	"billfold/cmd/billfold/shell"
	"billfold/walletcore/fault"

	"github.com/spf13/cobra"
)

func payCommand(s *settings) *cobra.Command {
	var run payrun.Options
	var to target
	var yes bool
	var receipt string
	cmd := &cobra.Command{
		Use:   "pay FILE.csv",
		Short: "Pay everyone in a file, each once, whatever happens in between",
		Long: `Pay everyone in a file, each once, whatever happens in between.

The first line of the file names its columns: account, amount, asset and memo, in any
order; memo may be left out. Everything is checked before anything is paid, and every
fault is reported with its line. You approve the plan once, by typing its total.

An interrupted payout continues when the same command is run again. It is recognised by
the content of the file, so nothing is paid twice. A signed receipt beside the file lists
what was paid; billfold pay --verify RECEIPT checks one. See docs/payouts.md.
` + whereHelp + exitHelp,
		Args: atMost("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case receipt != "" && len(args) > 0:
				return shell.Misuse(errors.New("--verify takes a receipt, and no file to pay; leave one of them out"))
			case receipt == "" && len(args) == 0:
				return shell.Misuse(errors.New("name the file to pay"))
			}
			if err := refuseLink(strings.Join(args, "")); err != nil {
				return err
			}
			defer context.AfterFunc(cmd.Context(), endAtOnceNext)()
			return withWallet(cmd, s, to, true, func(ctx context.Context, w shell.Wallet, ask *secrets) error {
				if receipt != "" {
					return payrun.Verify(ctx, w, cmd.OutOrStdout(), givenPath(receipt))
				}
				run.Wallet, run.Out, run.Problems, run.File = w, cmd.OutOrStdout(), cmd.ErrOrStderr(), givenPath(args[0])
				if !yes {
					run.Approve = ask.approveTotal
				}
				return run.Do(ctx)
			})
		},
	}
	cmd.Flags().Var(namedFlag{&run.From}, "from", "the account that pays; needed if the wallet has several")
	cmd.Flags().Var(namedFlag{&run.Label}, "label", "a name for this payout, such as 2026-06: what other labels paid is paid again, what this one paid is not")
	cmd.Flags().BoolVar(&run.Duplicates, "allow-duplicates", false, "pay a row that appears twice in the file both times")
	cmd.Flags().BoolVar(&run.NewPlan, "new-plan", false, "pay an edited file as a new payout: lines that were paid before are PAID AGAIN, also under the same label")
	cmd.Flags().BoolVar(&run.DryRun, "dry-run", false, "check everything and show the plan; pay nothing")
	cmd.Flags().BoolVar(&yes, "yes", false, "pay without asking")
	cmd.Flags().Var(namedFlag{&receipt}, "verify", "check this receipt instead of paying")
	to.define(cmd)
	return cmd
}

// nextSignal is the time between two signals of which the second is another one: timeout(1) sends each twice.
const nextSignal = 200 * time.Millisecond

// endAtOnceNext has the next signal end the process at once. An interrupted payout waits for answers.
func endAtOnceNext() {
	time.Sleep(nextSignal)
	signal.Reset(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

// approveTotal asks a person to approve a payout by typing its total.
func (s *secrets) approveTotal(ctx context.Context, total string) error {
	if !isTerminal() {
		return &fault.Error{Code: fault.Denied, Op: "pay", Message: "nobody can be asked here whether this may be paid",
			Hint: "nothing was paid; look at it with --dry-run, then add --yes"}
	}
	typed, err := s.answer(ctx, s.prompt, "Type the total to pay it ("+total+"): ")
	if ctx.Err() != nil {
		return err
	}
	if err != nil || !strings.EqualFold(strings.Join(strings.Fields(typed), " "), total) {
		return &fault.Error{Code: fault.Denied, Op: "pay", Message: "that is not the total", Hint: "nothing was paid", Err: err}
	}
	return nil
}

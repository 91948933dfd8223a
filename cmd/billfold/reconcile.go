package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/reconcile"
	"billfold/walletcore/walletapi"

	"github.com/spf13/cobra"
)

// reconciliation holds the options of the reconcile command.
type reconciliation struct {
	account, from, to string
	asJSON            bool
}

func reconcileCommand(s *settings) *cobra.Command {
	var to target
	var r reconciliation
	cmd := &cobra.Command{
		Use:   "reconcile",
		Short: "Check that the history adds up to the balances, day by day",
		Long: `Check that the history adds up to the balances, day by day.

For each account, day (UTC) and asset it prints opening + in - out - fees = closing as CSV, and
compares the last closing with the balance that the node reports. What is not
irreversible yet is on a line without a day. Anything that does not add up is
reported on standard error, and the exit code is 1. See docs/reconcile.md.
` + whereHelp + exitHelp,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reconcile.CheckDays(r.from, r.to); err != nil { // before other errors, which are not the user's
				return err
			}
			return withWallet(cmd, s, to, false, func(ctx context.Context, w shell.Wallet, _ *secrets) error {
				return r.run(ctx, w, cmd.OutOrStdout(), cmd.ErrOrStderr())
			})
		},
	}
	cmd.Flags().Var(namedFlag{&r.account}, "account", "only this account; all accounts of the wallet otherwise")
	cmd.Flags().Var(namedFlag{&r.from}, "from", "the first day, such as 2026-11-01")
	cmd.Flags().Var(namedFlag{&r.to}, "until", "the last day")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print JSON")
	to.define(cmd)
	return cmd
}

func (r reconciliation) run(ctx context.Context, w shell.Wallet, out, problems io.Writer) error {
	accounts, err := r.accounts(ctx, w)
	if err != nil {
		return err
	}
	reports := []*reconcile.Report{}
	for _, account := range accounts {
		report, err := r.report(ctx, w, account)
		if err != nil {
			return err
		}
		reports = append(reports, report)
	}
	print := printReports
	if r.asJSON {
		print = printReportsAsJSON
	}
	if err := print(out, reports); err != nil {
		return err
	}
	return printProblems(problems, reports)
}

// accounts returns the account that was named, or all accounts of the wallet.
func (r reconciliation) accounts(ctx context.Context, w shell.Wallet) ([]string, error) {
	if r.account != "" {
		return []string{r.account}, nil
	}
	result, err := w.Call(ctx, "list_my_accounts", walletapi.Params{Positional: []json.RawMessage{}})
	if err != nil {
		return nil, err
	}
	var own []struct{ Name string }
	if err := json.Unmarshal(result, &own); err != nil {
		return nil, err
	}
	var names []string
	for _, a := range own {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return nil, errors.New("the wallet has no accounts; name one with --account, or import its keys first")
	}
	return names, nil
}

func (r reconciliation) report(ctx context.Context, w shell.Wallet, account string) (*reconcile.Report, error) {
	words, err := wordsOf(nil, []string{account, r.from, r.to})
	if err != nil {
		return nil, err
	}
	result, err := w.Call(ctx, "reconcile", walletapi.Params{Positional: words, Exact: true})
	if err != nil {
		return nil, err
	}
	report := &reconcile.Report{}
	return report, json.Unmarshal(result, report)
}

func printReportsAsJSON(out io.Writer, reports []*reconcile.Report) error {
	text, err := json.Marshal(reports)
	if err != nil {
		return err
	}
	return shell.PrintJSON(out, text)
}

func printReports(out io.Writer, reports []*reconcile.Report) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{"account", "day", "asset", "opening", "in", "out", "fees", "closing"}) // w.Error reports failures
	for _, r := range reports {
		for _, l := range r.Lines {
			_ = w.Write([]string{r.Account, l.Day, l.Asset, l.Opening, l.In, l.Out, l.Fees, l.Closing})
		}
	}
	w.Flush()
	return w.Error()
}

// printProblems prints what does not add up and what was not checked, and returns an error if there is any.
func printProblems(problems io.Writer, reports []*reconcile.Report) error {
	differ, unread, moving := 0, 0, 0
	for _, r := range reports {
		if !r.Complete {
			unread++
			fmt.Fprintf(problems, "%s: the history index is not complete: it has %d of %s, up to block %d\n",
				r.Account, r.Operations, printable.Many(r.Total, "operation"), r.Head)
			continue
		}
		if !r.Exact {
			moving++
			fmt.Fprintf(problems, "%s: transactions are under way all the time, and its balances hold some that are in no block yet: "+
				"nothing was compared\n", r.Account)
			continue
		}
		if r.Opening == "derived" {
			fmt.Fprintf(problems, "%s: what it held before its first operation is not in the history, so the opening follows from "+
				"the balance; what each day moved was compared with the node\n", r.Account)
		}
		for _, d := range r.Differences {
			differ++
			day := "before the first operation"
			if d.Day != "" {
				day = d.Day
			}
			fmt.Fprintf(problems, "DIFFERENCE %s %s %s: %s (expected %s, found %s): %s\n",
				r.Account, d.Asset, day, d.Amount, d.Expected, d.Found, d.What)
		}
	}
	switch {
	case differ > 0:
		return &fault.Error{Code: fault.Denied, Op: "reconcile", Message: printable.Many(differ, "difference"),
			Hint: "compare those days with the ledger; billfold journal status and the history show what the wallet knows"}
	case unread > 0:
		return &fault.Error{Code: fault.Denied, Op: "reconcile", Message: "not everything was checked",
			Hint: "leave a wallet running until the index is complete, then run it again"}
	case moving > 0:
		return &fault.Error{Code: fault.Denied, Op: "reconcile", Message: "not everything was checked",
			Hint: "run it again when less is paid; it needs a moment at which nothing is under way, some seconds long"}
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"billfold/cmd/billfold/explain"
	"billfold/cmd/billfold/shell"

	"github.com/spf13/cobra"
)

func explainCommand(s *settings) *cobra.Command {
	var to target
	cmd := &cobra.Command{
		Use:   "explain WHAT",
		Short: "Say what an id, name, key, error code, block or amount is",
		Long: `Say what an id, name, key, error code, block or amount is.

  billfold explain 1.2.17          an object of the ledger
  billfold explain alice           an account; DCT an asset
  billfold explain 3f0c…           a transaction id, 40 hex digits
  billfold explain DCT6MRy…        a public key
  billfold explain 507             an error code, and the block of that number
  billfold explain 12.5 DCT        an amount
  billfold explain transfer        an operation of the wallet

Without a daemon it explains as much as it can.
` + whereHelp + exitHelp,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return errors.New("name one thing to explain, such as billfold explain 1.2.17")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWallet(cmd, s, to, false, func(ctx context.Context, w shell.Wallet, _ *secrets) error {
				return explain.Word(ctx, w, cmd.OutOrStdout(), strings.Join(args, " "))
			})
		},
	}
	to.define(cmd)
	return cmd
}

// protectCode returns the arguments of the program with -- before an error code to explain, so that its minus sign does
// not make it a flag.
func protectCode(args []string) []string {
	code := regexp.MustCompile(`^-[0-9]+$`)
	at := slices.IndexFunc(args, code.MatchString)
	if at < 0 || !slices.Contains(args[:at], "explain") || slices.Contains(args[:at], "--") {
		return args
	}
	return slices.Insert(slices.Clone(args), at, "--")
}

package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"billfold/cmd/billfold/explain"
	"billfold/cmd/billfold/shell"
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

Without a daemon it says what can be said without one.
` + whereHelp + exitHelp,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWallet(cmd, s, to, false, func(ctx context.Context, w shell.Wallet, _ *secrets) error {
				return explain.Word(ctx, w, cmd.OutOrStdout(), strings.Join(args, " "))
			})
		},
	}
	to.define(cmd)
	return cmd
}

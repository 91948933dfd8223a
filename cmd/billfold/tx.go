package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"

	"github.com/spf13/cobra"
)

func txCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{
		Use:   "tx",
		Short: "Make, inspect, sign, merge and broadcast transaction files",
		Long: `Make, inspect, sign, merge and broadcast transaction files.

A transaction that several people have to sign travels between them as a file. Making it
needs a daemon, and so does broadcasting it; inspect, sign and merge never call one.
What they show comes from the bytes that are signed; names that only the file vouches
for are marked as unchecked.
` + exitHelp,
	})
	cmd.AddCommand(txExportCommand(s), txInspectCommand(s), txSignCommand(s), txMergeCommand(), txBroadcastCommand(s))
	return cmd
}

func txExportCommand(s *settings) *cobra.Command {
	var e export
	var to target
	cmd := &cobra.Command{
		Use:   "export METHOD [PARAM…]",
		Short: "Write what a spend would sign into a file, for others to sign",
		Long: `Write what a spend would sign into a file, for others to sign.

  billfold tx export --out rent.json --expires 12h transfer treasury bobby 75 DCT "" true

Nothing is signed. sign_builder_transaction exports what is under construction in a
running wallet server.
` + whereHelp + exitHelp,
		Args: atLeast(1, "METHOD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.file == "" {
				return shell.Misuse(errors.New("--out FILE is missing: where the transaction is written to"))
			}
			params, err := wordsOf(shell.Find(args[0]), args[1:])
			if err != nil {
				return err
			}
			c := shell.Command{Method: args[0], Params: params}
			return withWallet(cmd, s, to, true, func(ctx context.Context, w shell.Wallet, ask *secrets) error {
				return e.run(ctx, cmd, &shell.Shell{Wallet: w, Secrets: ask, Yes: true}, c)
			})
		},
	}
	cmd.Flags().Var(namedFlag{&e.file}, "out", "the file to write; it must not exist yet")
	cmd.Flags().DurationVar(&e.expires, "expires", exportLife, "how long the transaction can be used, a day at most")
	to.define(cmd)
	return cmd
}

// atLeast requires n arguments or more.
func atLeast(n int, name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return fmt.Errorf("%s is missing; %s --help explains", name, cmd.CommandPath())
		}
		return plainSigns(cmd, args)
	}
}

func txInspectCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "inspect FILE", Short: "Show what a transaction file does, who has signed it and who may",
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := readTransaction(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return withFiles(s, func(p *program) error {
				in, _, err := p.inspect(cmd.Context(), file)
				if err != nil {
					return err
				}
				return writeColumns(cmd.OutOrStdout(), printable.Lines(in.Text()))
			})
		},
	}
}

func txSignCommand(s *settings) *cobra.Command {
	var asked fileApproval
	var out string
	cmd := &cobra.Command{
		Use: "sign FILE", Short: "Add the signatures of this wallet to a transaction file, without a daemon",
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := readTransaction(cmd.Context(), args[0])
			if err == nil && out != "" {
				err = checkFree(out)
			}
			if err != nil {
				return err
			}
			if err := s.readForStored("keys", keystoreName); err != nil {
				return shell.Misuse(err)
			}
			return withFiles(s, func(p *program) error {
				if err := p.signFile(cmd, file, &asked); err != nil {
					return err
				}
				if out == "" {
					return writeTransaction(args[0], file, true)
				}
				return writeTransaction(out, file, false)
			})
		},
	}
	asked.define(cmd, "sign")
	cmd.Flags().Var(namedFlag{&out}, "out", "the file to write; it must not exist yet (default: FILE itself)")
	return cmd
}

func (p *program) signFile(cmd *cobra.Command, file *cosign.File, asked *fileApproval) error {
	plan, err := file.PlanSigning(vault.Cosigner{Vault: p.wallet.Vault}, time.Now(), p.wallet.Build.CheckFees)
	if err != nil {
		return err
	}
	ask := newSecrets(cmd)
	if err := p.unlockForCall(cmd.Context(), ask); err != nil {
		return err
	}
	in, page, err := p.inspect(cmd.Context(), file)
	if err != nil {
		return err
	}
	text := in.Text()
	for _, key := range plan.Keys {
		text += fmt.Sprintf("  %-12s %s\n", "signs with", key)
	}
	if err := asked.approve(cmd.Context(), &page, text, "sign it", cmd.OutOrStdout(), ask); err != nil {
		return err
	}
	if err := file.Sign(vault.Cosigner{Vault: p.wallet.Vault}, plan); err != nil {
		return err
	}
	if plan.Complete { // what these keys signed alone is not missed from the journal once somebody has sent it
		if err := p.wallet.Payments.NoteSigned(file.ID, file.Transaction.Expiration); err != nil {
			return err
		}
	}
	next := "signed; others still have to"
	if plan.Complete {
		next = "signed; it can be broadcast"
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), next)
	return err
}

func txMergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "merge FILE FILE…", Short: "Put the signatures of files of the same transaction into one",
		Args: atLeast(2, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return shell.Misuse(errors.New("--out FILE is missing: where the merged file is written to"))
			}
			if err := checkFree(out); err != nil {
				return err
			}
			merged, err := readTransaction(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			for _, name := range args[1:] {
				next, err := readTransaction(cmd.Context(), name)
				if err == nil {
					err = merged.Merge(next)
				}
				if err != nil {
					return err
				}
			}
			if err := writeTransaction(out, merged, false); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s has %s\n", out, printable.Many(len(merged.SignedBy()), "signature"))
			return err
		},
	}
	cmd.Flags().Var(namedFlag{&out}, "out", "the file to write; it must not exist yet")
	return withoutSettings(cmd)
}

func txBroadcastCommand(s *settings) *cobra.Command {
	var asked fileApproval
	cmd := &cobra.Command{
		Use: "broadcast FILE", Short: "Send a transaction file that has its signatures, and follow it like a payment",
		Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := readTransaction(cmd.Context(), args[0])
			if err == nil {
				err = file.CheckStrangers()
			}
			if err != nil {
				return err
			}
			if err := s.readForStored("payment journal", keystoreName); err != nil {
				return shell.Misuse(err)
			}
			return runWithSettings(cmd, s, func(ctx context.Context, p *program) error { return p.broadcastFile(ctx, cmd, file, &asked) })
		},
	}
	asked.define(cmd, "broadcast")
	return cmd
}

func (p *program) broadcastFile(ctx context.Context, cmd *cobra.Command, file *cosign.File, asked *fileApproval) error {
	if err := p.firstContact(ctx); err != nil {
		return fault.Daemon("broadcast", err)
	}
	if chain := p.wallet.Status().ChainID; chain != file.Chain {
		return &fault.Error{Code: fault.WrongChain, Op: "tx", Hint: "nothing was sent",
			Message: fmt.Sprintf("the transaction is for the chain %s, and the daemon is of %s", file.Chain, chain)}
	}
	in, page, err := p.inspect(ctx, file)
	if err != nil {
		return err
	}
	if err := asked.approve(ctx, &page, in.Text(), "broadcast it", cmd.OutOrStdout(), newSecrets(cmd)); err != nil {
		return err
	}
	sent, err := p.wallet.Payments.Broadcast(ctx, file.Transaction, page.Shown)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is %s; billfold call get_payment %s reports on it\n", sent.ID, sent.State, sent.ID)
	return err
}

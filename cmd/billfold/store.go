package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"

	"github.com/spf13/cobra"
)

func storeCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{Use: "store", Short: "Archive old payments; set up and check the PostgreSQL database that several servers share",
		Long: `Archive old payments of a wallet's own store; set up and check the PostgreSQL database
that several servers share.

One person needs none: the store is then a file in the wallet's folder. With --store
several servers, each with a folder of its own and a copy of the key file, share one.
A payment is then made once, whichever of them is asked, and however often.`})
	from := ""
	begin := &cobra.Command{Use: "init", Short: "Make the store in an empty database", Args: exactly(),
		Long: `Make the store in an empty database.

With --from DIR everything in that folder's own store is copied: payments and request
keys, the audit log, tokens and their sums, cursors, drafts, contacts and pins. Stop its
wallet first. Its files are renamed, and the folder belongs to a server from then on.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return initStore(cmd, s, from) }}
	begin.Flags().Var(namedFlag{&from}, "from", "the folder of a wallet with a store of its own")
	var block uint32
	later := false
	accept := &cobra.Command{Use: "accept --from-block N", Short: "End the hold of a store that lost something", Args: exactly(),
		Long: `End the hold of a store that lost something, as after a restored backup.

It reads every block from N to one that is too late for anything signed before, about
half a minute from now, and prints and records the payments of this wallet's keys that
the store lacks. Their request keys are lost: a request that equals one of them is refused
until billfold store claim names its key. Most holds end by themselves; billfold store
status shows what they wait for. Run it in the folder of a server that is not running.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if block == 0 {
				return shell.Misuse(errors.New("--from-block is missing; billfold store status names a block from before the loss"))
			}
			if err := s.readForShared(); err != nil {
				return err
			}
			return explainUnfit(acceptJournal(cmd, s, block, later))
		}}
	accept.Flags().Uint32Var(&block, "from-block", 0, "the number of a block from before the loss")
	accept.Flags().BoolVar(&later, "later", false, laterHelp)
	cmd.AddCommand(begin, accept, foundCommand(s, sharedStore), claimCommand(s, sharedStore), storeStatusCommand(s),
		&cobra.Command{Use: "migrate", Short: "Bring the store to the version of this program", Args: exactly(),
			RunE: func(cmd *cobra.Command, _ []string) error { return migrateStore(cmd, s) }},
		&cobra.Command{Use: "verify", Short: "Verify that the audit log is whole and every payment can be read", Args: exactly(),
			RunE: func(cmd *cobra.Command, _ []string) error { return verifyStore(cmd, s) }},
		storeExportCommand(s), archiveCommand(s), giveUpCommand(s), forgetCommand(s))
	return cmd
}

func storeExportCommand(s *settings) *cobra.Command {
	copied := false
	cmd := &cobra.Command{Use: "export DIR", Short: "Move everything into a store of its own in the folder DIR", Args: exactly("DIR"),
		Long: `Move everything into a store of its own in the folder DIR.

The servers pay nothing new from before anything is copied, and say where the store went.
If the wallet in DIR is given up, billfold store accept lets them go on. With --copy they go
on paying meanwhile, and a wallet spends with the copy only after billfold journal accept.`,
		RunE: func(cmd *cobra.Command, args []string) error { return exportStore(cmd, s, args[0], copied) }}
	cmd.Flags().BoolVar(&copied, "copy", false, "leave the servers as they are")
	return cmd
}

// explainUnfit explains why accept, too, refuses a store that is unfit for servers.
func explainUnfit(err error) error {
	if unfit, is := errors.AsType[*postgres.UnfitError](err); is {
		return fmt.Errorf("%w; like a server, accept insists on that, because the payments that it records must not be lost again", unfit)
	}
	return err
}

func migrateStore(cmd *cobra.Command, s *settings) error {
	if err := s.readForShared(); err != nil {
		return err
	}
	before, after, err := s.storeOptions(nil).Migrate(cmd.Context(), s.store)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("the store has version %d already", after)
	if before != after {
		text = fmt.Sprintf("the store has version %d now; it had %d", after, before)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
	return err
}

func verifyStore(cmd *cobra.Command, s *settings) error {
	if err := s.readForShared(); err != nil {
		return err
	}
	kept, err := s.openStoreReadOnly(cmd.Context())
	if err != nil {
		return err
	}
	return errors.Join(verify(cmd.Context(), cmd.OutOrStdout(), kept), kept.Close())
}

func verify(ctx context.Context, out io.Writer, kept *store.Store) error {
	c, err := audit.NewLog(kept.Audit).Verify(ctx, func(audit.Record) {})
	if err != nil {
		return err
	}
	payments := 0
	if err := kept.Journal.All(ctx, func(store.Entry) error { payments++; return nil }); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s can be read\n%s, each follows the one before\n",
		printable.Many(payments, "payment"), printable.Many(c.Records(), "audit record"))
	if c.Head != "" {
		fmt.Fprintf(out, "head %s\n", c.Head)
	}
	return nil
}

package main

import (
	"fmt"

	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"

	"github.com/spf13/cobra"
)

func forgetCommand(s *settings) *cobra.Command {
	return &cobra.Command{Use: "forget SERVER", Short: "Take a server that is gone for good off the list", Args: exactly("SERVER"),
		Long: `Take a server that is gone for good off the list, by its name or its id. store status
then misses it no longer.

It is refused while the server is alive, while it has open payments that nobody has taken
over, and while the store is held. What it wrote stays; if it ever comes back, it is
compared and listed like any other. The audit log says who was forgotten.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.readForShared(); err != nil {
				return err
			}
			one, err := s.storeOptions(nil).Forget(cmd.Context(), s.store, args[0], func(kept *store.Store, v postgres.Server) store.Change {
				return audit.NewLog(kept.Audit).Change(audit.Record{Who: "the person at the terminal", Method: "store forget",
					What: v.Name + " (" + v.ID + ")", Outcome: "done"})
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "the server %s (%s) is forgotten\n", printable.Text(one.Name), one.ID[:min(8, len(one.ID))])
			return err
		}}
}

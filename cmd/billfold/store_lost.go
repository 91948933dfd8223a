package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/postgres"
)

// lostWhy is why nothing is paid.
func (p *program) lostWhy() string {
	err := p.wallet.Payments.JournalFault()
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Err != nil {
		return e.Err.Error()
	}
	return "nothing was missing"
}

// endOfHold says what ends a hold.
func endOfHold(at *postgres.Standing) string {
	accept := "billfold store accept --from-block N, with a block from before the loss"
	if at.HeldFrom > 0 {
		accept = fmt.Sprintf("billfold store accept --from-block %d", at.HeldFrom)
	}
	switch {
	case at.NeedsPerson:
		return "it does not end by itself; to go on, in the folder of a server that does not run: " + accept
	case len(at.Awaited) > 0:
		return "it waits for " + printable.Text(strings.Join(at.Awaited, ", ")) + " to compare what it knows; start it again, " +
			"or, where it is gone for good: " + accept
	}
	from := ""
	if at.HeldFrom > 0 {
		from = fmt.Sprintf(" from block %d on", at.HeldFrom)
	}
	return "the servers search the ledger" + from + ", and it ends by itself once that is done; an unlocked server and a daemon are needed"
}

// keysAreLost says what a program may do that repeats the key of one of the payments that were found; "" where none was.
func keysAreLost(found int, shared bool) string {
	if found == 0 {
		return ""
	}
	if shared {
		return "The ledger does not hold request keys: a request that equals one of these payments is refused until\n" +
			"billfold store claim says which of them it was\n"
	}
	return "The ledger does not hold request keys: a program that repeats the key of a lost payment pays again,\n" +
		"so compare these payments with its orders first\n"
}

func storeClaimCommand(s *settings) *cobra.Command {
	none := false
	cmd := &cobra.Command{Use: "claim [KEY] ID", Args: cobra.ArbitraryArgs,
		Short: "Name the request key of a payment that was found after a loss",
		Long: `Name the request key of a payment that was found after a loss.

The ledger does not hold request keys. Until somebody has claimed what was found, a request
that pays the same is refused: it may be a repetition. claim KEY ID says that it is, and
the key is answered with that payment from then on. claim --none ID says that no request
will be repeated for it, and the same may be paid again. Servers may run meanwhile.`,
		Example: `  billfold store claim order-7 5e8a3f…
  billfold store claim --none 5e8a3f…`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 && !none || len(args) != 1 && none {
				return shell.Misuse(errors.New("give the request key and the id of the payment, or --none and the id"))
			}
			key, id := "", args[len(args)-1]
			if !none {
				key = args[0]
			}
			found, err := ledger.ParseTransactionID(id)
			if err != nil {
				return fmt.Errorf("%q is not the id of a payment: %w", id, err)
			}
			return claimFound(cmd, s, key, found)
		}}
	cmd.Flags().BoolVar(&none, "none", false, "no request will be repeated for it")
	return cmd
}

func claimFound(cmd *cobra.Command, s *settings, key string, id ledger.TransactionID) error {
	if err := s.readShared(); err != nil {
		return err
	}
	if err := s.storeOptions(nil).Claim(cmd.Context(), s.store, key, id.String()); err != nil {
		return err
	}
	what, err := s.claimed(cmd.Context(), id)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("payment %s (%s) belongs to request key %s now", id, what, fault.Quote(key))
	if key == "" {
		text = fmt.Sprintf("the same as payment %s (%s) may be paid again now", id, what)
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
	return err
}

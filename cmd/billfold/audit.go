package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/keystore"
	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"github.com/spf13/cobra"
)

func auditCommand(s *settings) *cobra.Command {
	cmd := group(&cobra.Command{Use: "audit", Short: "Print or verify the log of what programs spent"})
	var head string
	verify := &cobra.Command{
		Use: "verify", Short: "Verify that no record was changed, removed or inserted", Args: exactly(),
		Long: `Verify that no record was changed, removed or inserted.

It prints the hash of the last record. Keep it elsewhere: with --head it shows
whether the log still holds that record, so a log whose end was cut off is noticed too.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return verifyAudit(cmd, s, head) },
	}
	verify.Flags().Var(namedFlag{&head}, "head", "a hash that verify printed earlier")
	cmd.AddCommand(verify, &cobra.Command{
		Use: "list", Short: "Print every record", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listAudit(cmd, s) },
	})
	return cmd
}

// listAudit prints every record, and then the allowed calls without an outcome, which
// are under way or were cut short when the wallet ended.
func listAudit(cmd *cobra.Command, s *settings) error {
	open := map[int64]audit.Record{}
	chain, err := readAudit(cmd, s, func(e audit.Record) {
		printAudit(cmd.OutOrStdout(), e)
		if e.Decision == string(audit.Allow) {
			open[e.Number] = e
		}
		delete(open, e.Of)
	})
	tellGaps(cmd.OutOrStdout(), chain)
	for _, number := range slices.Sorted(maps.Keys(open)) {
		fmt.Fprintf(cmd.OutOrStdout(), "outcome of %d unknown: %s is under way, or the wallet ended before it was written down\n", number,
			open[number].Method)
	}
	return err
}

// tellGaps prints which records are gone with archives that were given up.
func tellGaps(out io.Writer, c audit.Chain) {
	for _, g := range c.Gaps {
		fmt.Fprintf(out, "records %d to %d are gone with %s, which was given up\n", g.First, g.Last, g.Archive)
	}
}

func readAudit(cmd *cobra.Command, s *settings, see func(audit.Record)) (c audit.Chain, err error) {
	if err := s.readForStored("audit log", keystoreName, sqlite.Name); err != nil {
		return c, err
	}
	kept, err := s.openStoreReadOnly(cmd.Context())
	if err != nil {
		return c, err
	}
	c, err = audit.NewLog(kept.Audit).Verify(cmd.Context(), see)
	if err == nil {
		err = checkComplete(cmd.Context(), s.keystorePath(), kept)
	}
	return c, errors.Join(withArchiveAdvice(err), kept.Close())
}

// partialError means that the log may lack records, because its journal is not the one that the wallet wrote last.
type partialError struct{ why *store.LostError }

func (e *partialError) Error() string {
	return "records may be missing at the end of the audit log: " + e.why.Why + "; billfold journal status says how to go on"
}

// checkComplete compares the journal with its mark and with the identity in the key file, or with the mark alone if the key file
// cannot be read. It returns a *partialError if records may be missing, or an error of the disk.
func checkComplete(ctx context.Context, keyFile string, kept *store.Store) error {
	id := ""
	if keys, err := keystore.Open(keyFile); err == nil {
		id = keys.Public().Journal
	}
	err := kept.Journal.Check(ctx, id)
	if lost, is := errors.AsType[*store.LostError](err); is {
		return &partialError{lost}
	}
	return err
}

// headPattern matches a hash as verify prints it.
var headPattern = regexp.MustCompile("^[0-9a-f]{64}$")

func verifyAudit(cmd *cobra.Command, s *settings, wanted string) error {
	if cmd.Flags().Changed("head") && !headPattern.MatchString(wanted) {
		return shell.Misuse(fmt.Errorf("--head: %q is not a hash that verify printed; such a hash has 64 hexadecimal digits", wanted))
	}
	found := wanted == ""
	c, err := readAudit(cmd, s, func(e audit.Record) { found = found || e.Previous == wanted })
	partial, is := errors.AsType[*partialError](err)
	if err != nil && (!is || c.Last == 0) {
		return err
	}
	if !found && c.Head != wanted {
		return fmt.Errorf("the audit log has %s, and none with the hash %s; its end was cut off, or it is another wallet's",
			printable.Many(c.Last, "record"), wanted)
	}
	if c.Last == 0 {
		_, err = fmt.Fprintln(cmd.OutOrStdout(), "the audit log has no records")
		return err
	}
	tellGaps(cmd.OutOrStdout(), c)
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s, each follows the one before\nhead %s\n", printable.Many(c.Records(), "record"), c.Head)
	if err == nil && is {
		err = partial
	}
	return err
}

func printAudit(out io.Writer, e audit.Record) {
	what := e.Decision + ": " + e.Rule + "; " + e.What
	switch {
	case e.Of != 0:
		what = fmt.Sprintf("outcome of %d: %s", e.Of, e.Outcome)
	case e.Decision == "": // somebody locked or unlocked
		what = e.Outcome
	}
	who := strings.TrimSuffix(e.Who+" over "+e.Via, " over ")
	fmt.Fprintf(out, "%d  %s  %s  %s  %s\n", e.Number, e.Time.Format(time.DateTime), printable.Text(who), e.Method, printable.Text(what))
}

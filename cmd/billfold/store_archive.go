package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"github.com/spf13/cobra"
)

func archiveCommand(s *settings) *cobra.Command {
	before := ""
	cmd := &cobra.Command{Use: "archive --before DAY", Short: "Move finished payments and audit records from before a day into a file", Args: exactly(),
		Long: `Move finished payments and audit records from before a day (UTC) into a file, also
while the wallet runs and pays.

The file, payments-before-DAY.db, is made beside payments.db, in the wallet's folder, and
is a part of the store from then on: keep it there. The store keeps the id, the request
key and the outcome of each payment for ever, so a request that is repeated is answered
as before and never paid again; only what was signed moves. audit list and audit verify
read the records in it, and billfold backup takes it along. The newest 1000 payments stay
in the store, and so does what is not final, and the last audit record.

What is moved makes room in payments.db for new payments. The file does not become
smaller. If the command is interrupted, the next one completes what it had begun.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return archiveStore(cmd, s, before) }}
	cmd.Flags().Var(namedFlag{&before}, "before", "the first day that stays, such as 2026-10-01")
	return cmd
}

// parseBefore returns the beginning of a day that is not in the future.
func parseBefore(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, errors.New("--before is missing: name the first day that stays, such as 2026-10-01")
	}
	day, err := time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		return day, fmt.Errorf("--before: %q is not a day; write it like 2026-10-01", text)
	case day.After(now):
		return day, fmt.Errorf("--before: %s has not begun yet (UTC), and what is of today stays; name an earlier day", text)
	}
	return day, nil
}

func archiveStore(cmd *cobra.Command, s *settings, text string) error {
	before, err := parseBefore(text, time.Now())
	if err != nil {
		return shell.Misuse(err)
	}
	if err := s.readForStored("store", keystoreName, sqlite.Name); err != nil {
		return err
	}
	if s.store != "" {
		return errNoArchives
	}
	if _, err := readAudit(cmd, s, func(audit.Record) {}); err != nil { // it would be told of the archive later
		return fmt.Errorf("nothing was archived: %w", err)
	}
	made, completed, err := sqlite.Archiver{Path: filepath.Join(s.dataDir, sqlite.Name), Before: before}.Run(cmd.Context())
	if err != nil {
		return err
	}
	return tellArchived(cmd.OutOrStdout(), made, completed, text)
}

func tellArchived(out io.Writer, made store.Archive, completed int, day string) (err error) {
	if completed > 0 {
		_, err = fmt.Fprintf(out, "what was interrupted before is complete: %s\n", printable.Many(completed, "archive"))
	}
	if made.Name == "" {
		_, other := fmt.Fprintf(out, "nothing from before %s is left to archive: the newest %d payments, what is not final and the last audit record stay\n", day, sqlite.KeptPayments)
		return errors.Join(err, other)
	}
	_, other := fmt.Fprintf(out, "%s has %s and %s from before %s\nkeep it beside payments.db: it is a part of the store, and billfold backup takes it along\n", made.Name,
		printable.Many(made.Payments, "payment"), printable.Many(made.Records, "audit record"), day)
	return errors.Join(err, other)
}

func giveUpCommand(s *settings) *cobra.Command {
	return &cobra.Command{Use: "give-up ARCHIVE", Short: "Do without an archive that is lost", Args: exactly("ARCHIVE"),
		Long: `Do without an archive that is lost, such as payments-before-2026-10-01.db. Look for it in
the backups first: what was signed of its payments, and its audit records, are in no
other place.

From then on the whole wallet is backed up again, and archived, and the audit log says
which records are gone. The store still has the id, the request key and the outcome of
each of its payments: a request that is repeated is refused and told its outcome, and
never paid again. If the file is found after all, put it back: it is read as before.`,
		RunE: func(cmd *cobra.Command, args []string) error { return giveUpArchive(cmd, s, args[0]) }}
}

func giveUpArchive(cmd *cobra.Command, s *settings, name string) error {
	if err := s.readForStored("store", keystoreName, sqlite.Name); err != nil {
		return err
	}
	if s.store != "" {
		return errNoArchives
	}
	name = filepath.Base(name) // it may be given with its folder
	if err := sqlite.GiveUp(cmd.Context(), filepath.Join(s.dataDir, sqlite.Name), name, func(kept *store.Store) store.Change {
		return audit.NewLog(kept.Audit).Change(personRecord("store give-up", name))
	}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s is given up; the outcomes of its payments are still known, and none of them is paid again\n", name)
	return err
}

var errNoArchives = errors.New("the payments are in the database that the servers share, which keeps all of them; only the store of a wallet's own folder is archived")

// checkArchives returns why an archive that a store names is not beside it, as it was made.
func checkArchives(ctx context.Context, kept *store.Store, folder string) error {
	list, err := kept.Archives(ctx)
	for _, a := range list {
		if !a.GivenUp {
			err = errors.Join(err, withArchiveAdvice(sqlite.CheckArchive(folder, a)))
		}
	}
	return err
}

// withArchiveAdvice adds to the error of an archive that cannot be read what to do about it.
func withArchiveAdvice(err error) error {
	if at, is := errors.AsType[*store.ArchiveError](err); is {
		return fmt.Errorf("%w; %s", err, at.Advice())
	}
	return err
}

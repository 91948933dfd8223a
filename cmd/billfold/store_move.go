package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"billfold/cmd/billfold/access"
	"billfold/ledger/printable"
	"billfold/osfile"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/store/sqlite"

	"github.com/spf13/cobra"
)

// initStore makes a store, empty or with the content of a folder's own store.
func initStore(cmd *cobra.Command, s *settings, from string) error {
	if err := s.readForShared(); err != nil {
		return err
	}
	if from != "" {
		return importStore(cmd.Context(), cmd.OutOrStdout(), s, from)
	}
	id := store.NewID()
	if err := s.storeOptions(nil).Init(cmd.Context(), s.store, id, nil); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "store %s was made; start the servers with --store\n", id)
	return err
}

// movedSuffix is the suffix of the files of a store that was copied.
const movedSuffix = ".moved"

// importStore moves a folder's own store into the database. Whoever else has it open is locked out before anything is read, and
// finds in the file where it went. A move that was interrupted is completed, or begun again.
func importStore(ctx context.Context, out io.Writer, s *settings, folder string) error {
	if err := access.IsFolder(folder); err != nil {
		return err
	}
	path := filepath.Join(folder, sqlite.Name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(path + movedSuffix); err == nil {
			return fmt.Errorf("the store of %s was copied into a database already, and is %s now; "+
				"billfold store status reports on that database", folder, sqlite.Name+movedSuffix)
		}
		return fmt.Errorf("there is no store in %s: %s is missing", folder, sqlite.Name)
	}
	fit := s.storeOptions(nil).TryInit(ctx, s.store)
	if fit != nil && !errors.Is(fit, postgres.ErrStoreThere) { // it may be that of a move which was interrupted
		return fmt.Errorf("%w; nothing was changed", fit)
	}
	own, err := sqlite.Seize(ctx, path)
	if err != nil {
		return err
	}
	defer own.Close() //nolint:errcheck // what was recorded is on disk
	tokens, err := s.tokenRows(filepath.Join(folder, tokensName))
	if err != nil {
		return err
	}
	if own.Began == nil && fit != nil {
		return fit
	}
	id, counts, err := s.moveInto(ctx, own, tokens)
	if err != nil {
		return err
	}
	if err := own.End(); err != nil {
		return fmt.Errorf("everything was copied, but the folder's own store does not say so yet: %w; run this again", err)
	}
	if err := setAside(folder, id); err != nil {
		return fmt.Errorf("everything was copied, but the folder's own store is still in place: %w; move %s away before anything starts",
			err, path)
	}
	_, err = fmt.Fprintf(out, "%s, %s and %s were copied into store %s\n"+
		"%s is %s now; start the servers with --store\n",
		printable.Many(counts["payments"], "payment"), printable.Many(counts["audit"], "audit record"),
		printable.Many(len(tokens), "token"),
		id, path, sqlite.Name+movedSuffix)
	return err
}

// moveInto copies a seized store into the database, and returns the identity that it has there.
func (s *settings) moveInto(ctx context.Context, own *sqlite.Seized, tokens []store.TokenRow) (id string, counts map[string]int64, err error) {
	fresh := false // no earlier run can have copied it
	there := func() (postgres.Status, error) { return s.storeOptions(nil).Status(ctx, s.store) }
	counted := func(at postgres.Status) map[string]int64 {
		return map[string]int64{"payments": at.Payments, "audit": at.Records}
	}
	if own.Began != nil {
		if at, err := there(); err == nil && at.ID == own.Began.Store { // only its end is missing
			return at.ID, counted(at), nil
		}
		id = own.Began.Store
	} else {
		fresh = true
		if id = own.ID; id == "" {
			id = store.NewID()
		}
		place, err := postgres.DisplayName(s.store)
		if err == nil {
			err = own.Begin(id, place)
		}
		if err != nil {
			return id, nil, err
		}
	}
	counts, err = s.storeOptions(nil).Import(ctx, s.store, id, own, tokens)
	if err == nil {
		return id, counts, nil
	}
	if fresh && !errors.Is(err, postgres.ErrUnconfirmed) { // nothing was ever written there
		return id, nil, errors.Join(err, own.Abandon())
	}
	at, unknown := there()
	switch {
	case unknown == nil && at.ID == id && !errors.Is(err, postgres.ErrStoreThere): // only its answer was lost
		return id, counted(at), nil
	case unknown == nil || errors.Is(unknown, postgres.ErrNoStore) || errors.Is(err, postgres.ErrStoreThere):
		return id, nil, errors.Join(err, own.Abandon())
	}
	return id, nil, fmt.Errorf("%w; whether it was copied is not known, so the folder's own store pays nothing until this was run again", err)
}

// setAside renames the files of a store and marks the folder as that of a server.
func setAside(folder, id string) error {
	for _, name := range []string{sqlite.Name, sqlite.Name + "-wal", sqlite.Name + "-shm", sqlite.MarkName, tokensName} {
		path := filepath.Join(folder, name)
		if err := os.Rename(path, path+movedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return postgres.MarkFolder(folder, id)
}

// exportStore moves a shared store into a folder, as a store of its own: no server pays anything new from before it is read. A
// copy leaves the servers as they are, and has no identity, so that no wallet spends with it before a person has accepted it.
func exportStore(cmd *cobra.Command, s *settings, folder string, copied bool) error {
	if err := s.readForShared(); err != nil {
		return err
	}
	if err := access.IsFolder(folder); err != nil {
		return err
	}
	for _, name := range []string{sqlite.Name, sqlite.MarkName, tokensName} {
		if _, err := os.Stat(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s has a %s already; name an empty folder", folder, name)
		}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	ctx := cmd.Context()
	at, err := s.storeOptions(nil).Status(ctx, s.store)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, sqlite.Name)
	why := "it was moved into " + path
	if host, err := os.Hostname(); err == nil {
		why += " on " + host
	}
	if !copied {
		if err := s.storeOptions(nil).Leave(ctx, s.store, why); err != nil {
			return err
		}
	}
	counts, err := s.exportTo(ctx, path)
	if err == nil && !copied {
		err = recordIdentity(ctx, path, at.ID)
	}
	if err == nil {
		err = s.exportTokens(ctx, filepath.Join(folder, tokensName))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(path))
		if !copied {
			err = errors.Join(err, s.storeOptions(nil).Stay(context.WithoutCancel(ctx), s.store, why))
		}
		return err
	}
	next := "the servers pay nothing new from now on"
	if copied {
		next = "it is a copy: a wallet spends with it only after billfold journal accept"
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s and %s are in %s; %s\nthe keys are in no store; copy the key file beside it: cp %s %s\n",
		printable.Many(counts["payments"], "payment"), printable.Many(counts["audit"], "audit record"), path, next,
		osfile.ShellWord(s.keystorePath()), osfile.ShellWord(filepath.Join(folder, keystoreName)))
	return err
}

// tokenRows reads the tokens in a file.
func (s *settings) tokenRows(path string) ([]store.TokenRow, error) {
	tokens, err := token.OpenStoreFor(path, s.trust.Covers)
	if err != nil {
		return nil, err
	}
	list, err := tokens.List()
	if err != nil {
		return nil, err
	}
	return token.Rows(list)
}

// exportTokens copies the tokens of all servers into a file.
func (s *settings) exportTokens(ctx context.Context, path string) error {
	from, done, err := s.tokenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	to, err := token.OpenStoreFor(path, s.trust.Covers)
	if err == nil {
		_, err = token.Copy(from, to)
	}
	return err
}

// exportTo copies the shared store into a new file.
func (s *settings) exportTo(ctx context.Context, path string) (map[string]int64, error) {
	own, err := sqlite.Open(path)
	if err == nil { // the write makes the tables of the current version; the row is deleted below
		_, err = own.Cursors.Advance(ctx, 0, store.Cursor{Block: 1})
		err = errors.Join(err, own.Close())
	}
	if err != nil {
		return nil, err
	}
	db, err := sqlite.Tables(path)
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // the commit reports failures
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if _, err := tx.ExecContext(ctx, `DELETE FROM deposit_cursors`); err != nil {
		return nil, err
	}
	counts, err := s.storeOptions(nil).Export(ctx, s.store, tx)
	if err != nil {
		return nil, err
	}
	return counts, tx.Commit()
}

// recordIdentity records in a file the identity of the store that it is a copy of.
func recordIdentity(ctx context.Context, path, id string) error {
	own, err := sqlite.Open(path)
	if err != nil {
		return err
	}
	_, err = own.Journal.Claim(ctx, id)
	return errors.Join(err, own.Close())
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/store/sqlite"
)

// storeOptions returns the options of the store that several servers share.
func (s *settings) storeOptions(log *slog.Logger) postgres.Options {
	return postgres.Options{Folder: s.dataDir, Server: s.serverName, Version: fullVersion(), MayLose: s.mayLose, Logger: log}
}

// openStore opens the store of the wallet in folder for writing.
func (s *settings) openStore(ctx context.Context, folder string, log *slog.Logger) (*store.Store, error) {
	if s.store == "" || s.sandbox {
		return sqlite.Open(filepath.Join(folder, sqlite.Name))
	}
	return s.storeOptions(log).Open(ctx, s.store)
}

// openStoreAside opens the store for a command that pays nothing: beside the servers that share it, also beside the one of the same folder.
func (s *settings) openStoreAside(ctx context.Context, folder string, _ *slog.Logger) (*store.Store, error) {
	if s.store == "" || s.sandbox {
		return s.openStore(ctx, folder, nil)
	}
	return s.storeOptions(nil).OpenAside(ctx, s.store)
}

// openStoreReadOnly opens the store for reading only, even while a server is running.
func (s *settings) openStoreReadOnly(ctx context.Context) (*store.Store, error) {
	if s.store == "" {
		return sqlite.Open(filepath.Join(s.dataDir, sqlite.Name))
	}
	return s.storeOptions(nil).OpenReadOnly(ctx, s.store)
}

// readForShared reads the settings of a command that needs a shared store.
func (s *settings) readForShared() error {
	if err := s.read(); err != nil {
		return err
	}
	if s.store == "" {
		return shell.Misuse(errors.New("--store is missing: give the address of the database, or set BILLFOLD_STORE"))
	}
	return nil
}

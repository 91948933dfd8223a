package historyindex

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"billfold/ledger"
	"billfold/osfile"
	"billfold/walletcore/database"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// version is that of the schema; a file of another version is set aside.
const version = 5

var schema = []string{
	`CREATE TABLE IF NOT EXISTS index_of (version BIGINT NOT NULL, chain VARCHAR(64) NOT NULL)`,
	`CREATE TABLE IF NOT EXISTS standings (
		account BIGINT PRIMARY KEY,
		bottom  BIGINT NOT NULL,
		top     BIGINT NOT NULL,
		whole   BIGINT NOT NULL,
		final   BIGINT NOT NULL,
		head    BIGINT NOT NULL,
		head_id VARCHAR(40) NOT NULL,
		head_time BIGINT NOT NULL,
		total   BIGINT NOT NULL
	)`,
	`CREATE TABLE IF NOT EXISTS operations (
		account      BIGINT NOT NULL,
		id           BIGINT NOT NULL,
		seq          BIGINT NOT NULL,
		block        BIGINT NOT NULL,
		time         BIGINT NOT NULL,
		code         BIGINT NOT NULL,
		direction    BIGINT NOT NULL,
		counterparty BIGINT NOT NULL,
		asset        BIGINT NOT NULL,
		amount       BIGINT NOT NULL,
		trx          BIGINT NOT NULL,
		memo         BIGINT NOT NULL,
		PRIMARY KEY (account, id)
	)`,
	// This index covers every filter but that on transactions: the rows need not be
	// read.
	`CREATE UNIQUE INDEX IF NOT EXISTS operations_by_seq ON operations (account, seq, direction, asset, amount, code, counterparty, memo)`,
	`CREATE INDEX IF NOT EXISTS operations_with ON operations (account, counterparty, seq, direction, asset, amount)`,
	// Totals are grouped in its order, without sorting or reading the rows.
	`CREATE INDEX IF NOT EXISTS operations_moving ON operations (account, direction, asset, amount, seq, code, counterparty, memo)`,
	`CREATE INDEX IF NOT EXISTS operations_by_block ON operations (account, block, seq)`,
	`CREATE INDEX IF NOT EXISTS operations_by_time ON operations (account, time, seq)`,
	`CREATE TABLE IF NOT EXISTS records (
		account BIGINT NOT NULL,
		seq     BIGINT NOT NULL,
		raw     TEXT NOT NULL,
		PRIMARY KEY (account, seq)
	)`,
	alsoMoved,
	// How final rows changed balances, by hour, and which rows were added up.
	`CREATE TABLE IF NOT EXISTS balance_hours (
		account BIGINT NOT NULL,
		hour    BIGINT NOT NULL,
		asset   BIGINT NOT NULL,
		net     BIGINT NOT NULL,
		PRIMARY KEY (account, hour, asset)
	)`,
	`CREATE TABLE IF NOT EXISTS balance_runs (
		account BIGINT PRIMARY KEY,
		low     BIGINT NOT NULL,
		high    BIGINT NOT NULL,
		stuck   BIGINT NOT NULL
	)`,
	`CREATE TABLE IF NOT EXISTS account_names (id BIGINT PRIMARY KEY, name TEXT NOT NULL)`,
	`CREATE INDEX IF NOT EXISTS account_names_by_name ON account_names (name)`,
	`CREATE TABLE IF NOT EXISTS asset_names (id BIGINT PRIMARY KEY, symbol TEXT NOT NULL, places BIGINT NOT NULL)`,
}

// store is an open file: one connection writes, several read.
type store struct {
	write *sql.DB
	read  *sql.DB
	chain ledger.ChainID // the chain of the rows; zero until the index is bound
}

func (s *store) close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// Index is the open file. It is safe for concurrent use.
type Index struct {
	path string
	room func(folder string) (free, all uint64, known bool) // see osfile.Room

	writing sync.Mutex // one change at a time; also while the file is opened or set aside

	mu     sync.RWMutex
	store  *store // nil until there is a file
	notice string
	closed bool
}

// ErrClosed means that the index was closed.
var ErrClosed = errors.New("the history index is closed")

// errEmpty means that there is no file yet.
var errEmpty = errors.New("the history index is empty")

// Open opens the index at path. If there is no file, the first Bind creates it with
// mode 0600, and until then the index is empty. A file that is damaged or of another
// version is set aside, see Notice. Open fails only if the file cannot be accessed
// or renamed.
func Open(path string) (*Index, error) {
	x := &Index{path: path, room: osfile.Room}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return x, nil
	case err != nil:
		return nil, fmt.Errorf("the history index %s cannot be opened: %w", path, err)
	}
	s, err := openStore(path)
	if unusable(err) {
		return x, x.setAside(nil, "damaged", "it was damaged or of another version")
	}
	if err != nil {
		return nil, fmt.Errorf("the history index %s cannot be opened: %w", path, database.Explain(path, err))
	}
	x.store = s
	return x, nil
}

// openStore opens the file, or creates it.
func openStore(path string) (*store, error) {
	// The index can be rebuilt: losing the last changes in a power failure is
	// harmless, so no change waits for the disk.
	s, err := new(store), error(nil)
	if s.write, err = database.Open(path, database.Relaxed); err != nil {
		return nil, err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = database.Open(path, database.ReadOnly); err != nil {
		return nil, errors.Join(err, s.write.Close())
	}
	s.read.SetMaxOpenConns(4)
	if err := s.prepare(); err != nil {
		_ = s.close() // the error that counts is the schema's
		return nil, err
	}
	return s, nil
}

// prepare creates the tables and reads which chain the rows are of.
func (s *store) prepare() error {
	for _, statement := range schema {
		if _, err := s.write.Exec(statement); err != nil {
			return err
		}
	}
	var have int
	var chain string
	err := s.write.QueryRow(`SELECT version, chain FROM index_of`).Scan(&have, &chain)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	case have != version:
		return errVersion
	}
	if s.chain, err = ledger.ParseChainID(chain); err != nil {
		return errVersion
	}
	return nil
}

// Bind binds the index to chain: it creates a missing file, and sets aside one of
// another chain. Nothing can be written before.
func (x *Index) Bind(chain ledger.ChainID) error {
	if x.Chain() == chain {
		return nil
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	s := x.current()
	if s != nil && s.chain != chain && s.chain != (ledger.ChainID{}) {
		if err := x.setAside(s, "chain-"+s.chain.String()[:8], "it was that of another chain"); err != nil {
			return err
		}
		s = nil
	}
	if s == nil {
		err := x.checkRoom()
		if err != nil {
			return err
		}
		if s, err = openStore(x.path); err != nil {
			return fmt.Errorf("the history index %s cannot be made: %w", x.path, err)
		}
	}
	if s.chain != chain {
		if _, err := s.write.Exec(`INSERT INTO index_of (version, chain) VALUES (?, ?)`, version, chain.String()); err != nil {
			return errors.Join(err, s.close())
		}
	}
	return x.use(&store{write: s.write, read: s.read, chain: chain})
}

// use installs an open file. If the index was closed meanwhile, it closes the file.
func (x *Index) use(s *store) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return errors.Join(ErrClosed, s.close())
	}
	x.store = s
	return nil
}

func (x *Index) current() *store {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.store
}

// Chain returns the chain that the index is bound to; zero if it is bound to none.
func (x *Index) Chain() ledger.ChainID {
	if s := x.current(); s != nil {
		return s.chain
	}
	return ledger.ChainID{}
}

// Notice returns a sentence about why an earlier file was set aside; empty if none was.
func (x *Index) Notice() string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.notice
}

// Close closes the file.
func (x *Index) Close() error {
	x.writing.Lock()
	defer x.writing.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.store
	x.store, x.closed = nil, true
	if s == nil {
		return nil
	}
	return s.close()
}

// reading runs look on one consistent state of the file. If the index is empty, it
// does not call look and returns nil.
func (x *Index) reading(ctx context.Context, look func(tx *sql.Tx) error) error {
	s := x.current()
	if s == nil {
		return nil
	}
	tx, err := s.read.BeginTx(ctx, nil)
	if err == nil {
		defer tx.Rollback() //nolint:errcheck // nothing was changed
		err = look(tx)
	}
	return x.fault(s, err)
}

// change runs apply in a transaction: what it writes is kept whole or not at all. Error: ErrNoRoom.
func (x *Index) change(ctx context.Context, apply func(tx *sql.Tx) error) error {
	if err := x.checkRoom(); err != nil {
		return err
	}
	return x.remove(ctx, apply)
}

// remove is change for what takes no room.
func (x *Index) remove(ctx context.Context, apply func(tx *sql.Tx) error) error {
	x.writing.Lock()
	s := x.current()
	if s == nil {
		x.writing.Unlock()
		return errEmpty
	}
	err := s.change(ctx, apply)
	x.writing.Unlock()
	return x.fault(s, err)
}

func (s *store) change(ctx context.Context, apply func(tx *sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := apply(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// fault returns the error of using s, explained. If the file is broken it also sets it aside; the caller has to do
// without.
func (x *Index) fault(s *store, err error) error {
	if err == nil || !damaged(err) {
		return database.Explain(x.path, err)
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	if x.current() != s { // another call has set it aside already
		return err
	}
	return errors.Join(err, x.setAside(s, "damaged", "it was damaged"))
}

// setAside closes the file, renames it and sets the notice. Only the latest file of
// each kind is kept. The caller holds writing.
func (x *Index) setAside(s *store, kind, why string) error {
	aside := x.path + "." + kind
	x.mu.Lock()
	x.store = nil
	x.notice = fmt.Sprintf("the history index is being rebuilt: %s; the old file is kept as %s", why, aside)
	x.mu.Unlock()
	if s != nil {
		_ = s.close() // the file is given up anyway
	}
	for _, part := range []string{"-wal", "-shm", ""} {
		err := os.Rename(x.path+part, aside+part)
		if errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(aside + part) // left by a file set aside before
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the history index %s is %s, and it cannot be renamed: %w; remove it", x.path, kind, err)
		}
	}
	return nil
}

// errVersion means that the file's tables are not those of this program.
var errVersion = errors.New("the history index is of another version")

// damaged reports whether err means that the file itself is broken.
func damaged(err error) bool { return database.Damaged(err) }

// unusable reports whether err, from opening a file, means that it is broken or has other tables.
func unusable(err error) bool {
	var e *sqlite.Error
	return damaged(err) || errors.Is(err, errVersion) || errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_ERROR
}

// ErrNoRoom means that the index stands still: what the disk has left is for files that cannot be rebuilt, above all the payment journal.
var ErrNoRoom = errors.New("the history index does not grow")

// maxKept is the space, in bytes, that the index leaves to other files; on a small disk, a quarter of the disk.
const maxKept = 64 << 20

// checkRoom returns ErrNoRoom if the disk has no room for more of the index, and sets the notice as long as that is so.
func (x *Index) checkRoom() error {
	folder := filepath.Dir(x.path)
	free, all, known := x.room(folder)
	kept := min(maxKept, all/4)
	x.mu.Lock()
	defer x.mu.Unlock()
	if !known || free >= kept {
		if strings.HasPrefix(x.notice, ErrNoRoom.Error()) {
			x.notice = ""
		}
		return nil
	}
	err := fmt.Errorf("%w: the disk that holds %s has %d MiB left, and %d are kept for other files; free some space", ErrNoRoom, folder,
		free>>20, (kept+1<<20-1)>>20)
	x.notice = err.Error()
	return err
}

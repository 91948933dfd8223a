// Package sqlite keeps the store in one SQLite file.
//
//	many callers ──► queue ──► one writer: everything that is waiting goes into one commit
//	                             │           (one fsync), then all callers go on
//	                             ▼
//	                           SQLite file ──► readers
//
// Promises: when Write returns nil, the change survives power loss; changes are made in the order in which they were
// requested. It owns the file, its migrations, its log, its mark and the files that were taken over into it. The only
// tables that it knows are those in which it numbers its commits.
//
// Refuses: a file of a newer version, and one that was removed or overwritten while it is open.
package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Options configure a store.
type Options struct {
	Linger  time.Duration    // how long changes that nobody waits for may wait; 0 for the default
	Between database.Between // stands between the store and SQLite; nil for nothing
}

// Open opens the store at path, and takes over what earlier versions kept in separate files beside it. A missing file is
// created, with mode 0600, by the first write; until then the store is empty.
func Open(path string) (*store.Store, error) { return Options{}.Open(path) }

// Open is the function Open with options.
func (o Options) Open(path string) (*store.Store, error) {
	f, err := openFile(path, o)
	if err != nil {
		return nil, err
	}
	return store.New(f), nil
}

func openFile(path string, o Options) (*file, error) {
	f := &file{
		path: path, mark: markFile{path: filepath.Join(filepath.Dir(path), MarkName)}, linger: o.Linger, between: o.Between,
		queue: commits.NewQueue(), quit: make(chan struct{}), done: make(chan struct{}),
	}
	if f.linger == 0 {
		f.linger = defaultLinger
	}
	if err := f.mark.checkUsable(); err != nil {
		return nil, err
	}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) && !(takeover{path: f.path}).isPending():
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the payment journal %s cannot be opened: %w", path, err)
	default:
		if err := f.start(); err != nil {
			return nil, err
		}
	}
	go f.write()
	return f, nil
}

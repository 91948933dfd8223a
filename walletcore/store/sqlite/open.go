// Package sqlite keeps the store in one SQLite file.
//
//	many callers ──► queue ──► one writer: everything that waits goes into one commit
//	                             │           (one fsync), then all callers go on
//	                             ▼
//	                           SQLite file ──► readers
//
// Promises: when Write returns nil the change survives power loss; changes are made in the
// order in which they were asked for. Owns: the file, its migrations, its log, its mark and the
// files that were taken over into it. It knows no tables but those in which it numbers its commits.
//
// Refuses: a file of a newer version, and one that was removed or written over while it is open.
package sqlite

import (
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Options say how a store is kept.
type Options struct {
	Linger time.Duration // how long changes wait that nobody waits for; 0 for the default
}

// Open opens the store at path, and takes over what an earlier version kept in files of its own
// beside it. A missing file is made with the first thing that is written, with mode 0600;
// until then the store is empty.
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
		path: path, mark: markFile{path: filepath.Join(filepath.Dir(path), MarkName)}, linger: o.Linger,
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

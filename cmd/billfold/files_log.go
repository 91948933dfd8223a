package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"billfold/walletcore/store"
)

// filesEvery is the time between two looks at files that no payment needs.
const filesEvery = 2 * time.Second

// filesLog logs when a file that belongs to the wallet goes away under a running server, and when it is back: archives, and the history index.
// No payment fails for want of them, so nothing else would say so before somebody asks for what they have.
type filesLog struct {
	log    *slog.Logger
	looked time.Time
	away   map[string]bool
	index  bool // the file of the index was there
}

func newFilesLog(log *slog.Logger) *filesLog { return &filesLog{log: log, away: map[string]bool{}} }

// look looks for the files, unless it did a moment ago.
func (l *filesLog) look(ctx context.Context, kept *store.Store, folder, index string, now time.Time) {
	if now.Sub(l.looked) < filesEvery {
		return
	}
	l.looked = now
	list, err := kept.Archives(ctx)
	if err != nil {
		return // what is wrong with the store is told elsewhere
	}
	for _, a := range list {
		if !a.GivenUp {
			l.note(filepath.Join(folder, a.Name), "store: an archive is away", "store: an archive is back")
		}
	}
	if _, err := os.Stat(index); err == nil {
		l.index = true
	}
	if l.index {
		l.note(index, "history index: its file is away", "history index: its file is back")
	}
}

func (l *filesLog) note(path, away, back string) {
	_, err := os.Stat(path)
	switch is := errors.Is(err, fs.ErrNotExist); {
	case is == l.away[path]:
	case is:
		l.away[path] = true
		l.log.Warn(away, "file", path)
	default:
		delete(l.away, path)
		l.log.Warn(back, "file", path)
	}
}

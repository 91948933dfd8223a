// Package postgres keeps the store in a PostgreSQL database that several servers use at once.
//
//	many callers ──► queue ──► one writer: fence, payments, the rest, audit log: one commit for all that is waiting
//	                             │ (two round trips for payments alone, however many)
//	                             ▼
//	                           the row of this server: epoch, mark, lease ◄── lease: extended and checked
//
// Promises: when Write returns nil, the change survives whatever the database promises to survive, and no other program
// wrote in place of this server. A commit that was not confirmed is resolved before the next one, by a write of its own.
// A store that has lost something is noticed at the next check, within a second, and held. No write in progress is ever
// cancelled. The clock that counts is the database's.
//
// Refuses: a database that may lose what it confirmed, unless that was accepted; connections that others could read or
// answer; a store of another version; another program with the same folder.
package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"
)

// Options configure how a store is used.
type Options struct {
	Folder  string        // the server's own folder, which holds its mark
	Server  string        // the server's name, for people; "" keeps the one it had, at first that of the machine
	Version string        // the program's, for people
	MayLose bool          // accept a database without a synchronous standby
	Linger  time.Duration // how long changes that nobody waits for may wait; 0 for the default
	Lease   time.Duration // how long a server that is not heard from counts as alive; 0 for the default
	Logger  *slog.Logger  // nil: nothing is logged
}

const (
	defaultLinger = 10 * time.Millisecond
	defaultLease  = 10 * time.Second

	maxReaders = 6 // connections; the writer and the lease have one each
)

// MarkName is the name of the file in the folder that records how far this server had come.
const MarkName = "store.mark"

func randomText(size int) string {
	raw := make([]byte, size)
	n, _ := rand.Read(raw) // it never fails
	return hex.EncodeToString(raw[:n])
}

// ackTimeout is the time for which data that was sent may go unacknowledged by the other machine.
const ackTimeout = 6 * time.Second

// Open makes this folder's server one of those that use the store at address. It waits for the lease of a run that was
// killed to end. Errors: ErrNoStore, *store.AwayError, *UnfitError, *RunsError.
func (o Options) Open(ctx context.Context, address string) (*store.Store, error) {
	f, err := o.open(ctx, address)
	if err != nil {
		return nil, err
	}
	return store.New(f), nil
}

func (o Options) open(ctx context.Context, address string) (*file, error) {
	f, err := o.connect(address)
	if err != nil {
		return nil, err
	}
	if err := f.join(ctx); err != nil {
		_ = f.db.Close() // the fault that counts is the one before
		_, _ = f.lease.Close(), f.notifier.Close()
		f.w.drop()
		_ = f.w.db.Close()
		_ = f.mark.close()
		if f.locked != nil {
			_ = f.locked.Close()
		}
		return nil, err
	}
	f.leaseCtx, f.cancelLease = context.WithCancel(context.Background())
	go f.write()
	go f.keepLease()
	talking, silence := context.WithCancel(context.Background())
	f.stopBackground = silence
	f.background.Go(func() { f.listen(talking) })
	f.background.Go(func() { f.sendHints(talking) })
	f.background.Go(func() { f.diagnose(talking) })
	return f, nil
}

// connect prepares the connections to the database; nothing is sent yet.
func (o Options) connect(address string) (*file, error) {
	config, err := configOf(address)
	if err != nil {
		return nil, err
	}
	o.Linger, o.Lease = cmp.Or(o.Linger, defaultLinger), cmp.Or(o.Lease, defaultLease)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	c := &core{opt: o, config: config, mark: markFile{path: filepath.Join(o.Folder, MarkName)}, queue: commits.NewQueue()}
	c.hints = newHints()
	f := &file{core: c, quit: make(chan struct{}), done: make(chan struct{}), leaseDone: make(chan struct{})}
	check := checkConnection(o.MayLose)
	readers := newConnector(sessionConfig(config, "reader"), check)
	readers.queryTimeout = answerWithin
	f.db = sql.OpenDB(readers)
	f.db.SetMaxOpenConns(maxReaders)
	f.db.SetMaxIdleConns(maxReaders)
	f.db.SetConnMaxLifetime(5 * time.Minute)
	f.lease = sql.OpenDB(newConnector(sessionConfig(config, "lease"), check))
	f.lease.SetMaxOpenConns(1)
	f.notifier = sql.OpenDB(newConnector(sessionConfig(config, "hints"), check))
	f.notifier.SetMaxOpenConns(1)
	f.w = &writer{core: c}
	own := sessionConfig(config, "writer")
	own.OnNotice = f.w.onNotice
	f.w.db = sql.OpenDB(newConnector(own, check))
	f.w.db.SetMaxOpenConns(1)
	return f, nil
}

// startPatience is the time, beyond that of another lease, for which its end is waited for.
const startPatience = 3 * time.Second

// join makes this server one of the store's.
func (f *file) join(ctx context.Context) (err error) {
	if f.locked, f.w.place, err = lockFolder(f.opt.Folder); err != nil {
		return err
	}
	known, written, err := f.mark.read()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		known = mark{Server: randomText(16)}
	case errors.Is(err, errNoMark):
		return f.mark.unusable()
	case err != nil:
		return err
	}
	f.health.recordCommit(known, written)
	logged := false
	for until := time.Now().Add(f.opt.Lease + startPatience); ; {
		if err = f.w.enter(ctx); err == nil {
			f.w.warnOfName(ctx)
			return nil
		}
		err = blocked(err)
		runs, taken := errors.AsType[*RunsError](err)
		_, unconfirmed := errors.AsType[blockedError](err)
		switch late := time.Now().After(until); {
		case late && unconfirmed:
			return fmt.Errorf("this server cannot enter the store: %w; start it again once it has, "+
				"and billfold store status says why it does not", err)
		case late || !taken && !unconfirmed:
			return err
		}
		switch {
		case logged:
		case taken:
			f.opt.Logger.Warn("store: waiting for the end of another program of this folder, or of its lease", "server", runs.Name,
				"at most", f.opt.Lease+startPatience)
		default:
			f.opt.Logger.Warn("store: waiting until the store confirms what another server writes", "at most", f.opt.Lease+startPatience)
		}
		logged = true
		select {
		case <-time.After(f.opt.Lease / 40):
		case <-ctx.Done():
			return err
		}
	}
}

// Close writes what is waiting, for as long as a caller would wait for it. Then it ends the lease, so that others follow
// the open payments at once, and closes the connections.
func (f *file) Close() error {
	f.closing.Do(func() {
		close(f.quit)
		giveUp := time.AfterFunc(time.Second, f.cancelLease)
		defer giveUp.Stop()
		fault := f.Fault()
		wait, well := answerWithin, fault == nil || errors.Is(fault, errNoStandby)
		if !well { // whoever was waiting has been answered
			wait = time.Second
		}
		select {
		case <-f.done:
		case <-time.After(wait): // a COMMIT is never cancelled; as after a kill, the next run finds it or does not
			f.opt.Logger.Warn("store: the latest commit is not confirmed, and goes on without this server")
		}
		<-f.leaseDone
		f.stopBackground()
		f.background.Wait()
		if well { // else the lease expires
			f.endLease()
		}
		f.closed = errors.Join(f.mark.close(), f.db.Close(), f.lease.Close(), f.notifier.Close(), f.locked.Close())
	})
	return f.closed
}

var (
	_ store.File    = (*file)(nil)
	_ store.Sharing = (*file)(nil)
)

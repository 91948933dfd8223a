package postgres

import (
	"context"
	"time"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
)

const (
	// hintPause is the pause between two hints: what is changed meanwhile goes into one.
	hintPause = 5 * time.Millisecond

	// listenPause is the pause between attempts to listen.
	listenPause = time.Second

	// notifyHint runs on its own, after the commit: within one it would take a lock that all servers wait for. Nobody
	// waits for it to reach the disk, or a standby.
	notifyHint = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('billfold', ?)`
)

// SubscribeHints calls notify with what other servers changed.
func (f *file) SubscribeHints(notify func(store.Hint)) (stop func()) {
	return f.hints.subscribe(notify)
}

// sendHints notifies the other servers of this one's changes, until ctx ends. A notification that fails is not repeated,
// because the others also poll.
func (f *file) sendHints(ctx context.Context) {
	for {
		select {
		case <-f.hints.wake:
		case <-ctx.Done():
			return
		}
		for _, text := range f.hints.take(f.Server()) {
			limited, cancel := context.WithTimeout(ctx, f.config.ConnectTimeout)
			_, _ = f.notifier.ExecContext(limited, notifyHint, text)
			cancel()
		}
		select {
		case <-time.After(hintPause):
		case <-ctx.Done():
			return
		}
	}
}

// listen receives what other servers announce, until ctx ends.
func (f *file) listen(ctx context.Context) {
	for {
		if err := f.listenOnce(ctx); ctx.Err() != nil {
			return
		} else if err != nil {
			f.opt.Logger.Debug("store: cannot listen to other servers", "error", err)
		}
		select {
		case <-time.After(listenPause):
		case <-ctx.Done():
			return
		}
	}
}

// listenOnce receives hints over one connection, until it breaks or ctx ends.
func (f *file) listenOnce(ctx context.Context) error {
	c, err := pgx.ConnectConfig(context.WithValue(ctx, dialing{}, true), sessionConfig(f.config, "listen"))
	if err != nil {
		return err
	}
	defer c.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing was written
	if _, err := c.Exec(ctx, `LISTEN billfold`); err != nil {
		return err
	}
	f.hints.deliver(store.Hint{Missed: true})
	for {
		n, err := c.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		f.hints.receive(f.Server(), n.Payload)
	}
}

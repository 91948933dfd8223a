package walletcore_test

import (
	"context"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"billfold/daemonclient"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/testwallet"
)

// pipes connects a daemon's client to a sandbox in memory. Data passes through it in no time, so a synctest bubble
// knows when both are idle.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newPipes() *pipes { return &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.dialled <- far:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.dialled:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8090} }

// inBubble tests a wallet that is online to a sandbox, in virtual time. The wallet is open, but does not run.
func inBubble(t *testing.T, o sandbox.Options, client daemonclient.Config, test func(*testwallet.Wallet)) {
	t.Helper()
	inBubbleWith(t, o, client, func(c *walletcore.Config) { c.OwnClock = true }, test)
}

// inBubbleWith is inBubble with other settings of the wallet.
func inBubbleWith(t *testing.T, o sandbox.Options, client daemonclient.Config, adapt func(*walletcore.Config), test func(*testwallet.Wallet)) {
	t.Helper()
	o.Genesis = testwallet.Genesis(t)
	today := time.Now()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(today)) // the genesis is a few days old
		wire := newPipes()
		o.Listener = wire
		box := testwallet.Ledger(t, o)
		client.URLs, client.Dial = []string{"ws://127.0.0.1:8090"}, wire.dial
		c := daemonclient.New(client)
		testwallet.Run(t, c.Run)
		cfg := walletcore.Config{Path: filepath.Join(testwallet.Folder(t), "wallet.keys"), Keystore: testwallet.CheapKeys(), Daemon: c}
		adapt(&cfg)
		w, err := walletcore.Open(cfg)
		must(t, err)
		s := &testwallet.Wallet{Wallet: w, T: t, Ctx: t.Context(), Box: box, Client: c}
		must(t, c.WaitOnline(s.Ctx))
		test(s)
	})
}

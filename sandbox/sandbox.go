package sandbox

import (
	"context"
	"errors"
	"log/slog"

	"billfold/ledger"

	"golang.org/x/sync/errgroup"
)

// Sandbox is a ledger with its server, ready to run.
type Sandbox struct {
	*Controls
	ledger  openedLedger
	server  *server
	content contentFolder
}

// New builds the ledger and opens the listener, so that URL is known; nothing
// is served before Run. A caller that does not call Run must call Close.
func New(o Options) (*Sandbox, error) {
	if o.BlockTime < 0 {
		return nil, errBlockTime
	}
	if o.Seeders < 0 || o.Seeders > MaxSeeders {
		return nil, errSeeders
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	clock := newClock(o.Now)
	opened, err := openLedger(o, clock)
	if err != nil {
		return nil, err
	}
	if o.Conn.VerifyBlocks {
		opened.chain.VerifyBlocks()
	}
	s := &Sandbox{Controls: newControls(opened.chain, clock, o), ledger: opened}
	s.server = newServer(s.Controls, o)
	if s.content, err = openContent(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.server.content = s.content.Folder; o.Seeders > 0 {
		s.seeders = newSeeders(s.Controls, o.Seeders, s.content.Folder)
		s.seeders.act()
	}
	if err := s.server.listen(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Run serves and makes blocks until ctx ends. It returns after everything it
// started has ended; the error is nil if ctx was the reason.
func (s *Sandbox) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.produce(ctx) })
	if s.server.listener != nil {
		g.Go(func() error { return s.server.serve(ctx) })
	}
	err := errors.Join(g.Wait(), s.content.close())
	if s.ledger.state != nil {
		err = errors.Join(err, s.ledger.state.close())
	}
	return err
}

// Close closes the listener and the state file of a sandbox that was never run.
func (s *Sandbox) Close() (err error) {
	if s.server.listener != nil {
		err = s.server.listener.Close()
	}
	err = errors.Join(err, s.content.close())
	if s.ledger.state != nil {
		err = errors.Join(err, s.ledger.state.close())
	}
	return err
}

// URL returns the websocket address, "ws://127.0.0.1:8090", or "" without a listener.
func (s *Sandbox) URL() string { return s.address("ws://", "") }

// HTTPURL returns the address for HTTP POST, "http://127.0.0.1:8090/rpc", or "".
func (s *Sandbox) HTTPURL() string { return s.address("http://", "/rpc") }

// IPFSAddress returns the address for a wallet's --ipfs-api, "http://127.0.0.1:8090", or "" if no content is kept.
func (s *Sandbox) IPFSAddress() string {
	if s.content.Folder == nil {
		return ""
	}
	return s.address("http://", "")
}

func (s *Sandbox) address(scheme, path string) string {
	if s.server.listener == nil {
		return ""
	}
	return scheme + s.server.listener.Addr().String() + path
}

// ChainID returns SHA-256 of the genesis text.
func (s *Sandbox) ChainID() ledger.ChainID { return s.chain.ID() }

// Blocks returns the blocks so far, oldest first. They must not be changed.
func (s *Sandbox) Blocks() []*ledger.Block { return blocksOf(s.chain) }

// Demo returns the keys of the demo accounts, or nil if the ledger started from a
// given genesis.
func (s *Sandbox) Demo() []DemoKey {
	if !s.ledger.demo {
		return nil
	}
	return DemoKeys()
}

// CutOff returns how many bytes of a write that a crash interrupted were cut off
// the state file. Nobody had seen what they contain.
func (s *Sandbox) CutOff() int64 { return s.ledger.cut }

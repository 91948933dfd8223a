package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/genesis"

	"golang.org/x/sync/errgroup"
)

// DefaultListen and DefaultBlockTime are what the command offers.
const (
	DefaultListen    = "127.0.0.1:8090"
	DefaultBlockTime = 2 * time.Second
)

// Genesis is a chain's beginning; see ReadGenesis and DemoGenesis.
type Genesis = genesis.Genesis

// ReadGenesis reads a genesis in the node's own format. The chain id is
// SHA-256 of data.
func ReadGenesis(data []byte) (*Genesis, error) { return genesis.Read(data) }

// Options say how a sandbox runs. The zero value is a demo ledger that listens
// nowhere and makes blocks only when told. Block times are whole seconds and
// always rise, so blocks made faster than one per second run ahead of the clock.
type Options struct {
	Genesis   *Genesis            // nil: the demo, with its first blocks made
	MinerKeys []ledger.PrivateKey // keys that miners of the genesis sign blocks with; the other miners get a built-in one
	BlockTime time.Duration       // between blocks; 0: only Mine makes them
	Listen    string              // address such as DefaultListen or "127.0.0.1:0"; "": no listener
	State     string              // file that keeps the ledger; "": it is forgotten at the end
	Hosts     []string            // names beside localhost that requests may call the machine by
	Origins   []string            // of web pages that may call, such as "https://app.example" or LocalPages; nil: none
	Access    *Access             // who may use which API sets; nil: everybody, all but network_node
	Now       func() time.Time    // nil: time.Now
	Logger    *slog.Logger        // nil: silent
}

// Sandbox is a running or startable ledger.
type Sandbox struct {
	chain    *chain.Chain
	clock    *clock
	pace     *pace
	faults   *faults
	log      *slog.Logger
	listener net.Listener // nil without one
	demo     bool
	hub      *hub
	guard    guard
	access   *Access
	monitor  *monitor
	state    *stateFile // nil when nothing is kept
	cut      int64      // bytes cut off the state file

	mining sync.Mutex               // keeps the notices of blocks in order
	moved  map[uint64]time.Duration // of the clock, by snapshot
}

// New builds the ledger and opens the listener, so that URL is known; nothing
// is served before Run. Whoever does not call Run calls Close.
func New(o Options) (*Sandbox, error) {
	if o.BlockTime < 0 {
		return nil, errors.New("the block time is negative; give a duration such as 2s, or 0 for blocks on demand")
	}
	s := &Sandbox{clock: newClock(o.Now), pace: newPace(o.BlockTime), faults: newFaults(), log: o.Logger, hub: newHub(), moved: map[uint64]time.Duration{}}
	s.guard = guard{hosts: o.Hosts, origins: o.Origins}
	if s.access = o.Access; s.access == nil {
		s.access = openAccess()
	}
	s.monitor = newMonitor(ledger.TimeOf(s.clock.now()))
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.begin(o); err != nil {
		return nil, err
	}
	if err := s.listen(o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Sandbox) listen(o Options) error {
	if o.Listen == "" {
		return nil
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return fmt.Errorf("the sandbox cannot listen on %s: %w; end the program that uses the port, or choose another address", o.Listen, err)
	}
	s.listener = &faultListener{listener, s.faults}
	return nil
}

// Run serves and makes blocks until ctx ends. It returns after everything it
// started has ended; the error is nil when ctx was the reason.
func (s *Sandbox) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.produce(ctx) })
	if s.listener != nil {
		g.Go(func() error { return s.serve(ctx) })
	}
	err := g.Wait()
	if s.state != nil {
		err = errors.Join(err, s.state.close())
	}
	return err
}

// Close frees the listener and the state file of a sandbox that was never run.
func (s *Sandbox) Close() (err error) {
	if s.listener != nil {
		err = s.listener.Close()
	}
	if s.state != nil {
		err = errors.Join(err, s.state.close())
	}
	return err
}

// URL is the websocket address, "ws://127.0.0.1:8090", or "" without a listener.
func (s *Sandbox) URL() string { return s.address("ws://", "") }

// HTTPURL is the address for HTTP POST, "http://127.0.0.1:8090/rpc", or "".
func (s *Sandbox) HTTPURL() string { return s.address("http://", "/rpc") }

func (s *Sandbox) address(scheme, path string) string {
	if s.listener == nil {
		return ""
	}
	return scheme + s.listener.Addr().String() + path
}

// ChainID is SHA-256 of the genesis text.
func (s *Sandbox) ChainID() ledger.ChainID { return s.chain.ID() }

// Demo gives the keys of the demo accounts, or nil when the ledger began from
// a genesis that was given.
func (s *Sandbox) Demo() []DemoKey {
	if !s.demo {
		return nil
	}
	return DemoKeys()
}

// Mine makes a block at once and gives its id. It also works while Run makes
// blocks by time.
func (s *Sandbox) Mine() (ledger.BlockID, error) {
	s.mining.Lock()
	defer s.mining.Unlock()
	mined, err := s.chain.Mine(ledger.TimeOf(s.clock.now()))
	for _, d := range mined.Dropped {
		s.log.Warn("pending transaction dropped", "id", d.ID.String(), "why", d.Fault.Error())
	}
	if err != nil {
		return ledger.BlockID{}, fmt.Errorf("the sandbox could not make a block: %w", err)
	}
	s.hub.blockApplied(mined.Block)
	return mined.Block.BlockID, nil
}

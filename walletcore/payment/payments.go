package payment

import (
	"log/slog"
	"math"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/event"
	"billfold/walletcore/finality"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// Config is what payments work with.
type Config struct {
	Build   *build.Factory
	View    *ledgerview.View
	Vault   Vault
	Daemon  *daemonclient.Client
	Journal Journal // nil: payments are remembered in memory only
	Anchors Anchors // nil: what is proven is remembered in memory only
	Events  *event.Broadcaster
	Sandbox bool // the ledger is part of this program
	Now     func() time.Time
	Logger  *slog.Logger

	Recovered func(why string, found []FoundPayment) store.Change // writes in the log that a hold has ended; nil: nowhere
}

// Payments are those of a wallet: it sends them, follows them and answers what became of
// them. It may be used by many goroutines concurrently.
type Payments struct {
	Config
	sharing
	list    *list
	keeper  *keeper
	sender  *sender
	keys    keyLocks
	resends chan resendRequest
	proven  provenAnchor
	fault   journalFault
}

// New returns payments that are not followed before Run.
func New(cfg Config) *Payments {
	l := &list{writing: make(chan struct{}, 1)}
	k := &keeper{journal: cfg.Journal, list: l, events: cfg.Events, log: cfg.Logger}
	return &Payments{
		Config: cfg, sharing: sharing{cfg.Journal, newElsewhere(cfg.Journal, cfg.Events)},
		list: l, keeper: k, resends: make(chan resendRequest),
		sender: &sender{keeper: k, view: cfg.View, daemon: cfg.Daemon, sandbox: cfg.Sandbox, now: cfg.Now},
	}
}

// resendRequest asks the follower to send a payment again at once.
type resendRequest struct {
	payment *entry
	answer  chan error
}

// provenAnchor is what is proven, for those who compare other things with it.
type provenAnchor struct {
	mu sync.Mutex
	at finality.Anchor
}

// Anchor returns which miners are trusted, and the last block that they have proven.
func (p *Payments) Anchor() finality.Anchor {
	p.proven.mu.Lock()
	defer p.proven.mu.Unlock()
	return p.proven.at
}

func (p *Payments) trust(a finality.Anchor) {
	p.proven.mu.Lock()
	defer p.proven.mu.Unlock()
	p.proven.at = a
}

// journalFault is why nothing is spent; nil when the journal is the wallet's own.
type journalFault struct {
	mu  sync.RWMutex
	why error
}

// JournalFault returns why nothing is spent while the journal is not the wallet's own.
func (p *Payments) JournalFault() error {
	if err := p.storeFault(); err != nil {
		return err
	}
	p.fault.mu.RLock()
	defer p.fault.mu.RUnlock()
	return p.fault.why
}

// checkTrusted refuses a payment before anything of it is recorded when the journal is
// not the wallet's own, or no daemon can be relied on.
func (p *Payments) checkTrusted() error {
	if err := p.JournalFault(); err != nil {
		return err
	}
	return p.View.Chain.CheckTrusted("transfer")
}

// clockFault is what this machine's clock, or the miners', may be wrong by.
const clockFault = time.Minute

// LatestBlock is the latest time that a block can have. A sandbox whose clock was moved has
// times of its own; there the signatures alone count.
func (p *Payments) LatestBlock() ledger.Time {
	if p.View.Chain.OwnClock() {
		return math.MaxUint32
	}
	return ledger.TimeOf(p.Now().Add(clockFault))
}

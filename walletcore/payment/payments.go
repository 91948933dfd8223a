package payment

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/finality"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Config holds the dependencies and settings of Payments.
type Config struct {
	Build   *txbuild.Factory
	View    *ledgerview.View
	Vault   Vault
	Daemon  *daemonclient.Client
	Journal Journal // nil: payments are remembered in memory only
	Anchors Anchors // nil: the proven block is remembered in memory only
	Events  *event.Broadcaster
	Sandbox bool // the ledger runs inside this program
	Now     func() time.Time
	Logger  *slog.Logger
	Flags   string // the flags that a command needs to find this wallet, each after a blank

	Recovered func(why string, found []FoundPayment) store.Change // returns the audit record of the end of a hold; nil: none is written
}

// Payments sends the wallet's payments, follows them and reports their outcomes. It is safe for concurrent use.
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
	compare *comparison
	noted   notedSigners

	lastRefusal lastText // why the journal took no payment, when that was last asked
}

// New returns Payments. Nothing is followed until Run is called.
func New(cfg Config) *Payments {
	l := &list{writing: make(chan struct{}, 1), states: stateLog{log: cfg.Logger}}
	k := &keeper{journal: cfg.Journal, list: l, events: cfg.Events, log: cfg.Logger, objects: cfg.Build.Objects}
	p := &Payments{
		Config: cfg, sharing: sharing{cfg.Journal, cfg.Flags, newForeignPayments(cfg.Journal, cfg.Events)},
		list: l, keeper: k, resends: make(chan resendRequest),
		sender: &sender{keeper: k, view: cfg.View, daemon: cfg.Daemon, sandbox: cfg.Sandbox, now: cfg.Now},
	}
	p.compare = newComparison(p)
	k.ledgerTime = p.LedgerTime
	return p
}

// resendRequest asks the follower to send a payment again immediately.
type resendRequest struct {
	payment *entry
	answer  chan error
}

// provenAnchor is the anchor, readable outside the follower's goroutine.
type provenAnchor struct {
	mu sync.Mutex
	at finality.Anchor
}

// Anchor returns the trusted miners and the last block that they have proven irreversible.
func (p *Payments) Anchor() finality.Anchor {
	p.proven.mu.Lock()
	defer p.proven.mu.Unlock()
	return p.proven.at
}

// LedgerTime returns the time by which days are counted: that of the last block that is proven irreversible. Neither this machine's clock,
// which may be set, nor one daemon moves it. Before anything is proven it is the head block's, and at most the machine's.
func (p *Payments) LedgerTime() time.Time {
	if at := p.Anchor().Block; at.Num() > 0 && at.Time > 0 {
		return at.Time.Time()
	}
	now := p.Now()
	if _, head, _ := p.View.Chain.Position(); head > 0 && head.Time().Before(now) {
		return head.Time()
	}
	return now
}

func (p *Payments) setAnchor(a finality.Anchor) {
	p.proven.mu.Lock()
	defer p.proven.mu.Unlock()
	p.proven.at = a
}

// journalFault holds the reason why nothing is spent; nil while the journal is the wallet's own.
type journalFault struct {
	mu  sync.RWMutex
	why error
}

// JournalFault returns why nothing is spent: the shared store does not answer or is held, or the journal is not the
// wallet's own. It returns nil when payments can be made.
func (p *Payments) JournalFault() error {
	if err := p.lossFault(); err != nil {
		return err
	}
	return p.compare.late()
}

// lossFault is JournalFault whether or not the journal was compared with the ledger.
func (p *Payments) lossFault() error {
	if err := p.storeFault(); err != nil {
		return err
	}
	p.fault.mu.RLock()
	defer p.fault.mu.RUnlock()
	return p.fault.why
}

// checkTrusted refuses a payment, before anything about it is recorded, when the journal is not the wallet's own, when it
// was not compared with the ledger yet, or when no daemon can be trusted.
func (p *Payments) checkTrusted(ctx context.Context) error {
	if err := p.compare.await(ctx); err != nil {
		return err
	}
	if err := p.JournalFault(); err != nil {
		return err
	}
	if err := p.noteSigners(ctx); err != nil {
		return unreadable("transfer", err)
	}
	return p.View.Chain.CheckTrusted("transfer")
}

// clockFault is the time by which the clock of this machine, or a miner's, may be off.
const clockFault = time.Minute

// LatestBlock returns the latest time that a block may have. A sandbox whose clock was moved has times of
// its own; there only the signatures count.
func (p *Payments) LatestBlock() ledger.Time {
	if p.View.Chain.OwnClock() {
		return math.MaxUint32
	}
	return ledger.TimeOf(p.Now().Add(clockFault))
}

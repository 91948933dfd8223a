package payment

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"billfold/walletcore/store"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/event"
	"billfold/walletcore/finality"
	"billfold/walletcore/ledgerview"
)

// What payments need of the journal, where each is written before it is sent.
type (
	journalWriter interface {
		Add(ctx context.Context, e store.Entry) error
		Update(ctx context.Context, entries ...store.Entry) error
		UpdateSoon(ctx context.Context, entries ...store.Entry) error // nobody waits for the disk
	}
	journalReader interface {
		Get(ctx context.Context, id ledger.TransactionID) (store.Entry, error)
		ByKey(ctx context.Context, key string) (store.Entry, error)
		Open(ctx context.Context) ([]store.Entry, error)
		Latest(ctx context.Context, n int) ([]store.Entry, error)
	}
	// journalIdentity tells the journal of this wallet from another or an older one.
	journalIdentity interface {
		Check(ctx context.Context, id string) error
		Claim(ctx context.Context, id string) (string, error)
		Renew(ctx context.Context) (string, error)
		Position(ctx context.Context) (store.Mark, error)
	}
)

// Journal is where payments are written before they are sent.
type Journal interface {
	journalWriter
	journalReader
	journalIdentity
	Path() string
	MarkPath() string
}

// Anchors keeps which miners are trusted, and the last block that was proven.
type Anchors interface {
	Anchor(ctx context.Context, chain ledger.ChainID) (*finality.Anchor, error) // nil: none yet
	SaveAnchor(ctx context.Context, a finality.Anchor) error
	ForgetAnchor(ctx context.Context, chain ledger.ChainID) (bool, error)
}

type keyring interface {
	CheckOpen(op string) error
	Holds(key ledger.PublicKey) bool
}

// journalNote is what the key file says of the journal.
type journalNote interface {
	Journal() string // the identity of the wallet's own; "" when none is noted
	NoteJournal(id string) error
}

// Vault is what payments need of the wallet's keys.
type Vault interface {
	keyring
	journalNote
	MarkRequest(words []string, key ledger.PublicKey) (string, error)
	IsMarked(mark string, words []string) bool
}

// Config says what payments work with.
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
}

// Payments are those of a wallet: it sends them, follows them and answers what became of
// them. It may be used by many goroutines at once.
type Payments struct {
	Config
	list    list
	keys    keyLocks
	resends chan resendRequest
	proven  provenAnchor
	fault   journalFault
}

// New returns payments that are not followed before Run.
func New(cfg Config) *Payments { return &Payments{Config: cfg, resends: make(chan resendRequest)} }

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
	p.fault.mu.RLock()
	defer p.fault.mu.RUnlock()
	return p.fault.why
}

// checkTrusted refuses a payment before anything of it is written down when the journal is
// not the wallet's own, or no daemon can be relied on.
func (p *Payments) checkTrusted() error {
	if err := p.JournalFault(); err != nil {
		return err
	}
	return p.View.Chain.CheckTrusted("transfer")
}

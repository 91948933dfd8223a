// Package label keeps what a person writes on rows of the history: short texts that only this wallet can read. The
// store has them encrypted; they are decrypted one by one, while the wallet is unlocked.
package label

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/seal"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// The limits.
const (
	Most = 100_000 // labels of a chain
	Size = 80      // characters of a label
)

// Store keeps labels.
type Store interface {
	List(ctx context.Context) ([]store.Label, error)
	Put(ctx context.Context, kept store.Label) error
	Drop(ctx context.Context, chain ledger.ChainID, row ledger.HistoryID) error
}

// Vault opens and seals labels, and knows the chain.
type Vault interface {
	CheckOpen(op string) error
	ChainID() ledger.ChainID
	seal.Keys
}

// Config holds the dependencies of labels.
type Config struct {
	Vault Vault
	Store Store // nil: none can be saved
	Now   func() time.Time
}

// Row is a row that may have a label: its id and its block.
type Row struct {
	ID    ledger.HistoryID
	Block uint32
}

// Labels are the labels of a wallet. They are safe for concurrent use.
type Labels struct {
	Config
	mu      sync.RWMutex
	byChain map[ledger.ChainID]map[ledger.HistoryID]store.Label
}

// New returns empty labels; Load reads them.
func New(cfg Config) *Labels { return &Labels{Config: cfg} }

// Load reads the labels from the store. Error: fault.File.
func (l *Labels) Load(ctx context.Context) error {
	if l.Store == nil {
		return nil
	}
	list, err := l.Store.List(ctx)
	if err != nil {
		return fileFault(err)
	}
	byChain := map[ledger.ChainID]map[ledger.HistoryID]store.Label{}
	for _, one := range list {
		if byChain[one.Chain] == nil {
			byChain[one.Chain] = map[ledger.HistoryID]store.Label{}
		}
		byChain[one.Chain][one.Row] = one
	}
	l.mu.Lock()
	l.byChain = byChain
	l.mu.Unlock()
	return nil
}

// Of decrypts the label of a row; the state says why there is no text.
func (l *Labels) Of(row Row) (string, vault.MemoState) {
	chain := l.Vault.ChainID()
	l.mu.RLock()
	kept, ok := l.byChain[chain][row.ID]
	l.mu.RUnlock()
	if !ok || kept.Block != row.Block {
		return "", vault.MemoNone
	}
	return seal.Open(l.Vault, kept.Sealed)
}

// Find returns the rows whose label contains text, ignoring case; locked reports whether there are labels that could
// not be read.
func (l *Labels) Find(text string) (found []ledger.HistoryID, locked bool) {
	text = strings.ToLower(text)
	for _, row := range l.rows() {
		label, state := l.Of(row)
		locked = locked || state == vault.MemoLocked
		if label != "" && strings.Contains(strings.ToLower(label), text) {
			found = append(found, row.ID)
		}
	}
	return found, locked
}

// rows returns the rows of the wallet's chain that have a label.
func (l *Labels) rows() []Row {
	chain := l.Vault.ChainID()
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := make([]Row, 0, len(l.byChain[chain]))
	for id, kept := range l.byChain[chain] {
		out = append(out, Row{id, kept.Block})
	}
	return out
}

// Set labels a row, replacing its label; an empty text removes it. Errors: fault.Locked, fault.KeyNotInWallet,
// fault.BadValue, fault.LimitExceeded, fault.File.
func (l *Labels) Set(ctx context.Context, row Row, text string) error {
	if err := l.Vault.CheckOpen("labels"); err != nil {
		return err
	}
	if l.Store == nil {
		return fileFault(seal.ErrNoStore)
	}
	chain := l.Vault.ChainID()
	if text = strings.TrimSpace(text); text == "" {
		if err := l.Store.Drop(ctx, chain, row.ID); err != nil {
			return fileFault(err)
		}
		return l.Load(ctx)
	}
	if len(l.rows()) >= Most {
		return &fault.Error{Code: fault.LimitExceeded, Op: "labels", Hint: "remove one that is not needed",
			Message: fmt.Sprintf("there are %d labels already", Most)}
	}
	sealed, err := seal.CloseShort(l.Vault, "labels", "label", text, Size)
	if err != nil {
		return err
	}
	if err := l.Store.Put(ctx, store.Label{Chain: chain, Row: row.ID, Block: row.Block, Sealed: sealed, Since: l.Now()}); err != nil {
		return fileFault(err)
	}
	return l.Load(ctx)
}

func fileFault(err error) *fault.Error { return seal.FileFault("labels", "nothing was changed", err) }

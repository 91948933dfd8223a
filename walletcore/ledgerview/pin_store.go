package ledgerview

import (
	"context"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/store"
)

// PinStore stores what daemons said, so that a later contradiction is noticed.
type PinStore interface {
	// The ids and names of accounts.
	AccountPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AccountID, names []string) ([]store.AccountPin, error)
	PinAccounts(ctx context.Context, chain ledger.ChainID, pins ...store.AccountPin) ([]store.AccountPin, error)

	// The ids, symbols and precisions of assets.
	AssetPins(ctx context.Context, chain ledger.ChainID, ids []ledger.AssetID, symbols []string) ([]store.AssetPin, error)
	PinAssets(ctx context.Context, chain ledger.ChainID, pins ...store.AssetPin) ([]store.AssetPin, error)

	// The authors of content.
	PinContentAuthor(ctx context.Context, chain ledger.ChainID, a store.ContentAuthor) (store.ContentAuthor, error)

	// The keys of accounts as they were accepted.
	SeenAccount(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) (*store.SeenAccount, error)
	SetSeenAccount(ctx context.Context, chain ledger.ChainID, a store.SeenAccount) error

	// What else is signed on a daemon's word, as it was last accepted.
	Facts(ctx context.Context, chain ledger.ChainID, subjects, values []string) ([]store.AcceptedFact, error)
	KeepFacts(ctx context.Context, chain ledger.ChainID, facts ...store.AcceptedFact) error
	AcceptFacts(ctx context.Context, chain ledger.ChainID, facts ...store.AcceptedFact) error
}

// memoryPins is a PinStore for a wallet without a store. It holds the pins of one chain
// until the program ends.
type memoryPins struct {
	mu       sync.RWMutex
	accounts memoryTable[ledger.AccountID, store.AccountPin]
	assets   memoryTable[ledger.AssetID, store.AssetPin]
	contents map[ledger.ObjectID]store.ContentAuthor
	seen     map[ledger.AccountID]store.SeenAccount
	memoryFacts
}

// memoryTable finds pins by id and by text.
type memoryTable[ID comparable, P any] struct {
	byID   map[ID]P
	byText map[string]P
}

func (t *memoryTable[ID, P]) find(ids []ID, texts []string) (out []P) {
	for _, id := range ids {
		if p, ok := t.byID[id]; ok {
			out = append(out, p)
		}
	}
	for _, text := range texts {
		if p, ok := t.byText[text]; ok {
			out = append(out, p)
		}
	}
	return out
}

func (t *memoryTable[ID, P]) put(id ID, text string, p P) {
	if len(t.find([]ID{id}, []string{text})) > 0 {
		return
	}
	if t.byID == nil {
		t.byID, t.byText = map[ID]P{}, map[string]P{}
	}
	t.byID[id], t.byText[text] = p, p
}

func (m *memoryPins) AccountPins(_ context.Context, _ ledger.ChainID, ids []ledger.AccountID, names []string) ([]store.AccountPin, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.accounts.find(ids, names), nil
}

func (m *memoryPins) PinAccounts(_ context.Context, _ ledger.ChainID, pins ...store.AccountPin) (kept []store.AccountPin, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pins {
		m.accounts.put(p.ID, p.Name, p)
		kept = append(kept, m.accounts.find([]ledger.AccountID{p.ID}, []string{p.Name})...)
	}
	return kept, nil
}

func (m *memoryPins) AssetPins(_ context.Context, _ ledger.ChainID, ids []ledger.AssetID, symbols []string) ([]store.AssetPin, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.assets.find(ids, symbols), nil
}

func (m *memoryPins) PinAssets(_ context.Context, _ ledger.ChainID, pins ...store.AssetPin) (kept []store.AssetPin, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range pins {
		m.assets.put(p.ID, p.Symbol, p)
		kept = append(kept, m.assets.find([]ledger.AssetID{p.ID}, []string{p.Symbol})...)
	}
	return kept, nil
}

func (m *memoryPins) SeenAccount(_ context.Context, _ ledger.ChainID, id ledger.AccountID) (*store.SeenAccount, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	a, ok := m.seen[id]
	if !ok {
		return nil, nil
	}
	return &a, nil
}

func (m *memoryPins) SetSeenAccount(_ context.Context, _ ledger.ChainID, a store.SeenAccount) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[ledger.AccountID]store.SeenAccount{}
	}
	m.seen[a.ID] = a
	return nil
}

func (m *memoryPins) PinContentAuthor(_ context.Context, _ ledger.ChainID, a store.ContentAuthor) (store.ContentAuthor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, known := m.contents[a.Content]; known {
		return kept, nil
	}
	if m.contents == nil {
		m.contents = map[ledger.ObjectID]store.ContentAuthor{}
	}
	m.contents[a.Content] = a
	return a, nil
}

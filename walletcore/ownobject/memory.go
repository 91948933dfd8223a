package ownobject

import (
	"context"
	"slices"
	"sync"

	"billfold/ledger"
	"billfold/walletcore/store"
)

// memory keeps states until the program ends, for a wallet without a store.
type memory struct {
	mu     sync.Mutex
	states map[ledger.ObjectID][]store.ObjectState
	noted  []store.ObjectChange // newest first
}

// Notice implements Store.
func (m *memory) Notice(_ context.Context, _ ledger.ChainID, c store.ObjectChange, _ ...store.Change) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	same := func(n store.ObjectChange) bool { return n.Object == c.Object && n.Transaction == c.Transaction }
	if i := slices.IndexFunc(m.noted, same); i >= 0 && m.noted[i].Block > 0 {
		return false, nil
	}
	m.noted = slices.DeleteFunc(m.noted, same)
	m.noted = append([]store.ObjectChange{c}, m.noted...)
	return true, nil
}

// Noticed implements Store.
func (m *memory) Noticed(context.Context, ledger.ChainID) ([]store.ObjectChange, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.noted), nil
}

// Acknowledge implements Store.
func (m *memory) Acknowledge(context.Context, ledger.ChainID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.noted {
		m.noted[i].Seen = true
	}
	return nil
}

// States implements Store.
func (m *memory) States(_ context.Context, _ ledger.ChainID, object ledger.ObjectID) ([]store.ObjectState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.states[object]), nil
}

// Append implements Store.
func (m *memory) Append(_ context.Context, _ ledger.ChainID, settled int64, states ...store.ObjectState) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.states == nil {
		m.states = map[ledger.ObjectID][]store.ObjectState{}
	}
	for _, s := range states {
		rows := m.states[s.Object]
		if slices.ContainsFunc(rows, func(r store.ObjectState) bool { return r.Number == s.Number }) {
			return store.ErrObjectChanged
		}
		m.states[s.Object] = slices.DeleteFunc(append(rows, s), func(r store.ObjectState) bool { return r.Number < settled-store.EarlierStates })
	}
	return nil
}

// Numbers implements Store.
func (m *memory) Numbers(context.Context, ledger.ChainID) (map[ledger.ObjectID]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	numbers := map[ledger.ObjectID]int64{}
	for object, rows := range m.states {
		for _, r := range rows {
			numbers[object] = max(numbers[object], r.Number)
		}
	}
	return numbers, nil
}

// Forget implements Store.
func (m *memory) Forget(_ context.Context, _ ledger.ChainID, object ledger.ObjectID) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := len(m.states[object]) > 0
	delete(m.states, object)
	return found, nil
}

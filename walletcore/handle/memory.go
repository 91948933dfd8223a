package handle

import (
	"context"
	"sync"
	"time"

	"billfold/walletcore/store"
)

// memory is the Store of a wallet that was opened without one: it is gone when the program ends.
type memory struct {
	mu  sync.Mutex
	all map[uint64]store.Construction
}

func newMemory() *memory { return &memory{all: map[uint64]store.Construction{}} }

// Begin stores a new transaction.
func (m *memory) Begin(
	_ context.Context, begun store.Construction, _ time.Time, full func(all, own int) error,
) (handle uint64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all, own, signed := 0, 0, 0
	for handle, c := range m.all {
		switch mine := c.Token == begun.Token; {
		case !c.IsOpen():
			if mine {
				if signed++; signed > maxTransactions {
					delete(m.all, handle)
				}
			}
			continue
		case mine:
			own++
		}
		all++
	}
	if err := full(all, own); err != nil {
		return 0, err
	}
	for taken := true; taken; _, taken = m.all[handle] {
		handle = store.NewHandle()
	}
	m.all[handle] = begun
	return handle, nil
}

// Get returns a transaction.
func (m *memory) Get(_ context.Context, handle uint64) (store.Construction, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, found := m.all[handle]
	if !found {
		return c, store.ErrNotFound
	}
	return c, nil
}

// Change replaces or removes a transaction.
func (m *memory) Change(
	_ context.Context, handle uint64, _ time.Time, how func(store.Construction) (packed []byte, err error),
) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, found := m.all[handle]
	if !found {
		return store.ErrNotFound
	}
	packed, err := how(c)
	switch {
	case err != nil:
		return err
	case packed == nil:
		delete(m.all, handle)
	default:
		m.all[handle] = store.Construction{Token: c.Token, Packed: packed, Numbers: c.Numbers}
	}
	return nil
}

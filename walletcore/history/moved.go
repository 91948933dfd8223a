package history

import (
	"slices"
	"sync"

	"billfold/ledger"
)

// mostMoved is how many changes movedAccounts remembers.
const mostMoved = 1 << 16

// movedAccounts remembers the accounts whose rows changed lately.
type movedAccounts struct {
	mu   sync.Mutex
	last uint64             // how many changes there were, which is the number of the latest one
	ids  []ledger.AccountID // of the latest changes, oldest first
}

func (m *movedAccounts) note(id ledger.AccountID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.ids) == mostMoved {
		m.ids = slices.Delete(m.ids, 0, mostMoved/4)
	}
	m.last++
	m.ids = append(m.ids, id)
}

func (m *movedAccounts) since(number uint64) (ids []ledger.AccountID, last uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	after := min(m.last-min(number, m.last), uint64(len(m.ids)))
	return slices.Clone(m.ids[uint64(len(m.ids))-after:]), m.last
}

package ledgerview

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger"
)

// factsLife bounds how long facts are used when no block is announced.
const factsLife = 5 * time.Second

// blockCache keeps what was read from the ledger while the head block stays the
// same: the wallet acts on nothing older than one block. What this wallet
// broadcasts itself is visible at once: sending drops the cache too. Only what
// exists is kept, so a new account is seen as soon as the daemon knows it.
type blockCache struct {
	now func() time.Time
	mu  sync.RWMutex
	set *facts
}

// facts were read at one head block.
type facts struct {
	made        time.Time
	accounts    factTable[ledger.Account]  // by name and by id
	rawAccounts factTable[json.RawMessage] // as the daemon wrote them, by what was asked
	assets      factTable[ledger.Asset]    // by symbol and by id
	global      atomic.Pointer[ledger.GlobalProperties]
	dynamic     atomic.Pointer[ledger.DynamicGlobalProperties]

	agreed    agreedFacts
	unchanged factTable[ledger.Account] // whose keys are those accepted before, by id
}

// agreedFacts are what several daemons agreed on.
type agreedFacts struct {
	accounts factTable[ledger.Account] // by what was asked
	assets   factTable[ledger.Asset]
	global   atomic.Pointer[ledger.GlobalProperties]
}

// drop forgets everything: a new head block, or another connection to a daemon.
func (c *blockCache) drop() {
	c.mu.Lock()
	c.set = nil
	c.mu.Unlock()
}

// current returns the facts of the present head block, empty ones when it is new.
func (c *blockCache) current() *facts {
	now := c.now()
	c.mu.RLock()
	f := c.set
	c.mu.RUnlock()
	if f != nil && now.Sub(f.made) < factsLife {
		return f
	}
	f = &facts{made: now}
	c.mu.Lock()
	c.set = f
	c.mu.Unlock()
	return f
}

// mostFacts bounds each table; what does not fit is asked for again.
const mostFacts = 10_000

// factTable finds facts by text. The zero value is empty.
type factTable[T any] struct {
	mu sync.RWMutex
	by map[string]*T
}

// put keeps a value under its keys.
func (t *factTable[T]) put(v *T, keys ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.by) >= mostFacts {
		return
	}
	if t.by == nil {
		t.by = map[string]*T{}
	}
	for _, k := range keys {
		t.by[k] = v
	}
}

// get returns nil for what is not there.
func (t *factTable[T]) get(key string) *T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.by[key]
}

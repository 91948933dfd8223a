package ledgerview

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"billfold/ledger"
)

// factsLife bounds how long facts are used if no block is announced.
const factsLife = 5 * time.Second

// blockCache caches what was read from the ledger while the head block and the
// connection stay the same, so that the wallet acts on nothing older than one block. What
// this wallet broadcasts is visible at once: see Chain.Sent. Only what exists is cached,
// so a new account is seen as soon as the daemon knows it. Balances are never cached.
type blockCache struct {
	now   func() time.Time
	epoch func() uint64 // changes with the head block and the connection
	mu    sync.RWMutex
	facts *facts
}

// facts are what was read at one head block over one connection.
type facts struct {
	made        time.Time
	epoch       uint64
	accounts    factTable[ledger.Account]  // by name and by id
	rawAccounts factTable[json.RawMessage] // as the daemon wrote them, by the text asked for
	assets      factTable[ledger.Asset]    // by symbol and by id
	doubted     factTable[AssetRef]        // assets that contradict their pins, by id
	global      atomic.Pointer[ledger.GlobalProperties]
	dynamic     atomic.Pointer[ledger.DynamicGlobalProperties]

	confirmed confirmedFacts
	unchanged factTable[ledger.Account] // accounts whose keys equal those accepted before, by id
	accepted  accepted                  // what was accepted before, as the store has it

	reading flights // the reads in flight
}

// confirmedFacts are what several daemons agreed on.
type confirmedFacts struct {
	accounts factTable[ledger.Account] // by the text asked for
	assets   factTable[ledger.Asset]
	global   atomic.Pointer[ledger.GlobalProperties]
}

// drop forgets everything, even if the head block is the same.
func (c *blockCache) drop() {
	c.mu.Lock()
	c.facts = nil
	c.mu.Unlock()
}

// current returns the facts of the present head block. They are empty if it is new.
func (c *blockCache) current() *facts {
	now, epoch := c.now(), c.epoch()
	c.mu.RLock()
	f := c.facts
	c.mu.RUnlock()
	if f.isOf(epoch, now) {
		return f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.facts.isOf(epoch, now) { // another caller was first
		return c.facts
	}
	c.facts = &facts{made: now, epoch: epoch}
	return c.facts
}

// isOf reports whether f belongs to the epoch and may still be used.
func (f *facts) isOf(epoch uint64, now time.Time) bool {
	return f != nil && f.epoch == epoch && now.Sub(f.made) < factsLife
}

// maxFacts bounds each table. What does not fit is read again when needed.
const maxFacts = 10_000

// factTable finds facts by text. The zero value is empty.
type factTable[T any] struct {
	mu sync.RWMutex
	by map[string]*T
}

// put stores a value under its keys, unless the table is full.
func (t *factTable[T]) put(v *T, keys ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.by) >= maxFacts {
		return
	}
	if t.by == nil {
		t.by = map[string]*T{}
	}
	for _, k := range keys {
		t.by[k] = v
	}
}

// putIfAbsent stores a value under its keys and returns it. If there is one under the first key already, it
// returns that one, so that all callers share it.
func (t *factTable[T]) putIfAbsent(v *T, keys ...string) *T {
	if present := t.get(keys[0]); present != nil {
		return present
	}
	t.put(v, keys...)
	return v
}

// get returns the value under key, or nil if there is none.
func (t *factTable[T]) get(key string) *T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.by[key]
}

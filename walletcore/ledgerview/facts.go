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

// blockCache keeps what was read from the ledger while the head block and the
// connection stay the same: the wallet acts on nothing older than one block. What this wallet
// broadcasts itself is visible at once: see Chain.Sent. Only what
// exists is kept, so a new account is seen as soon as the daemon knows it. Balances
// are never kept.
type blockCache struct {
	now   func() time.Time
	epoch func() uint64 // another head block or connection changes it
	mu    sync.RWMutex
	set   *facts
}

// facts were read at one head block, over one connection.
type facts struct {
	made        time.Time
	epoch       uint64
	accounts    factTable[ledger.Account]  // by name and by id
	rawAccounts factTable[json.RawMessage] // as the daemon wrote them, by what was asked
	assets      factTable[ledger.Asset]    // by symbol and by id
	doubted     factTable[AssetRef]        // assets that are not as they are pinned, by id
	global      atomic.Pointer[ledger.GlobalProperties]
	dynamic     atomic.Pointer[ledger.DynamicGlobalProperties]

	confirmed confirmedFacts
	unchanged factTable[ledger.Account] // whose keys are those accepted before, by id

	reading flights // what is being read at present
}

// confirmedFacts are what several daemons agreed on.
type confirmedFacts struct {
	accounts factTable[ledger.Account] // by what was asked
	assets   factTable[ledger.Asset]
	global   atomic.Pointer[ledger.GlobalProperties]
}

// drop forgets everything, although the head block is the same.
func (c *blockCache) drop() {
	c.mu.Lock()
	c.set = nil
	c.mu.Unlock()
}

// current returns the facts of the present head block, empty ones when it is new.
func (c *blockCache) current() *facts {
	now, epoch := c.now(), c.epoch()
	c.mu.RLock()
	f := c.set
	c.mu.RUnlock()
	if f.isOf(epoch, now) {
		return f
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.set.isOf(epoch, now) { // another caller was first
		return c.set
	}
	c.set = &facts{made: now, epoch: epoch}
	return c.set
}

// isOf reports whether f are facts of an epoch that may still be used.
func (f *facts) isOf(epoch uint64, now time.Time) bool {
	return f != nil && f.epoch == epoch && now.Sub(f.made) < factsLife
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

// first keeps a value under its keys and returns it, or the one that is kept under the first of them:
// all callers have the same.
func (t *factTable[T]) first(v *T, keys ...string) *T {
	if there := t.get(keys[0]); there != nil {
		return there
	}
	t.put(v, keys...)
	return v
}

// get returns nil for what is not there.
func (t *factTable[T]) get(key string) *T {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.by[key]
}

package ledgerview

import (
	"context"
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

// facts hold what was read at one head block over one connection.
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

// confirmedFacts hold what several daemons agreed on.
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

// flights are the reads in flight for one set of facts: callers that lack the same fact
// wait for one answer. The zero value is empty.
type flights struct {
	mu  sync.Mutex
	all map[string]*flight
}

// flight is one read. Its result may be read once done is closed.
type flight struct {
	done      chan struct{}
	value     any
	err       error
	abandoned bool // its caller gave up or panicked, so the result means nothing to others
}

// join returns the read of a key that is in flight. If there is none, it starts one, which the caller must finish.
func (f *flights) join(key string) (_ *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if present := f.all[key]; present != nil {
		return present, false
	}
	if f.all == nil {
		f.all = map[string]*flight{}
	}
	started := &flight{done: make(chan struct{}), abandoned: true}
	f.all[key] = started
	return started, true
}

func (f *flights) finish(key string, ended *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, key)
	close(ended.done)
}

// readOnce returns the fact that known finds. If there is none yet, one caller reads it for all that lack it;
// read must also cache it. If the read fails, it fails for all of them, but if the reading caller's context ends,
// another one reads. If ctx ends while another caller reads, the error is the cause of ctx.
func readOnce[T any](
	ctx context.Context,
	all *flights,
	key string,
	known func() *T,
	read func(context.Context) (*T, error),
) (*T, error) {
	for {
		if v := known(); v != nil {
			return v, nil
		}
		current, first := all.join(key)
		if first {
			return lead(ctx, all, key, current, known, read)
		}
		select {
		case <-current.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if !current.abandoned {
			v, _ := current.value.(*T)
			return v, current.err
		}
	}
}

// lead reads for all callers that wait for a flight.
func lead[T any](
	ctx context.Context,
	all *flights,
	key string,
	own *flight,
	known func() *T,
	read func(context.Context) (*T, error),
) (*T, error) {
	defer all.finish(key, own)
	v := known() // it may have been cached since the caller looked
	var err error
	if v == nil {
		v, err = read(ctx)
	}
	own.value, own.err, own.abandoned = v, err, err != nil && ctx.Err() != nil
	return v, err
}

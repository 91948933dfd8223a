package walletcore

import (
	"context"
	"encoding/json"

	"fmt"
	"sync"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// chainPosition is where the chain stood when last seen.
type chainPosition struct {
	mu           sync.RWMutex
	head         uint32
	headTime     ledger.Time
	irreversible uint32 // the last block that the miners' signatures prove irreversible
	said         uint32 // the last one by the daemon's word
	lacks        lackedBlock
}

// lackedBlock is a block that is proven irreversible and missing in a daemon's
// chain; the zero value is none.
type lackedBlock struct {
	daemon string
	block  uint32
}

// lack notes what the chain of the daemon in use lacks; it reports whether that
// is news.
func (c *chainPosition) lack(l lackedBlock) (news bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	news, c.lacks = c.lacks != l, l
	return news
}

func (c *chainPosition) lacked() lackedBlock {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.lacks
}

// lacksProven is the fault of a daemon whose chain lacks a proven block: what is
// sent over it may end up in a ledger of its own. Nil when there is none.
func (w *Wallet) lacksProven(op string) error {
	l := w.chain.lacked()
	if l == (lackedBlock{}) || l.daemon != w.daemon.Status().URL {
		return nil
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: op,
		Message: fmt.Sprintf("the chain of the daemon at %s lacks block %d, which is proven irreversible: that daemon is not to be trusted, or the ledger was set back", l.daemon, l.block),
		Hint:    "nothing was sent; use another daemon, or for a test network that began anew: billfold pins forget miners, then start again"}
}

func (c *chainPosition) read() (head uint32, at ledger.Time, irreversible uint32) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.head, c.headTime, c.irreversible
}

func (c *chainPosition) set(p ledger.DynamicGlobalProperties) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.head, c.headTime, c.said = p.HeadBlockNumber, p.Time, p.LastIrreversibleBlockNum
}

// prove notes a block that the miners' signatures prove irreversible.
func (c *chainPosition) prove(num uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.irreversible = num
}

// proven is the last block that the miners' signatures prove irreversible; 0 when none is.
func (c *chainPosition) proven() uint32 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.irreversible
}

// word is the last irreversible block by the daemon's word.
func (c *chainPosition) word() uint32 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.said
}

// followDaemon turns the daemon's notices into events and keeps the position.
func (w *Wallet) followDaemon(ctx context.Context) error {
	notices, stop := w.daemon.Subscribe()
	defer stop()
	w.readPosition(ctx)
	w.bindWhenOpen()
	w.events.Publish(event.Event{Kind: event.Daemon}) // for what changed before anybody listened
	for {
		select {
		case <-ctx.Done():
			return nil
		case n, open := <-notices:
			if !open {
				return nil
			}
			w.facts.drop()
			kind := event.Block
			if _, changed := n.(daemonclient.StateChanged); changed {
				kind = event.Daemon
			}
			w.readPosition(ctx)
			w.bindWhenOpen()
			w.events.Publish(event.Event{Kind: kind})
		}
	}
}

// positionTime bounds how long the position may take; the next block asks again.
const positionTime = 5 * time.Second

func (w *Wallet) readPosition(ctx context.Context) {
	if now := w.daemon.Status(); now.State != daemonclient.Online || now.Condition == daemonclient.Frozen {
		return // those who listen are told at once
	}
	ctx, cancel := context.WithTimeout(ctx, positionTime)
	defer cancel()
	if p, err := w.daemon.DynamicGlobalProperties(ctx); err == nil {
		w.chain.set(p)
	}
}

// factsLife bounds how long facts are used when no block is announced.
const factsLife = 5 * time.Second

// factsCache keeps what was read from the ledger while the head block stays the
// same: the wallet acts on nothing older than one block. What this wallet
// broadcasts itself is visible at once: sending drops the cache too. Only what
// exists is kept, so a new account is seen as soon as the daemon knows it.
type factsCache struct {
	mu  sync.RWMutex
	set *facts
}

type facts struct {
	made     time.Time
	mu       sync.RWMutex
	accounts map[string]*ledger.Account // by name and by id
	assets   map[string]*ledger.Asset   // by symbol and by id
	global   *ledger.GlobalProperties
	dynamic  *ledger.DynamicGlobalProperties

	rawAccounts map[string]*json.RawMessage // as the daemon wrote them, by what was asked

	agreed    agreedFacts
	unchanged map[string]*ledger.Account // whose keys are those accepted before, by id
}

// drop forgets everything: a new head block, or another line to a daemon.
func (c *factsCache) drop() {
	c.mu.Lock()
	c.set = nil
	c.mu.Unlock()
}

// current gives the facts of the present head block, empty ones when it is new.
func (c *factsCache) current(now time.Time) *facts {
	c.mu.RLock()
	f := c.set
	c.mu.RUnlock()
	if f != nil && now.Sub(f.made) < factsLife {
		return f
	}
	f = &facts{
		made: now, accounts: map[string]*ledger.Account{}, assets: map[string]*ledger.Asset{},
		rawAccounts: map[string]*json.RawMessage{},
		unchanged:   map[string]*ledger.Account{},
		agreed:      agreedFacts{accounts: map[string]*ledger.Account{}, assets: map[string]*ledger.Asset{}},
	}
	c.mu.Lock()
	c.set = f
	c.mu.Unlock()
	return f
}

// mostFacts bounds each map; what does not fit is asked for again.
const mostFacts = 10_000

// remember keeps a value under its keys.
func remember[T any](f *facts, in map[string]*T, v *T, keys ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(in) >= mostFacts {
		return
	}
	for _, k := range keys {
		in[k] = v
	}
}

func recall[T any](f *facts, in map[string]*T, key string) *T {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return in[key]
}

// globalProperties gives the chain's parameters as of the head block.
func (w *Wallet) globalProperties(ctx context.Context) (*ledger.GlobalProperties, error) {
	f := w.facts.current(w.now())
	f.mu.RLock()
	p := f.global
	f.mu.RUnlock()
	if p != nil {
		return p, nil
	}
	got, err := w.daemon.GlobalProperties(ctx)
	if err != nil {
		return nil, fault.Daemon("reading the chain's parameters", err)
	}
	f.mu.Lock()
	f.global = &got
	f.mu.Unlock()
	return &got, nil
}

// dynamicProperties gives the head block's number, id and time.
func (w *Wallet) dynamicProperties(ctx context.Context) (*ledger.DynamicGlobalProperties, error) {
	f := w.facts.current(w.now())
	f.mu.RLock()
	p := f.dynamic
	f.mu.RUnlock()
	if p != nil {
		return p, nil
	}
	got, err := w.daemon.DynamicGlobalProperties(ctx)
	if err != nil {
		return nil, fault.Daemon("reading the head block", err)
	}
	w.chain.set(got)
	f.mu.Lock()
	f.dynamic = &got
	f.mu.Unlock()
	return &got, nil
}

// trusted refuses a payment before anything of it is written down when no daemon
// is there, or only one that is behind: one that is refused later uses up its
// request key.
func (w *Wallet) trusted() error {
	if err := w.journalGood(); err != nil {
		return err
	}
	if err := w.daemon.Trusted(); err != nil {
		return fault.Daemon("transfer", err)
	}
	if w.daemon.Status().Condition == daemonclient.Distrusted { // there is no other, or it would not be in use
		return &fault.Error{Code: fault.DaemonGarbage, Op: "transfer",
			Message: "the daemon at " + fault.Address(w.daemon.Status().URL) + " gave a false answer within the last minute, so nothing is paid over it",
			Hint:    "nothing was sent; use another daemon (--daemon-url), or try again in a minute if you trust it"}
	}
	return w.lacksProven("transfer")
}

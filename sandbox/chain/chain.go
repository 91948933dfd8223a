package chain

import (
	"sync"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Chain is one ledger. All methods may be called from several goroutines.
type Chain struct {
	id   ledger.ChainID
	keys map[ledger.PublicKey]ledger.PrivateKey
	own  ledger.PublicKey // one of keys: of miners whose key in the genesis nobody here has

	mu      sync.RWMutex
	s       *State
	pending []*Prepared

	past         []sealed // the newest blocks, the head block last
	undoable     int      // changes in past
	snapshots    []snapshot
	lastSnapshot uint64
	notBefore    ledger.Time // of the next block, after a fork
	log          Log         // nil: nothing is kept
}

// New starts a chain. A miner whose signing key is among minerKeys signs its
// blocks with it. The others get a signing key that everybody knows in place of
// theirs, before the first block, so that what the miners' objects say is what
// blocks are signed with.
func New(g *Genesis, minerKeys ...ledger.PrivateKey) (*Chain, error) {
	s, err := g.build()
	if err != nil {
		return nil, err
	}
	own := ledger.DeriveKey("billfold sandbox miner", 0)
	c := &Chain{id: g.chainID, keys: map[ledger.PublicKey]ledger.PrivateKey{own.Public(): own}, own: own.Public(), s: s}
	for _, key := range minerKeys {
		c.keys[key.Public()] = key
	}
	for _, m := range s.miners.rows[1:] {
		if _, ok := c.keys[m.SigningKey]; !ok {
			s.miners.change(uint64(m.ID), func(m *Miner) { m.SigningKey = c.own })
		}
	}
	s.j.forget()
	return c, nil
}

// ID is the chain id.
func (c *Chain) ID() ledger.ChainID { return c.id }

// View calls read with the state, which does not change meanwhile. What read
// takes out of it may be kept; the state itself may not.
func (c *Chain) View(read func(*State)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	read(c.s)
}

// Pending is how many transactions wait for the next block.
func (c *Chain) Pending() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.pending)
}

// Knows tells whether a transaction with the id is pending or in a block.
func (c *Chain) Knows(id ledger.TransactionID) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, pending := c.s.pendingIDs[id]
	_, included := c.s.byTx[id]
	return pending || included
}

// Push checks a transaction as the node does at broadcast and keeps it for the
// next block. A fault leaves everything as it was.
func (c *Chain) Push(p *Prepared) *nodeerr.Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pushLocked(p)
}

func (c *Chain) pushLocked(p *Prepared) *nodeerr.Fault {
	if _, fault := c.s.applyTransaction(p); fault != nil {
		return fault.In("push_transaction", "", nodeerr.Data{"trx": p.Tx})
	}
	setKey(&c.s.j, c.s.pendingIDs, p.ID, struct{}{})
	c.pending = append(c.pending, p)
	return nil
}

// Validate makes the same checks and keeps nothing. The answer is the
// transaction with the results it would have.
func (c *Chain) Validate(p *Prepared) (*ledger.ProcessedTransaction, *nodeerr.Fault) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mark := c.s.j.mark()
	done, fault := c.s.applyTransaction(p)
	c.s.j.rewind(mark)
	return done, fault
}

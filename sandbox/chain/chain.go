package chain

import (
	"sync"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/produce"
	"billfold/sandbox/chain/state"
)

// Chain is one ledger. It is safe for concurrent use.
type Chain struct {
	id    ledger.ChainID
	rules *evaluate.Rules
	keys  *produce.Keys

	mu        sync.RWMutex
	s         *state.State
	engine    *evaluate.Engine // changes s
	pending   []*evaluate.Prepared
	history   undoHistory
	notBefore ledger.Time // of the next block, after a fork
	final     uint32      // the last block that was ever announced as irreversible, until a fork or a revert takes it back
	restarts  uint64      // how often the node was stopped and started again
	log       Log         // nil if nothing is kept
	verify    bool        // signatures are checked again when a block is made
}

// Log records every change of the head. It is called before anybody can see the
// change; if it fails, the change does not happen.
type Log interface {
	// Append adds the block that becomes the head.
	Append(b *ledger.Block) error
	// Rewind makes block num the head again.
	Rewind(num uint32) error
}

// New starts a chain. A miner whose signing key is among minerKeys signs its
// blocks with it. The signing keys of the others are replaced by a publicly known
// one before the first block.
func New(g *genesis.Genesis, minerKeys ...ledger.PrivateKey) (*Chain, error) {
	s, err := g.Build()
	if err != nil {
		return nil, err
	}
	rules := evaluate.NewRules()
	c := &Chain{
		id: g.ChainID(), rules: rules, keys: produce.NewKeys(minerKeys...), s: s, engine: evaluate.NewEngine(s, rules),
	}
	c.keys.Replace(s)
	s.Commit()
	return c, nil
}

// ID returns the chain id.
func (c *Chain) ID() ledger.ChainID { return c.id }

// SetLog sets the log, which receives only later changes.
func (c *Chain) SetLog(l Log) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = l
}

// VerifyBlocks has each signature checked again when a block is made, as the node does when it applies one. Nothing is
// read from the chain meanwhile.
func (c *Chain) VerifyBlocks() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.verify = true
}

// View calls read with the state, which does not change during the call and must
// not be changed. read may keep objects from it, but not the state itself.
func (c *Chain) View(read func(*state.State)) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	read(c.s)
}

// Final returns the last block that was ever announced as irreversible. A node that is killed or stopped still has it; only
// Fork and Revert take it back.
func (c *Chain) Final() uint32 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.final
}

// Pending returns how many transactions wait for the next block.
func (c *Chain) Pending() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.pending)
}

// Knows reports whether a transaction with the id is pending or in a block.
func (c *Chain) Knows(id ledger.TransactionID) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, included := c.s.Blocks.Transaction(id)
	return included || c.s.Blocks.IsPending(id)
}

// Prepare does the slow part of checking a transaction, above all recovering the
// keys of the signatures. It takes no lock, so several can run at once. See
// evaluate.Rules.Prepare.
func (c *Chain) Prepare(tx *ledger.SignedTransaction) (*evaluate.Prepared, error) {
	return c.rules.Prepare(c.id, tx)
}

// PrepareTrusted prepares a transaction that needs no signature, because a
// developer made it or a log contains it. All other checks are made when it is
// pushed.
func (c *Chain) PrepareTrusted(tx *ledger.SignedTransaction) (*evaluate.Prepared, error) {
	return c.rules.PrepareTrusted(tx)
}

// Push checks a transaction as the node does at broadcast and keeps it for the
// next block. A fault leaves everything unchanged.
func (c *Chain) Push(p *evaluate.Prepared) *nodeerr.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pushLocked(p)
}

func (c *Chain) pushLocked(p *evaluate.Prepared) *nodeerr.Error {
	if _, fault := c.engine.Apply(p); fault != nil {
		return fault.In("push_transaction", "", nodeerr.Data{"trx": p.Tx})
	}
	c.s.Blocks.AddPending(p.ID)
	c.pending = append(c.pending, p)
	return nil
}

// Validate makes the same checks and keeps nothing. It returns the transaction
// with the results it would have.
func (c *Chain) Validate(p *evaluate.Prepared) (*ledger.ProcessedTransaction, *nodeerr.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mark := c.s.Mark()
	done, fault := c.engine.Apply(p)
	c.s.Rewind(mark)
	return done, fault
}

// Dropped is a pending transaction that did not get into a block and never will.
type Dropped struct {
	ID    ledger.TransactionID
	Fault *nodeerr.Error
}

func (c *Chain) pushAllLocked(waiting []*evaluate.Prepared) (dropped []Dropped) {
	for _, p := range waiting {
		if fault := c.pushLocked(p); fault != nil {
			dropped = append(dropped, Dropped{p.ID, fault})
		}
	}
	return dropped
}

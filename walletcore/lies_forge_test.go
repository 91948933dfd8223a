package walletcore_test

import (
	"crypto/sha256"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"

	//lint:ignore SA1019 The header of a block holds a RIPEMD-160; nothing here relies on its strength.
	"golang.org/x/crypto/ripemd160"
)

// counter counts answers, for lies that change from one to the next.
type counter struct {
	mu sync.Mutex
	n  int
}

func newCounter() *counter { return &counter{} }

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

// signer returns the key that signs the invented block num, and the miner it signs as.
type signer func(s *scene, num uint32) (ledger.PrivateKey, ledger.MinerID)

// nobody leaves blocks without a signature.
func nobody(s *scene, num uint32) (ledger.PrivateKey, ledger.MinerID) {
	return ledger.PrivateKey{}, s.turn(num)
}

// impostor signs with its own keys, in the name of each miner in turn.
func impostor(s *scene, num uint32) (ledger.PrivateKey, ledger.MinerID) {
	id := s.turn(num)
	return impostorKey(id), id
}

func impostorKey(id ledger.MinerID) ledger.PrivateKey { return ledger.DeriveKey("impostor", int(id)) }

// crooked signs as one active miner, with its real key.
func crooked(s *scene, _ uint32) (ledger.PrivateKey, ledger.MinerID) {
	return minerKey(s.active()[0]), s.active()[0]
}

// minority signs as several active miners, with their real keys, but too few to prove a block.
func minority(s *scene, num uint32) (ledger.PrivateKey, ledger.MinerID) {
	active := s.active()
	few := len(active) - len(active)*30/100 - 1
	id := active[int(num)%few]
	return minerKey(id), id
}

// posing signs with one active miner's key in the name of all of them.
func posing(s *scene, num uint32) (ledger.PrivateKey, ledger.MinerID) {
	return minerKey(s.active()[0]), s.turn(num)
}

// turn returns the active miners, one after the other.
func (s *scene) turn(num uint32) ledger.MinerID { return s.active()[int(num)%len(s.active())] }

// active returns the miners that are active on the scene's ledger.
func (s *scene) active() []ledger.MinerID {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.miners == nil {
		var p ledger.GlobalProperties
		must(s.t, codec.Unmarshal(s.ask("get_global_properties"), &p))
		s.miners = p.ActiveMiners
	}
	return s.miners
}

// minerKey returns the key that a miner of the demo signs with.
func minerKey(id ledger.MinerID) ledger.PrivateKey { return key("miner-" + string(rune('a'+id-1))) }

// forgery is a chain of invented blocks on top of a real one.
type forgery struct {
	s     *scene
	by    signer
	until func() time.Time // no block has a later time
	step  ledger.Time

	mu     sync.Mutex
	blocks []*ledger.Block
	from   *ledger.Block
	holds  []ledger.SignedTransaction // for the next block
}

const maxForged = 400

// forge starts a chain of invented blocks after the current head.
func forge(s *scene, by signer, until func() time.Time, step ledger.Time) *forgery {
	f := &forgery{s: s, by: by, until: until, step: step, from: s.block(s.head().HeadBlockNumber)}
	f.grow(45)
	return f
}

// fits returns a time that agrees with this machine's clock, ahead one that contradicts it.
func fits() time.Time  { return time.Now() }
func ahead() time.Time { return time.Now().Add(5 * time.Minute) }

func (f *forgery) grow(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range n {
		last := f.lastLocked()
		if at := last.Timestamp + f.step; len(f.blocks) < maxForged && at.Time().Before(f.until()) {
			f.blocks = append(f.blocks, f.inventLocked(last, at))
		}
	}
}

func (f *forgery) lastLocked() *ledger.Block {
	if len(f.blocks) == 0 {
		return f.from
	}
	return f.blocks[len(f.blocks)-1]
}

func (f *forgery) inventLocked(last *ledger.Block, at ledger.Time) *ledger.Block {
	own, miner := f.by(f.s, last.BlockID.Num()+1)
	b := &ledger.Block{}
	b.Transactions, b.TransactionIDs = []ledger.ProcessedTransaction{}, []ledger.TransactionID{}
	for _, tx := range f.holds {
		id, _ := tx.ID()
		b.Transactions = append(b.Transactions,
			ledger.ProcessedTransaction{SignedTransaction: tx, OperationResults: noResults(len(tx.Operations))})
		b.TransactionIDs = append(b.TransactionIDs, id)
	}
	f.holds = nil
	b.Previous, b.Timestamp, b.Miner, b.TransactionMerkleRoot = last.BlockID, at, miner, merkleRoot(b.Transactions)
	seal(b, own)
	return b
}

// noResults returns the results of n operations that create nothing.
func noResults(n int) []ledger.OperationResult {
	out := make([]ledger.OperationResult, n)
	for i := range out {
		_ = codec.Unmarshal([]byte(`[0,{}]`), &out[i])
	}
	return out
}

// seal signs a header, unless the key is nobody's, and sets its id.
func seal(b *ledger.Block, own ledger.PrivateKey) {
	if digest, err := b.BlockHeader.Digest(); err == nil && !own.IsNull() {
		b.MinerSignature, b.SigningKey = own.Sign(digest), own.Public()
	}
	b.BlockID, _ = b.SignedBlockHeader.ID()
}

// merkleRoot returns the merkle root of transactions.
func merkleRoot(txs []ledger.ProcessedTransaction) (root ledger.Hash160) {
	if len(txs) == 0 {
		return root
	}
	row := make([][32]byte, len(txs))
	for i := range txs {
		packed, _ := codec.Pack(&txs[i])
		row[i] = sha256.Sum256(packed)
	}
	for len(row) > 1 {
		var next [][32]byte
		for i := 0; i+1 < len(row); i += 2 {
			next = append(next, sha256.Sum256(append(row[i][:], row[i+1][:]...)))
		}
		if len(row)%2 == 1 {
			next = append(next, row[len(row)-1])
		}
		row = next
	}
	h := ripemd160.New()
	h.Write(row[0][:])
	return ledger.Hash160(h.Sum(nil))
}

// hold puts a transaction into the next invented block.
func (f *forgery) hold(tx ledger.SignedTransaction) {
	f.mu.Lock()
	f.holds = append(f.holds, tx)
	f.mu.Unlock()
	f.grow(12)
}

// head sets the head of the invented chain, which grows with each question.
func (f *forgery) head(d *ledger.DynamicGlobalProperties) {
	f.grow(2)
	f.mu.Lock()
	defer f.mu.Unlock()
	last := f.lastLocked()
	d.HeadBlockNumber, d.HeadBlockID, d.Time, d.LastIrreversibleBlockNum = last.BlockID.Num(), last.BlockID, last.Timestamp,
		last.BlockID.Num()
}

func (f *forgery) block(num uint32) *ledger.Block {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := int(num) - int(f.from.BlockID.Num()) - 1; at >= 0 && at < len(f.blocks) {
		return f.blocks[at]
	}
	return nil
}

// tell shows the invented chain instead of the real blocks after its start.
func (f *forgery) tell() teller {
	return compose([]teller{dynamically(f.head), blocksAbove(f.from.BlockID.Num(), f.block)})
}

// blocksAbove answers with invented blocks and headers above a number; invented
// returns nil for a block that does not exist.
func blocksAbove(above uint32, invented func(uint32) *ledger.Block) teller {
	return onBlocks(func(num uint32, truth *ledger.Block) *ledger.Block {
		switch {
		case num <= above:
			return truth
		case invented == nil:
			return nil
		}
		return invented(num)
	})
}

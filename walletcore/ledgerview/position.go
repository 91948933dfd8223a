package ledgerview

import (
	"sync"
	"time"

	"billfold/ledger"
)

// position is where the chain stood when last seen.
type position struct {
	mu           sync.RWMutex
	head         uint32
	headTime     ledger.Time
	irreversible uint32 // the last block that the miners' signatures prove irreversible
	proven       ledger.BlockID
	claimed      uint32    // the last one by the daemon's word
	provenAt     time.Time // when irreversible last changed
	doubt        Doubt     // about the chain of the daemon in use
}

// setDoubt notes a doubt about the chain of the daemon in use; it reports whether that is news.
func (p *position) setDoubt(d Doubt) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	news = p.doubt.Kind != d.Kind || p.doubt.Daemon != d.Daemon || p.doubt.Block != d.Block
	p.doubt = d
	return news
}

func (p *position) read() (head uint32, at ledger.Time, irreversible uint32) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.head, p.headTime, p.irreversible
}

func (p *position) set(to ledger.DynamicGlobalProperties) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.head, p.headTime, p.claimed = to.HeadBlockNumber, to.Time, to.LastIrreversibleBlockNum
}

func (p *position) prove(block ledger.BlockID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proven != block {
		p.proven, p.irreversible, p.provenAt = block, block.Num(), time.Now()
	}
}

func (p *position) claimedIrreversible() uint32 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.claimed
}

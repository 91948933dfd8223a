package ledgerview

import (
	"sync"

	"billfold/ledger"
)

// position is where the chain stood when last seen.
type position struct {
	mu           sync.RWMutex
	head         uint32
	headTime     ledger.Time
	irreversible uint32 // the last block that the miners' signatures prove irreversible
	claimed      uint32 // the last one by the daemon's word
	lacking      LackedBlock
}

// LackedBlock is a block that is proven irreversible and missing in a daemon's
// chain; the zero value is none.
type LackedBlock struct {
	Daemon string
	Block  uint32
}

// setLacked notes what the chain of the daemon in use lacks; it reports whether that
// is news.
func (p *position) setLacked(l LackedBlock) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	news, p.lacking = p.lacking != l, l
	return news
}

func (p *position) lacked() LackedBlock {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.lacking
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

func (p *position) prove(num uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.irreversible = num
}

func (p *position) claimedIrreversible() uint32 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.claimed
}

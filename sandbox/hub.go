package sandbox

import (
	"sync"

	"billfold/ledger"
)

// hub knows the open websockets, what they want to be told, and how many
// requests are under way.
type hub struct {
	mu       sync.Mutex
	closed   bool
	sessions map[*session]struct{}
	waiting  map[ledger.TransactionID][]inclusion
	active   sync.WaitGroup
}

// inclusion is a session that wants to know when a transaction is in a block.
type inclusion struct {
	session  *session
	callback uint64
}

func newHub() *hub {
	return &hub{sessions: map[*session]struct{}{}, waiting: map[ledger.TransactionID][]inclusion{}}
}

// enter counts a request in, unless the hub is closed.
func (h *hub) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.active.Add(1)
	return true
}

func (h *hub) leave() { h.active.Done() }

func (h *hub) add(s *session) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.sessions[s] = struct{}{}
	return true
}

func (h *hub) remove(s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, s)
	for id, list := range h.waiting {
		kept := list[:0]
		for _, in := range list {
			if in.session != s {
				kept = append(kept, in)
			}
		}
		if h.waiting[id] = kept; len(kept) == 0 {
			delete(h.waiting, id)
		}
	}
}

// close cuts every connection and waits until all requests have ended.
func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	for s := range h.sessions {
		_ = s.line.conn.Close()
	}
	h.mu.Unlock()
	h.active.Wait()
}

// expect asks for a notice when the transaction gets into a block; forget
// takes that back.
func (h *hub) expect(id ledger.TransactionID, s *session, callback uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiting[id] = append(h.waiting[id], inclusion{s, callback})
}

func (h *hub) forget(id ledger.TransactionID, s *session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.waiting[id]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].session == s {
			h.waiting[id] = append(list[:i:i], list[i+1:]...)
			return
		}
	}
}

// included is what a broadcaster is told.
type included struct {
	ID       ledger.TransactionID         `json:"id"`
	BlockNum uint32                       `json:"block_num"`
	TrxNum   uint32                       `json:"trx_num"`
	Trx      *ledger.ProcessedTransaction `json:"trx"`
}

// blockApplied tells the block id to who wants blocks, and then each
// transaction to who waits for it.
func (h *hub) blockApplied(b *ledger.Block) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.sessions {
		s.notice(s.callbacks.block(), b.BlockID)
	}
	if len(h.waiting) == 0 {
		return
	}
	for i, id := range b.TransactionIDs {
		for _, in := range h.waiting[id] {
			in.session.notice(&in.callback, included{id, b.BlockID.Num(), uint32(i), &b.Transactions[i]})
		}
		delete(h.waiting, id)
	}
}

// transactionPending tells a new pending transaction to who wants them.
func (h *hub) transactionPending(tx *ledger.SignedTransaction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.sessions {
		s.notice(s.callbacks.pending(), tx)
	}
}

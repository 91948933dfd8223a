package sandbox

import (
	"sync"

	"billfold/ledger"
	"billfold/sandbox/api"
)

// subscriber is an open websocket that can be sent notices.
type subscriber interface {
	// callbacks returns the callbacks for blocks and pending transactions.
	callbacks() *api.Callbacks
	// notify sends arg to a callback of the client. It does nothing if callback is nil.
	notify(callback *uint64, arg any)
	// exempt reports whether the connection is exempt from faults.
	exempt() bool
	// disconnect closes the connection.
	disconnect()
}

// hub keeps track of open websockets, the notices they want, and the requests
// under way.
type hub struct {
	mu      sync.Mutex
	closed  bool
	open    map[subscriber]struct{}
	waiting map[ledger.TransactionID][]inclusion
	active  sync.WaitGroup
}

// inclusion is a connection that wants to know when a transaction is in a block.
type inclusion struct {
	to       subscriber
	callback uint64
}

func newHub() *hub {
	return &hub{open: map[subscriber]struct{}{}, waiting: map[ledger.TransactionID][]inclusion{}}
}

// enter counts a request that starts. It returns false if the hub is closed.
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

func (h *hub) add(s subscriber) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.open[s] = struct{}{}
	return true
}

func (h *hub) remove(s subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, s)
	for id, list := range h.waiting {
		kept := list[:0]
		for _, in := range list {
			if in.to != s {
				kept = append(kept, in)
			}
		}
		if h.waiting[id] = kept; len(kept) == 0 {
			delete(h.waiting, id)
		}
	}
}

// close closes every connection and waits until all requests have ended.
func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	for s := range h.open {
		s.disconnect()
	}
	h.mu.Unlock()
	h.active.Wait()
}

// awaitInclusion requests a notice when the transaction gets into a block;
// cancelInclusion withdraws the request.
func (h *hub) awaitInclusion(id ledger.TransactionID, s subscriber, callback uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.waiting[id] = append(h.waiting[id], inclusion{s, callback})
}

func (h *hub) cancelInclusion(id ledger.TransactionID, s subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.waiting[id]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].to == s {
			h.waiting[id] = append(list[:i:i], list[i+1:]...)
			return
		}
	}
}

// included is the notice to the sender of a transaction that is in a block.
type included struct {
	ID       ledger.TransactionID         `json:"id"`
	BlockNum uint32                       `json:"block_num"`
	TrxNum   uint32                       `json:"trx_num"`
	Trx      *ledger.ProcessedTransaction `json:"trx"`
}

// blockApplied sends the id of a new block to those who want blocks, then notifies
// those who wait for a transaction in it.
func (h *hub) blockApplied(b *ledger.Block) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.open {
		s.notify(s.callbacks().Block(), b.BlockID)
	}
	if len(h.waiting) == 0 {
		return
	}
	for i, id := range b.TransactionIDs {
		for _, in := range h.waiting[id] {
			in.to.notify(&in.callback, included{id, b.BlockID.Num(), uint32(i), &b.Transactions[i]})
		}
		delete(h.waiting, id)
	}
}

// transactionPending sends a new pending transaction to those who want them.
func (h *hub) transactionPending(tx *ledger.SignedTransaction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.open {
		s.notify(s.callbacks().Pending(), tx)
	}
}

// disconnectAll closes every connection except those of developers.
func (h *hub) disconnectAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.open {
		if !s.exempt() {
			s.disconnect()
		}
	}
}

package store

import (
	"context"
	"sync"
)

// CallBatch holds what the parts of a call want written together with its payment: in the same commit, or not at all. It travels
// in the context of the call, so that the code that authorizes a call and the code that pays need not know each other.
type CallBatch struct {
	mu      sync.Mutex
	changes []Change
	proof   *TokenProof
}

type callBatchKey struct{}

// WithCallBatch returns a context with a new CallBatch; the first payment made under it includes what was added to it.
func WithCallBatch(ctx context.Context) context.Context {
	return context.WithValue(ctx, callBatchKey{}, &CallBatch{})
}

// CallBatchOf returns the batch of a call; nil if it has none, so that every change is written on its own.
func CallBatchOf(ctx context.Context) *CallBatch {
	b, _ := ctx.Value(callBatchKey{}).(*CallBatch)
	return b
}

// Add adds a change that is written with the payment of the call.
func (b *CallBatch) Add(c Change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes = append(b.changes, c)
}

// Require makes every payment of the call depend on the token: it is refused if the token is no longer as p says.
func (b *CallBatch) Require(p *TokenProof) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.proof = p
}

// tokenProof returns the argument of Require, or nil. It is safe on nil.
func (b *CallBatch) tokenProof() *TokenProof {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.proof
}

// take removes and returns the changes that were added. It is safe on nil.
func (b *CallBatch) take() []Change {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	changes := b.changes
	b.changes = nil
	return changes
}

// putBack leaves changes to the next payment of the call. It is safe on nil.
func (b *CallBatch) putBack(changes []Change) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes = append(changes, b.changes...)
}

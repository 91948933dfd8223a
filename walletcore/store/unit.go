package store

import (
	"context"
	"sync"
)

// Unit is what the parts of a call want written together with its payment: in the
// same commit, or not at all. It travels in the context of the call, so that those who decide
// about a call and the payment need not know of each other.
type Unit struct {
	mu      sync.Mutex
	changes []Change
	proof   *TokenProof
}

type unitKey struct{}

// WithUnit returns a context whose first payment takes along what is added to the unit.
func WithUnit(ctx context.Context) context.Context {
	return context.WithValue(ctx, unitKey{}, &Unit{})
}

// UnitOf returns the unit of a call; nil when it has none, so that everything is
// written by itself.
func UnitOf(ctx context.Context) *Unit {
	u, _ := ctx.Value(unitKey{}).(*Unit)
	return u
}

// Add has a change written with the payment of the call.
func (u *Unit) Add(c Change) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes = append(u.changes, c)
}

// Require has every payment of the call refused whose token is not as p says any more.
func (u *Unit) Require(p *TokenProof) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.proof = p
}

// tokenProof returns what Require was told. It is safe on nil.
func (u *Unit) tokenProof() *TokenProof {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.proof
}

// take returns what was added. It is safe on nil.
func (u *Unit) take() []Change {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	changes := u.changes
	u.changes = nil
	return changes
}

// putBack leaves changes to the next payment of the call.
func (u *Unit) putBack(changes []Change) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes = append(changes, u.changes...)
}

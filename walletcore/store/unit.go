package store

import (
	"context"
	"sync"
)

// Unit holds what the parts of a call want written together with its payment: in the same commit, or not at all. It travels
// in the context of the call, so that the code that authorizes a call and the code that pays need not know each other.
type Unit struct {
	mu      sync.Mutex
	changes []Change
	proof   *TokenProof
}

type unitKey struct{}

// WithUnit returns a context with a new Unit; the first payment made under it includes the unit's changes.
func WithUnit(ctx context.Context) context.Context {
	return context.WithValue(ctx, unitKey{}, &Unit{})
}

// UnitOf returns the unit of a call; nil if it has none, so that every change is written on its own.
func UnitOf(ctx context.Context) *Unit {
	u, _ := ctx.Value(unitKey{}).(*Unit)
	return u
}

// Add adds a change that is written with the payment of the call.
func (u *Unit) Add(c Change) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes = append(u.changes, c)
}

// Require makes every payment of the call depend on the token: it is refused if the token is no longer as p says.
func (u *Unit) Require(p *TokenProof) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.proof = p
}

// tokenProof returns the argument of Require, or nil. It is safe on nil.
func (u *Unit) tokenProof() *TokenProof {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.proof
}

// take removes and returns the changes that were added. It is safe on nil.
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

// putBack leaves changes to the next payment of the call. It is safe on nil.
func (u *Unit) putBack(changes []Change) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.changes = append(changes, u.changes...)
}

package store

import "time"

// TokenRow is what is kept of a token.
type TokenRow struct {
	ID, Name, Hash string
	Made           int64 // UTC seconds
	Scope          string
}

// TokenProof is a token as it was when it was let make a payment. A payment whose token was revoked or changed since, or has expired by
// the store's clock, is refused in the commit that would write it.
type TokenProof struct {
	Row     TokenRow
	Expires time.Time // zero = never
	Refusal error
}

// Holds reports whether the token is still that at a time; there is nil where it is gone.
func (p *TokenProof) Holds(there *TokenRow, at time.Time) bool {
	return there != nil && there.Hash == p.Row.Hash && there.Scope == p.Row.Scope && (p.Expires.IsZero() || at.Before(p.Expires))
}

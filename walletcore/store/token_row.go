package store

import "time"

// TokenRow is a token as stored.
type TokenRow struct {
	ID, Name, Hash string
	Made           int64 // UTC seconds
	Scope          string
}

// TokenProof is a token as it was when it authorized a payment. A payment whose token was revoked or changed since, or
// has expired by the store's clock, is refused in the commit that would write it.
type TokenProof struct {
	Row     TokenRow
	Expires time.Time // zero = never
	Refusal error
}

// Holds reports whether the token is unchanged and valid at the given time; there is nil if it is gone.
func (p *TokenProof) Holds(there *TokenRow, at time.Time) bool {
	return there != nil && there.Hash == p.Row.Hash && there.Scope == p.Row.Scope && (p.Expires.IsZero() || at.Before(p.Expires))
}

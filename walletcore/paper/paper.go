// Package paper remembers when a person proved that what is on their paper brings an account back. It keeps public keys and
// a date; what is on the paper it never sees.
package paper

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Store keeps the proofs.
type Store interface {
	Last(ctx context.Context, chain ledger.ChainID, account ledger.AccountID) (store.BackupCheck, bool, error)
	Put(ctx context.Context, kept store.BackupCheck) error
}

// Papers are those of a wallet. They may be used by many goroutines.
type Papers struct {
	Chain func() ledger.ChainID
	Store Store // nil: nothing is remembered
	Now   func() time.Time
}

// Check is when a backup was last proven; zero where it never was.
type Check struct {
	At   time.Time
	keys []ledger.PublicKey
}

// Covers reports whether the backup was proven to bring all of the keys back.
func (c Check) Covers(keys []ledger.PublicKey) bool {
	return !slices.ContainsFunc(keys, func(key ledger.PublicKey) bool { return !slices.Contains(c.keys, key) })
}

// Some reports whether any of the keys was there.
func (c Check) Some(keys []ledger.PublicKey) bool {
	return slices.ContainsFunc(keys, func(key ledger.PublicKey) bool { return slices.Contains(c.keys, key) })
}

// Keys are those that were proven.
func (c Check) Keys() []ledger.PublicKey { return c.keys }

// Of returns when the backup of an account was last proven. Error: fault.File.
func (p *Papers) Of(ctx context.Context, account ledger.AccountID) (Check, error) {
	if p == nil || p.Store == nil {
		return Check{}, nil
	}
	kept, _, err := p.Store.Last(ctx, p.Chain(), account)
	return Check{kept.At, kept.Keys}, fileFault(err)
}

// Note remembers that a backup was proven now to bring these keys of an account back. Error: fault.File.
func (p *Papers) Note(ctx context.Context, account ledger.AccountID, keys []ledger.PublicKey) error {
	if p == nil || p.Store == nil {
		return nil
	}
	return fileFault(p.Store.Put(ctx, store.BackupCheck{Chain: p.Chain(), Account: account, Keys: keys, At: p.Now()}))
}

func fileFault(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Error{Code: fault.File, Op: "backup", Message: "the date of the backup cannot be kept: " + err.Error(),
		Hint: fault.Advice(err, fault.MakeRoom) + "; the backup itself is as good as it was", Err: err}
}

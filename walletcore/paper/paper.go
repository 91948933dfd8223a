// Package paper remembers when a person proved that their paper backup restores an account. It keeps public keys and a
// date; it never sees what is on the paper.
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

// Papers are the paper backups of a wallet. They are safe for concurrent use.
type Papers struct {
	Chain func() ledger.ChainID
	Store Store // nil: nothing is remembered
	Now   func() time.Time
}

// Check is the latest proof of a backup; zero if it was never proven.
type Check struct {
	At   time.Time
	keys []ledger.PublicKey
}

// Covers reports whether the backup was proven to restore all of the keys.
func (c Check) Covers(keys []ledger.PublicKey) bool {
	return !slices.ContainsFunc(keys, func(key ledger.PublicKey) bool { return !slices.Contains(c.keys, key) })
}

// Some reports whether the backup was proven to restore any of the keys.
func (c Check) Some(keys []ledger.PublicKey) bool {
	return slices.ContainsFunc(keys, func(key ledger.PublicKey) bool { return slices.Contains(c.keys, key) })
}

// Keys returns the keys that were proven.
func (c Check) Keys() []ledger.PublicKey { return c.keys }

// Of returns when the backup of an account was last proven. Error: fault.File.
func (p *Papers) Of(ctx context.Context, account ledger.AccountID) (Check, error) {
	if p == nil || p.Store == nil {
		return Check{}, nil
	}
	kept, _, err := p.Store.Last(ctx, p.Chain(), account)
	return Check{kept.At, kept.Keys}, fileFault(err)
}

// Note records that a backup was proven now to restore these keys of an account. Error: fault.File.
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

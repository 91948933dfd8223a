package walletcore

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// viewPart is what is known of the ledger, as the other parts need it.
type viewPart struct{ *Wallet }

// Ref names an account; its id stands for a name that is not known.
func (v viewPart) Ref(id ledger.AccountID) ledgerview.AccountRef { return v.ref(id) }

// NamerOf makes known what records speak of.
func (v viewPart) NamerOf(ctx context.Context, m *ledgerview.Mentions) (*ledgerview.Namer, error) {
	refs, err := v.namesFor(ctx, m)
	if err != nil {
		return nil, err
	}
	return &ledgerview.Namer{Ref: v.ref, Assets: refs}, nil
}

// ForgetNames drops the names that the history index had.
func (v viewPart) ForgetNames() { v.names.forget() }

// AccountsByID reads accounts in one call.
func (v viewPart) AccountsByID(ctx context.Context, ids []ledger.AccountID) (map[ledger.AccountID]*ledger.Account, error) {
	return v.accountsByID(ctx, ids)
}

// CheckAccounts compares names and ids with what was said of them before.
func (v viewPart) CheckAccounts(ctx context.Context, refs ...ledgerview.AccountRef) error {
	return v.checkAccounts(ctx, refs...)
}

// CheckAssets is CheckAccounts for assets.
func (v viewPart) CheckAssets(ctx context.Context, refs ...ledgerview.AssetRef) error {
	return v.checkAssets(ctx, refs...)
}

// Position returns where the chain stood when last seen.
func (v viewPart) Position() (head uint32, at ledger.Time, irreversible uint32) {
	return v.chain.read()
}

// vaultPart is the wallet's keys, as the other parts need them.
type vaultPart struct{ *Wallet }

// OpenMemo reads a memo with whatever key of the wallet fits.
func (v vaultPart) OpenMemo(m *ledger.Memo) (string, vault.MemoState) {
	v.mu.RLock()
	store := v.store
	v.mu.RUnlock()
	return v.openMemo(store, m)
}

// KeysChain returns the chain that the keys belong to.
func (v vaultPart) KeysChain() ledger.ChainID { return v.keystoreChain() }

// paymentsPart is the payments, as the filter needs them.
type paymentsPart struct{ *Wallet }

// Places returns the transactions in blocks whose id begins with these digits.
func (p paymentsPart) Places(digits string) (out []historyindex.Spot) {
	for _, known := range p.Payments() {
		if known.Block != 0 && strings.HasPrefix(known.ID.String(), digits) {
			out = append(out, historyindex.Spot{Block: known.Block, Trx: known.TrxInBlock})
		}
	}
	return out
}

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
type viewPart struct{ *ledgerview.View }

// Ref names an account; its id stands for a name that is not known.
func (v viewPart) Ref(id ledger.AccountID) ledgerview.AccountRef { return v.Accounts.Ref(id) }

// NamerOf makes known what records speak of.
func (v viewPart) NamerOf(ctx context.Context, m *ledgerview.Mentions) (*ledgerview.Namer, error) {
	return v.Namer(ctx, m)
}

// ForgetNames drops the names that the history index had.
func (v viewPart) ForgetNames() { v.Accounts.ForgetNames() }

// Account finds an account by name or id.
func (v viewPart) Account(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	return v.Accounts.Get(ctx, nameOrID)
}

// Asset finds an asset by symbol or id.
func (v viewPart) Asset(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	return v.Assets.Get(ctx, symbolOrID)
}

// AccountsByID reads accounts in one call.
func (v viewPart) AccountsByID(ctx context.Context, ids []ledger.AccountID) (map[ledger.AccountID]*ledger.Account, error) {
	return v.Accounts.ByID(ctx, ids)
}

// CheckAccounts compares names and ids with what was said of them before.
func (v viewPart) CheckAccounts(ctx context.Context, refs ...ledgerview.AccountRef) error {
	return v.Pins.CheckAccounts(ctx, refs...)
}

// CheckAssets is CheckAccounts for assets.
func (v viewPart) CheckAssets(ctx context.Context, refs ...ledgerview.AssetRef) error {
	return v.Pins.CheckAssets(ctx, refs...)
}

// Position returns where the chain stood when last seen.
func (v viewPart) Position() (head uint32, at ledger.Time, irreversible uint32) {
	return v.Chain.Position()
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

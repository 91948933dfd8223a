package walletcore

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Accounts lists the accounts of this wallet, from disk: it works locked and
// without a daemon. What the keys may do for them is as of the latest look.
func (w *Wallet) Accounts() []vault.OwnAccount {
	listed := keyFile{w}.Listed()
	out := make([]vault.OwnAccount, 0, len(listed))
	for _, a := range listed {
		out = append(out, vault.OwnAccount{AccountRef: a, Ownership: w.ownership.get(a.ID)})
	}
	return out
}

// MyAccounts reads the wallet's own accounts from the ledger, ascending ids.
func (w *Wallet) MyAccounts(ctx context.Context) ([]json.RawMessage, error) {
	return w.View.Accounts.RawByID(ctx, w.accountIDs())
}

// keyFile is what the key file says of the ledger.
type keyFile struct{ w *Wallet }

// ChainID returns the chain that the wallet's keys belong to; zero while none is known.
func (k keyFile) ChainID() ledger.ChainID { return k.w.keystoreChain() }

// Listed returns the wallet's own accounts.
func (k keyFile) Listed() []ledgerview.AccountRef {
	k.w.mu.RLock()
	store := k.w.store
	k.w.mu.RUnlock()
	if store == nil {
		return nil
	}
	var out []ledgerview.AccountRef
	for _, a := range store.Public().Accounts {
		out = append(out, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
	}
	return out
}

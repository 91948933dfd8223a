package walletcore

import (
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

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

// Unlocked returns the keystore, or fault.Locked.
func (v vaultPart) Unlocked(op string) (*keystore.Store, error) { return v.unlocked(op) }

// Store returns the keystore; nil while the wallet is new.
func (v vaultPart) Store() *keystore.Store {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.store
}

// SigningChain returns the chain that is signed for: that of the keys, if the daemon is of it too. Keys
// that belong to no chain yet are bound to the daemon's first, for ever.
func (v vaultPart) SigningChain(store *keystore.Store) (ledger.ChainID, error) {
	own, daemons := store.ChainID(), v.daemon.Status().ChainID
	if own == (ledger.ChainID{}) && daemons != own {
		if err := store.Update(v.bindChain); err != nil {
			return own, fault.KeyFile("sign", err)
		}
		own = store.ChainID()
	}
	if own == daemons {
		return own, nil
	}
	if err := store.Public().CheckChain(daemons); err != nil {
		return own, &fault.Error{Code: fault.WrongChain, Op: "sign", Message: err.Error(), Err: err}
	}
	return own, nil
}

// EncryptMemo encrypts a memo with a key of the wallet.
func (v vaultPart) EncryptMemo(key ledger.PrivateKey, own, other ledger.PublicKey, text string) (ledger.Memo, error) {
	return v.secrets.encrypt(key, own, other, text)
}

// MarkRequest makes the mark by which a request in the same words is known again.
func (v vaultPart) MarkRequest(words []string, key ledger.PublicKey) (string, error) {
	return v.markRequest(words, key)
}

// IsMarked reports whether a request in these words left the mark.
func (v vaultPart) IsMarked(mark string, words []string) bool { return v.isMarked(mark, words) }

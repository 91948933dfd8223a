package vault

import (
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// SmallestKeys chooses the keys that sign, the smallest sufficient set of those in the wallet, and returns what they do
// not satisfy. Errors: fault.Locked, fault.WrongChain.
func (v *Vault) SmallestKeys(needs ledger.Needs, lookup ledger.AccountLookup, depth int) (
	keys []ledger.PublicKey, missing ledger.Needs, err error,
) {
	store, err := v.Unlocked("sign")
	if err != nil {
		return nil, ledger.Needs{}, err
	}
	err = store.View(func(s *keystore.Secrets) error { // all keys or none are there while they are counted
		have := func(k ledger.PublicKey) bool {
			_, held := s.Key(k)
			return held
		}
		keys, missing = ledger.SmallestKeys(needs, have, lookup, depth)
		return nil
	})
	if err != nil {
		return nil, ledger.Needs{}, fault.KeyFile("sign", err)
	}
	return keys, missing, nil
}

// Sign signs a transaction, complete with reference block and expiration, with keys; the signatures replace any it has.
// They differ from those of every other call: another wallet with the same keys may make the very same transaction, and
// only its signatures then tell whose of the two a block holds. Errors: fault.Locked, fault.WrongChain, fault.UnsupportedOperation.
func (v *Vault) Sign(tx *ledger.SignedTransaction, keys []ledger.PublicKey) error {
	store, err := v.Unlocked("sign")
	if err != nil {
		return err
	}
	chain, err := v.signingChain(store)
	if err != nil {
		return err
	}
	return signWith(store, chain, tx, keys, ledger.PrivateKey.SignFresh)
}

// Cosigner signs what others made, without a daemon.
type Cosigner struct{ *Vault }

// SignFor is Sign for a given chain, which must be that of the keys. Signing the same once more makes the same signatures:
// whoever sends it in the end, it is the one transaction that several agreed on. Errors: fault.Locked,
// fault.WrongChain, fault.UnsupportedOperation.
func (v Cosigner) SignFor(chain ledger.ChainID, tx *ledger.SignedTransaction, keys []ledger.PublicKey) error {
	store, err := v.Unlocked("sign")
	if err != nil {
		return err
	}
	if own := store.ChainID(); own != chain || own == (ledger.ChainID{}) {
		return &fault.Error{Code: fault.WrongChain, Op: "sign", Hint: "nothing was signed",
			Message: "the keys of this wallet belong to another chain than the transaction"}
	}
	return signWith(store, chain, tx, keys, ledger.PrivateKey.Sign)
}

// signWith sets the signatures of keys for a chain.
func signWith(
	store *keystore.Store, chain ledger.ChainID, tx *ledger.SignedTransaction, keys []ledger.PublicKey,
	sign func(ledger.PrivateKey, [32]byte) ledger.Signature,
) error {
	digest, err := tx.Digest(chain)
	if err != nil {
		return &fault.Error{Code: fault.UnsupportedOperation, Op: "sign", Message: err.Error(), Err: err}
	}
	tx.Signatures = make([]ledger.Signature, 0, len(keys))
	for _, pub := range keys {
		key, _ := store.Key(pub)
		sig := sign(key, digest)
		if sig == (ledger.Signature{}) { // locked in the middle: the key is wiped
			return fault.WalletLocked("sign")
		}
		tx.Signatures = append(tx.Signatures, sig)
	}
	return nil
}

// CheckChain refuses to sign for a chain other than that of the keys, which must be the daemon's too. Errors:
// fault.Locked, fault.WrongChain.
func (v *Vault) CheckChain() error {
	store, err := v.Unlocked("sign")
	if err == nil {
		_, err = v.signingChain(store)
	}
	return err
}

// signingChain returns the chain of the keys in store, which is the one signed for, if it is also the daemon's. Keys
// that belong to no chain yet are first bound to the daemon's, for ever.
func (v *Vault) signingChain(store *keystore.Store) (ledger.ChainID, error) {
	own, told := store.ChainID(), v.DaemonChain()
	if own == (ledger.ChainID{}) && told != own {
		if err := store.Update(v.bindChain); err != nil {
			return own, fault.KeyFile("sign", err)
		}
		own = store.ChainID()
	}
	if own == told {
		return own, nil
	}
	if err := (keystore.Public{ChainID: own}).CheckChain(told); err != nil {
		return own, &fault.Error{Code: fault.WrongChain, Op: "sign", Message: err.Error(), Err: err}
	}
	return own, nil
}

// SignStatement signs a text that is not a transaction with a key of the wallet. The text must start with words that say
// what it is, so that nothing the ledger accepts can be passed off as one. Errors: fault.Locked, fault.KeyNotInWallet.
func SignStatement(v *Vault, op string, key ledger.PublicKey, statement []byte) (sig ledger.Signature, err error) {
	store, err := v.Unlocked(op)
	if err != nil {
		return sig, err
	}
	held := false
	err = store.View(func(keys *keystore.Secrets) error {
		var private ledger.PrivateKey
		if private, held = keys.Key(key); held {
			sig = private.SignBuffer(statement)
		}
		return nil
	})
	switch {
	case err != nil:
		return sig, fault.KeyFile(op, err)
	case !held:
		return sig, &fault.Error{Code: fault.KeyNotInWallet, Op: op, Message: "the key " + key.String() + " is not in this wallet"}
	case sig == (ledger.Signature{}): // locked in the middle: the key is wiped
		return sig, fault.WalletLocked(op)
	}
	return sig, nil
}

// Package vault keeps the wallet's keys: the lock, what is encrypted for them, and what they may do.
package vault

import (
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// MemoState is what can be shown of a memo.
type MemoState int

// The memo states.
const (
	MemoNone    MemoState = iota // the operation carries none
	MemoOpen                     // encrypted, opened with a key of this wallet
	MemoPlain                    // anyone can read it
	MemoLocked                   // encrypted, the wallet is locked
	MemoForeign                  // encrypted, the key is not in this wallet
	MemoDamaged                  // checksum or padding does not match
)

// Lasting reports whether a memo reads the same as long as the wallet is not locked: no key imported later changes it.
func (s MemoState) Lasting() bool { return s == MemoNone || s == MemoOpen || s == MemoPlain }

// OpenMemo reads a memo with whichever key of the wallet fits: the recipient's first, as the reference does. Plain memos need no key.
func (v *Vault) OpenMemo(memo *ledger.Memo) (string, MemoState) {
	if memo == nil {
		return "", MemoNone
	}
	if text, plain, err := memo.Plain(); plain {
		if err != nil {
			return "", MemoDamaged
		}
		return text, MemoPlain
	}
	store := v.keys()
	if store == nil {
		return "", MemoLocked
	}
	text, state := "", MemoForeign
	if store.View(func(keys *keystore.Secrets) error { // the keys stay while it is read
		text, state = v.decryptWith(keys, memo)
		return nil
	}) != nil {
		return "", MemoLocked
	}
	return text, state
}

func (v *Vault) decryptWith(keys *keystore.Secrets, memo *ledger.Memo) (text string, state MemoState) {
	for _, pair := range []secretPair{{memo.To, memo.From}, {memo.From, memo.To}} {
		key, held := keys.Key(pair.own)
		if !held {
			continue
		}
		if v.secrets.use(key, pair, func(secret ledger.SharedSecret) (err error) {
			text, err = memo.DecryptWith(secret)
			return err
		}) != nil {
			return "", MemoDamaged
		}
		return text, MemoOpen
	}
	return "", MemoForeign
}

// EncryptMemo encrypts text from own, whose private key the wallet must hold, to other. Errors: fault.Locked,
// fault.KeyNotInWallet, and fault.BadPublicKey if other is not a valid key.
func (v *Vault) EncryptMemo(op string, own, other ledger.PublicKey, text string) (memo ledger.Memo, err error) {
	store, err := v.Unlocked(op)
	if err != nil {
		return ledger.Memo{}, err
	}
	err = store.View(func(keys *keystore.Secrets) (err error) { // the key stays while it is used
		key, held := keys.Key(own)
		if !held {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: op, Message: "the key " + own.String() + " is not in this wallet"}
		}
		if memo, err = v.secrets.encrypt(key, own, other, text); err != nil {
			return &fault.Error{Code: fault.BadPublicKey, Op: op,
				Message: "the recipient's memo key cannot be used: " + err.Error(), Hint: "send without a memo"}
		}
		return nil
	})
	if err != nil {
		return ledger.Memo{}, fault.Own(op, err)
	}
	return memo, nil
}

// EncryptForSelf encrypts text with the first key of the wallet, so that OpenMemo can read it again. Errors:
// fault.Locked, fault.KeyNotInWallet.
func (v *Vault) EncryptForSelf(op, text string) (memo ledger.Memo, err error) {
	store, err := v.Unlocked(op)
	if err != nil {
		return ledger.Memo{}, err
	}
	err = store.View(func(keys *keystore.Secrets) error {
		own := keys.PublicKeys()
		if len(own) == 0 {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: op,
				Message: "what only this wallet can read is encrypted with one of its keys, and it has none yet",
				Hint:    "import a key first"}
		}
		key, _ := keys.Key(own[0])
		memo, err = v.secrets.encrypt(key, own[0], own[0], text)
		return err
	})
	if err != nil {
		return ledger.Memo{}, fault.Own(op, err)
	}
	return memo, nil
}

// Package seal makes text that only this wallet reads, as the store keeps it: a memo to the
// wallet's own first key.
package seal

import (
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// Keys encrypt and decrypt with the keys of the wallet.
type Keys interface {
	EncryptForSelf(op, text string) (ledger.Memo, error)
	OpenMemo(memo *ledger.Memo) (string, vault.MemoState)
}

// Close encrypts text for op. Errors: fault.Locked, fault.KeyNotInWallet where the wallet has no key at all.
func Close(keys Keys, op, text string) (string, error) {
	memo, err := keys.EncryptForSelf(op, text)
	if err != nil {
		return "", err
	}
	sealed, err := codec.Marshal(memo)
	if err != nil {
		return "", &fault.Error{Code: fault.Internal, Op: op, Message: err.Error(), Err: err}
	}
	return string(sealed), nil
}

// Open decrypts what Close made; the state says why there is no text.
func Open(keys Keys, sealed string) (string, vault.MemoState) {
	var memo ledger.Memo
	if err := codec.Unmarshal([]byte(sealed), &memo); err != nil {
		return "", vault.MemoDamaged
	}
	return keys.OpenMemo(&memo)
}

// Package seal encrypts text so that only this wallet can read it, as the store keeps it: as a memo to the wallet's own
// first key.
package seal

import (
	"errors"
	"fmt"
	"unicode/utf8"

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

// Close encrypts text for op. Errors: fault.Locked, fault.KeyNotInWallet if the wallet has no key at all.
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

// Open decrypts what Close returned; the state says why there is no text.
func Open(keys Keys, sealed string) (string, vault.MemoState) {
	var memo ledger.Memo
	if err := codec.Unmarshal([]byte(sealed), &memo); err != nil {
		return "", vault.MemoDamaged
	}
	return keys.OpenMemo(&memo)
}

// CloseShort is Close for a text of at most most characters; noun names it in errors. Errors: fault.BadValue, those of Close.
func CloseShort(keys Keys, op, noun, text string, most int) (string, error) {
	if n := utf8.RuneCountInString(text); n > most {
		return "", &fault.Error{Code: fault.BadValue, Op: op, Message: fmt.Sprintf("the %s has %d characters", noun, n),
			Hint: fmt.Sprintf("write at most %d", most)}
	}
	return Close(keys, op, text)
}

// ErrNoStore means that the wallet keeps nothing because it was opened without a store.
var ErrNoStore = errors.New("this wallet was opened without one")

// FileFault returns the error for the store of op's texts; unchanged says what stays as it was.
func FileFault(op, unchanged string, err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: op, Message: "the file of " + op + " cannot be used: " + err.Error(),
		Hint: fault.Advice(err, fault.MakeRoom) + "; " + unchanged, Err: err}
}

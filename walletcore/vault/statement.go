package vault

import (
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

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

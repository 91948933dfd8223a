package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// markPurpose keeps marks apart from whatever else is made with a private key.
const markPurpose = "billfold request mark\x00"

// MarkRequest makes the mark by which a request in the same words is known again
// without a daemon: the public key that helped to make it and an HMAC-SHA256 of the
// words under the private one. The words hold the memo; without that key nobody
// who reads the journal can try memos on the mark.
func (v *Vault) MarkRequest(words []string, public ledger.PublicKey) (string, error) {
	text, err := json.Marshal(words)
	if err != nil {
		return "", fault.Own("transfer", err)
	}
	defer clear(text)
	store, err := v.Unlocked("transfer")
	if err != nil {
		return "", err
	}
	var sum []byte
	err = store.View(func(keys *keystore.Secrets) error {
		key, held := keys.Key(public)
		if !held {
			return &fault.Error{
				Code:    fault.KeyNotInWallet,
				Op:      "transfer",
				Message: "the key that marked the request is not in this wallet",
			}
		}
		secret := key.Secret()
		defer clear(secret[:])
		seed := append([]byte(markPurpose), secret[:]...)
		defer clear(seed)
		own := sha256.Sum256(seed)
		defer clear(own[:])
		mac := hmac.New(sha256.New, own[:])
		mac.Write(text)
		sum = mac.Sum(nil)
		return nil
	})
	if err != nil {
		return "", fault.Own("transfer", err)
	}
	return public.String() + " " + hex.EncodeToString(sum), nil
}

// IsMarked reports whether a request in these words left the mark. False when that
// cannot be told: there is no mark, or its key was removed.
func (v *Vault) IsMarked(mark string, words []string) bool {
	name, _, _ := strings.Cut(mark, " ")
	public, err := ledger.ParsePublicKey(name)
	if err != nil {
		return false
	}
	again, err := v.MarkRequest(words, public)
	return err == nil && hmac.Equal([]byte(again), []byte(mark))
}

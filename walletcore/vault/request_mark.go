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

// markPurpose keeps marks distinct from anything else that is made with a private key.
const markPurpose = "billfold request mark\x00"

// MarkRequest returns the mark by which a request in the same words is recognized without a daemon: a public key, and an
// HMAC-SHA256 of the words under a key derived from its private key. The words include the memo; without the private
// key, nobody who reads the journal can test guesses of the memo against the mark.
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
		var secret [32]byte
		key.PutSecret(&secret)
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

// IsMarked reports whether a request in these words has this mark. It reports false if that cannot be told, because
// there is no mark or its key was removed.
func (v *Vault) IsMarked(mark string, words []string) bool {
	name, _, _ := strings.Cut(mark, " ")
	public, err := ledger.ParsePublicKey(name)
	if err != nil {
		return false
	}
	again, err := v.MarkRequest(words, public)
	return err == nil && hmac.Equal([]byte(again), []byte(mark))
}

package vault

import (
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// BrainKeyInfo is a brain key with the owner key it gives.
type BrainKeyInfo struct {
	BrainKey  string           `json:"brain_priv_key"`
	WIF       string           `json:"wif_priv_key"`
	PublicKey ledger.PublicKey `json:"pub_key"`
}

// SuggestBrainKey makes a new random brain key; nothing is stored.
func SuggestBrainKey() (BrainKeyInfo, error) {
	words, err := ledger.SuggestBrainKey()
	if err != nil {
		return BrainKeyInfo{}, &fault.Error{
			Code:    fault.Internal,
			Op:      "suggest_brain_key",
			Message: "the system provides no random numbers",
			Err:     err,
		}
	}
	return BrainKeyInfoOf(words), nil
}

// BrainKeyInfoOf normalises a brain key and derives its owner key.
func BrainKeyInfoOf(brainKey string) BrainKeyInfo {
	words := ledger.NormalizeBrainKey(brainKey)
	key := ledger.DeriveKey(words, 0)
	return BrainKeyInfo{words, key.WIF(), key.Public()}
}

// PublicKeyOf returns the public key of a WIF. Error: fault.BadWIF.
func PublicKeyOf(wif string) (ledger.PublicKey, error) {
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return ledger.PublicKey{}, &fault.Error{
			Code:    fault.BadWIF,
			Op:      "get_public_key",
			Message: "that is not a private key in WIF form",
			Hint:    "it begins with 5, K or L and has 51 or 52 characters",
		}
	}
	defer key.Wipe()
	return key.Public(), nil
}

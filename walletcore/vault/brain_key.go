package vault

import (
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// BrainKeyInfo is a brain key with the owner key derived from it.
type BrainKeyInfo struct {
	BrainKey  string           `json:"brain_priv_key"`
	WIF       string           `json:"wif_priv_key"`
	PublicKey ledger.PublicKey `json:"pub_key"`
}

// SuggestBrainKey returns a new random brain key; nothing is stored.
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

// BrainKeyInfoOf normalizes a brain key and derives its owner key.
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
			Hint:    err.Error(),
		}
	}
	defer key.Wipe()
	return key.Public(), nil
}

// UnknownWords names, by their positions, the words of a phrase that are not in the lists that phrases are made from; it
// returns "" if all are. A phrase may have other words: the reference accepts any. Neither the words nor similar ones
// are shown, because they are secret.
func UnknownWords(phrase string) string {
	if key, err := ledger.ParseWIF(phrase); err == nil {
		key.Wipe()
		return "that is a private key, not a phrase: go back and choose the private key"
	}
	var said []string
	words := ledger.BrainKeyWords(phrase)
	for i, word := range words {
		if ledger.IsBrainKeyWord(word) {
			continue
		}
		said = append(said, strconv.Itoa(i+1))
	}
	if len(said) == len(words) || len(said) > maxUnknown && len(said) > len(words)/2 {
		return "most of these words are not in the lists that phrases of this ledger are made of"
	}
	switch len(said) {
	case 0:
		return ""
	case 1:
		return "word " + said[0] + " is not in the list"
	}
	return "words " + strings.Join(said, ", ") + " are not in the list"
}

// maxUnknown is the number of unknown words that are named even if they are more than half.
const maxUnknown = 2

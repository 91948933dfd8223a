package vault

import (
	"billfold/content/share"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// ElGamalKeys is an El Gamal pair as decimal text. The caller wipes it.
type ElGamalKeys struct {
	Private ledger.KeyText `json:"private_key"`
	Public  string         `json:"public_key"`
}

// Wipe overwrites the private number.
func (k ElGamalKeys) Wipe() { k.Private.Wipe() }

// BrainKeyElGamal is a brain key with the El Gamal pair of its owner key.
type BrainKeyElGamal struct {
	_        struct{}     `fc:"pair"`
	BrainKey BrainKeyInfo `json:"brain_key"`
	Keys     ElGamalKeys  `json:"el_gamal"`
}

// Wipe overwrites the private number.
func (b BrainKeyElGamal) Wipe() { b.Keys.Wipe() }

func elGamalOf(key ledger.PrivateKey) ElGamalKeys {
	pair := key.ElGamal()
	defer pair.Wipe()
	return ElGamalKeys{Private: ledger.BigKeyText(pair.Private), Public: ledger.BigText(pair.Public)}
}

// RandomElGamalKeys returns the pair of a random key; nothing is stored.
func RandomElGamalKeys() (ElGamalKeys, error) {
	words, err := ledger.SuggestBrainKey()
	if err != nil {
		return ElGamalKeys{}, noRandom("generate_el_gamal_keys", err)
	}
	key := ledger.DeriveKey(words, 0)
	defer key.Wipe()
	return elGamalOf(key), nil
}

// SuggestBrainKeyElGamal returns a new random brain key with its El Gamal pair; nothing is stored.
func SuggestBrainKeyElGamal() (BrainKeyElGamal, error) {
	info, err := SuggestBrainKey()
	if err != nil {
		return BrainKeyElGamal{}, err
	}
	key := ledger.DeriveKey(info.BrainKey, 0)
	defer key.Wipe()
	return BrainKeyElGamal{BrainKey: info, Keys: elGamalOf(key)}, nil
}

// RandomContentKey returns a key to encrypt content with, as a number followed by a dot; nothing is stored. The caller wipes it.
func RandomContentKey() (ledger.KeyText, error) {
	key, err := share.NewKey()
	if err != nil {
		return nil, noRandom("generate_encryption_key", err)
	}
	defer key.Wipe()
	return key.Text(), nil
}

func noRandom(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.Internal, Op: op, Message: "the system provides no random numbers", Err: err}
}

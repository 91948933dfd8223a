package vault

import (
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// KeyPair is a public key with its private key as text.
type KeyPair struct {
	_      struct{}         `fc:"pair"`
	Public ledger.PublicKey `json:"public"`
	WIF    ledger.KeyText   `json:"wif"`
}

// ElGamalPair is an El Gamal pair as decimal text, public number first.
type ElGamalPair struct {
	_       struct{}       `fc:"pair"`
	Public  string         `json:"public"`
	Private ledger.KeyText `json:"private"`
}

// KeyDump is everything the keystore holds, in clear text. The caller wipes it.
type KeyDump struct {
	ECKeys      []KeyPair     `json:"ec_keys"`
	ElGamalKeys []ElGamalPair `json:"el_gamal_keys"`
}

// Wipe overwrites the private keys.
func (d KeyDump) Wipe() {
	for _, pair := range d.ECKeys {
		pair.WIF.Wipe()
	}
	for _, pair := range d.ElGamalKeys {
		pair.Private.Wipe()
	}
}

// PrivateKeyOf returns the WIF of a key in this wallet; the caller wipes it. Errors: fault.Locked, fault.KeyNotInWallet.
func (v *Vault) PrivateKeyOf(pub ledger.PublicKey) (ledger.KeyText, error) {
	store, err := v.Unlocked("get_private_key")
	if err != nil {
		return nil, err
	}
	var wif ledger.KeyText
	err = store.View(func(keys *keystore.Secrets) error {
		key, ok := keys.Key(pub)
		if !ok {
			return &fault.Error{
				Code:    fault.KeyNotInWallet,
				Op:      "get_private_key",
				Message: "the private key of " + pub.String() + " is not in this wallet",
				Hint:    "list_my_accounts shows whose keys are",
			}
		}
		wif = key.KeyText()
		return nil
	})
	if err != nil {
		return nil, fault.Own("get_private_key", err)
	}
	return wif, nil
}

// DumpPrivateKeys returns every key in clear text. Error: fault.Locked.
func (v *Vault) DumpPrivateKeys() (KeyDump, error) {
	store, err := v.Unlocked("dump_private_keys")
	if err != nil {
		return KeyDump{}, err
	}
	dump := KeyDump{ECKeys: []KeyPair{}, ElGamalKeys: []ElGamalPair{}}
	err = store.View(func(s *keystore.Secrets) error {
		for _, pub := range s.PublicKeys() {
			if key, ok := s.Key(pub); ok {
				dump.ECKeys = append(dump.ECKeys, KeyPair{Public: pub, WIF: key.KeyText()})
			}
		}
		for _, pair := range s.ElGamalKeys() {
			dump.ElGamalKeys = append(
				dump.ElGamalKeys,
				ElGamalPair{Public: ledger.BigText(pair.Public), Private: ledger.BigKeyText(pair.Private)},
			)
			pair.Wipe()
		}
		return nil
	})
	if err != nil {
		return KeyDump{}, fault.KeyFile("dump_private_keys", err)
	}
	return dump, nil
}

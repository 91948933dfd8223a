package vault

import (
	"errors"
	"slices"

	"billfold/content/share"
	"billfold/keystore"
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

// ElGamalNumbers is an El Gamal pair in the form of the ledger's operations. The caller wipes it.
type ElGamalNumbers struct {
	Private secretNumber      `json:"private_key"`
	Public  ledger.BigInteger `json:"public_key"`
}

// secretNumber is ledger.BigInteger for a private number.
type secretNumber struct {
	S ledger.KeyText `json:"s"`
}

// Wipe overwrites the private number.
func (n ElGamalNumbers) Wipe() { n.Private.S.Wipe() }

// ElGamalOf returns the pair of a key of v. Errors: fault.Locked, fault.KeyNotInWallet.
func ElGamalOf(v *Vault, op string, public ledger.PublicKey) (numbers ElGamalNumbers, err error) {
	err = v.withElGamal(op, public, func(pair ledger.ElGamalKey) {
		numbers.Private.S, numbers.Public.S = ledger.BigKeyText(pair.Private), ledger.BigText(pair.Public)
	})
	return numbers, err
}

// ElGamalPublic returns the public number of a key of the wallet. Errors: fault.Locked, fault.KeyNotInWallet.
func (v *Vault) ElGamalPublic(op string, public ledger.PublicKey) (number ledger.BigInteger, err error) {
	err = v.withElGamal(op, public, func(pair ledger.ElGamalKey) { number.S = ledger.BigText(pair.Public) })
	return number, err
}

// withElGamal calls use with the pair of a key of the wallet, and wipes the pair afterwards.
func (v *Vault) withElGamal(op string, public ledger.PublicKey, use func(pair ledger.ElGamalKey)) error {
	store, err := v.Unlocked(op)
	if err != nil {
		return err
	}
	err = store.View(func(keys *keystore.Secrets) error {
		key, held := keys.Key(public)
		if !held {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: op, Message: "the key " + public.String() + " is not in this wallet",
				Hint: "import it first"}
		}
		pair := key.ElGamal()
		defer pair.Wipe()
		use(pair)
		return nil
	})
	if err != nil {
		return fault.Own(op, err)
	}
	return nil
}

// RestoreContentKey restores a content key with the keys of v, from the parts that were encrypted for reader's public
// number, quorum of which are needed. It is a number followed by a dot; the caller wipes it. Errors: fault.Locked,
// fault.KeyNotInWallet, fault.KeyParts.
func RestoreContentKey(v *Vault, op string, reader ledger.BigInteger, parts []ledger.Ciphertext,
	quorum uint32) (text ledger.KeyText, err error) {
	if quorum == 0 {
		return nil, &fault.Error{Code: fault.KeyParts, Op: op, Message: "no seeder has parts of the key of this content", Hint: "its author hands the key out"}
	}
	store, err := v.Unlocked(op)
	if err != nil {
		return nil, err
	}
	err = store.View(func(keys *keystore.Secrets) error {
		pairs := keys.ElGamalKeys()
		defer func() {
			for _, pair := range pairs {
				pair.Wipe()
			}
		}()
		i := slices.IndexFunc(pairs, func(pair ledger.ElGamalKey) bool { return ledger.BigText(pair.Public) == reader.S })
		if i < 0 {
			return &fault.Error{Code: fault.KeyNotInWallet, Op: op,
				Message: "the key that this content was bought with is not in this wallet",
				Hint:    "import the active key that the buyer had then"}
		}
		key, err := share.ContentKey(pairs[i], parts, quorum)
		if err != nil {
			return noContentKey(op, err)
		}
		text = key.Text()
		key.Wipe()
		return nil
	})
	if err != nil {
		return nil, fault.Own(op, err)
	}
	return text, nil
}

func noContentKey(op string, err error) *fault.Error {
	e := &fault.Error{Code: fault.KeyParts, Op: op, Message: err.Error(), Err: err,
		Hint: "get_download_status shows how many parts there are; seeders deliver within a day"}
	if errors.Is(err, share.ErrDamaged) {
		e.Hint = "ask another daemon, or the author"
	}
	return e
}

package vault

import (
	"slices"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// KeyMaker derives keys of the wallet for what is not on the ledger yet, and stores them until it is.
type KeyMaker struct{ vault *Vault }

// NewKeyMaker returns a KeyMaker that stores keys in v.
func NewKeyMaker(v *Vault) *KeyMaker { return &KeyMaker{v} }

// NewAccount is the public keys of an account made from a brain key.
type NewAccount struct {
	Owner, Active, Memo ledger.PublicKey

	active, memo int // numbers under which they are derived
}

// DeriveAccount derives the keys of an account from a brain key, as the reference does; nothing is stored. For an
// account that exists already, made, they are those that it has. Error: fault.Locked.
func (m *KeyMaker) DeriveAccount(op, brainKey string, made *ledger.Account) (NewAccount, error) {
	store, err := m.vault.Unlocked(op)
	if err != nil {
		return NewAccount{}, err
	}
	owner := ledger.DeriveKey(ledger.NormalizeBrainKey(brainKey), 0)
	defer owner.Wipe()
	is := NewAccount{Owner: owner.Public()}
	if made != nil {
		for i, key := range derivedFor(made, owner) {
			if i == 0 {
				is.Active = key.Public()
			}
			is.Memo = key.Public()
			key.Wipe()
		}
		return is, nil
	}
	is.active = firstUnused(store, owner)
	active := owner.Derive(is.active)
	defer active.Wipe()
	is.memo = firstUnused(store, active)
	memo := active.Derive(is.memo)
	defer memo.Wipe()
	is.Active, is.Memo = active.Public(), memo.Public()
	return is, nil
}

// KeepAccount stores the active and the memo key of an account that is about to be registered; the importer takes them over once
// the ledger has it. They are on disk when KeepAccount returns. The owner key is not stored. Errors: fault.Locked, fault.File.
func (m *KeyMaker) KeepAccount(op, name, brainKey string, is NewAccount) error {
	owner := ledger.DeriveKey(ledger.NormalizeBrainKey(brainKey), 0)
	defer owner.Wipe()
	active := owner.Derive(is.active)
	defer active.Wipe()
	memo := active.Derive(is.memo)
	defer memo.Wipe()
	return updateKeys(m.vault, op, func(c *keystore.Contents) error {
		keys := c.Secrets
		for _, key := range []ledger.PrivateKey{active, memo} {
			if isWaiting(keys.PendingAccounts(), name, key.Public()) {
				continue
			}
			if err := keys.AddPendingAccount(name, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// SigningKey is a key for a miner to sign blocks with.
type SigningKey struct {
	Public ledger.PublicKey

	parent ledger.PublicKey
	number int // number under which it is derived
}

// DeriveSigningKey derives a key for a miner from a key of the wallet, as the reference does; nothing is stored. Errors:
// fault.Locked, fault.KeyNotInWallet.
func (m *KeyMaker) DeriveSigningKey(op string, parent ledger.PublicKey) (SigningKey, error) {
	store, err := m.vault.Unlocked(op)
	if err != nil {
		return SigningKey{}, err
	}
	key, held := store.Key(parent)
	if !held {
		return SigningKey{}, notHeld(op, parent)
	}
	is := SigningKey{parent: parent, number: firstUnused(store, key)}
	derived := key.Derive(is.number)
	defer derived.Wipe()
	is.Public = derived.Public()
	return is, nil
}

// KeepSigningKey stores the key of a miner that is about to be created, under its account's name. It is on disk when
// KeepSigningKey returns. Errors: fault.Locked, fault.KeyNotInWallet, fault.File.
func (m *KeyMaker) KeepSigningKey(op, account string, is SigningKey) error {
	return updateKeys(m.vault, op, func(c *keystore.Contents) error {
		keys := c.Secrets
		parent, held := keys.Key(is.parent)
		if !held {
			return notHeld(op, is.parent)
		}
		key := parent.Derive(is.number)
		defer key.Wipe()
		if isWaiting(keys.PendingMiners(), account, key.Public()) {
			return nil
		}
		return keys.SetPendingMiner(account, key)
	})
}

func notHeld(op string, key ledger.PublicKey) *fault.Error {
	return &fault.Error{Code: fault.KeyNotInWallet, Op: op, Message: "the key " + key.String() + " is not in this wallet",
		Hint: "import it first"}
}

// updateKeys changes the key file and binds it to its chain.
func updateKeys(v *Vault, op string, change func(*keystore.Contents) error) error {
	store, err := v.Unlocked(op)
	if err != nil {
		return err
	}
	err = store.Update(func(c *keystore.Contents) error {
		if err := change(c); err != nil {
			return err
		}
		return v.bindChain(c)
	})
	if err != nil {
		return fault.KeyFile(op, err)
	}
	return nil
}

// isWaiting reports whether a key is stored under a name.
func isWaiting(list []keystore.Pending, name string, key ledger.PublicKey) bool {
	return slices.ContainsFunc(list, func(p keystore.Pending) bool {
		return p.Name == name && slices.ContainsFunc(p.Keys, func(k ledger.PrivateKey) bool { return k.Public() == key })
	})
}

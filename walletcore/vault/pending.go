package vault

import (
	"context"
	"slices"
	"strings"

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
	return m.vault.updateKeys(op, func(c *keystore.Contents) error {
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
	return m.vault.updateKeys(op, func(c *keystore.Contents) error {
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
func (v *Vault) updateKeys(op string, change func(*keystore.Contents) error) error {
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

// Waiting is an account that others were asked to register with keys of this wallet; the name may be left to them.
type Waiting struct {
	Name string
	NewAccount
	Others []OtherKeys // on the ledger with that name or one of the keys, but not registered as asked
}

// Waiting returns the accounts that others were asked to register and that are not known to be on the ledger. It needs
// an unlocked wallet, because what the file of a locked one says is not authenticated. Error: fault.Locked.
func (m *Importer) Waiting() (out []Waiting, err error) {
	if _, err := m.vault.Unlocked("register"); err != nil {
		return nil, err
	}
	for _, r := range m.vault.registrations() {
		out = append(out, Waiting{r.Name, NewAccount{Owner: r.Owner, Active: r.Active, Memo: r.Memo}, m.otherKeys.of(r.Owner)})
	}
	return out, nil
}

// findRegistered finds the account that others registered as asked, under whatever name; nil if there is none. In that
// case it also returns the accounts with that name or with some of the keys.
func (m *Importer) findRegistered(ctx context.Context, asked keystore.Registration) (*ledger.Account, []OtherKeys, error) {
	candidates, err := m.candidates(ctx, asked)
	if err != nil {
		return nil, nil, err
	}
	var others []OtherKeys
	for _, acc := range candidates {
		found := compareKeys(acc, asked)
		if found.None() {
			return acc, nil, nil
		}
		others = append(others, found)
	}
	return nil, others, nil
}

// candidates returns the account with the name that was asked for, and those with one of the keys.
func (m *Importer) candidates(ctx context.Context, asked keystore.Registration) (out []*ledger.Account, err error) {
	wanted := []string{asked.Name}
	for _, key := range []ledger.PublicKey{asked.Owner, asked.Active, asked.Memo} {
		uses, err := m.ledger.OfKey(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, use := range uses {
			wanted = append(wanted, use.ID.String())
		}
	}
	seen := map[ledger.AccountID]bool{}
	for _, nameOrID := range wanted {
		if nameOrID == "" {
			continue
		}
		switch acc, err := m.ledger.Get(ctx, nameOrID); {
		case fault.CodeOf(err) == fault.NoSuchAccount:
		case err != nil:
			return nil, err
		case !seen[acc.ID]:
			seen[acc.ID] = true
			out = append(out, acc)
		}
	}
	return out, nil
}

// Warning names the accounts that others registered with other keys than they were asked to; "" if there are none, or
// none was found since the wallet was opened.
func (m *Importer) Warning() string {
	var said []string
	for _, r := range m.vault.registrations() {
		for _, other := range m.otherKeys.of(r.Owner) {
			said = append(said, other.String())
		}
	}
	return strings.Join(said, ". ")
}

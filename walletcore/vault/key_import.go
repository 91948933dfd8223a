package vault

import (
	"context"
	"strings"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// KeyImport is a private key to be stored.
type KeyImport struct {
	WIF     string
	Account string // name or id of the only account it is for; "" = every account that names it
	Anyway  bool   // store it even if no account, or not this one, names it
}

// ImportedKey holds what was stored.
type ImportedKey struct {
	Key      ledger.PublicKey
	Accounts []ledgerview.KeyUse // put on the wallet's list
	Partly   []ledgerview.KeyUse // of a phrase: accounts that have some of its keys but another owner key; not put on the list
	All      []ledger.PublicKey  // of a phrase: its keys that the accounts name, and those derived from them
}

// CheckKeyImport finds what ImportAccountKey would store, and stores nothing; it works before there is a wallet. Errors:
// those of ImportAccountKey except for the lock and the file.
func (m *Importer) CheckKeyImport(ctx context.Context, in KeyImport) (ImportedKey, error) {
	key, err := ledger.ParseWIF(in.WIF)
	if err != nil {
		return ImportedKey{}, badKey("import", err)
	}
	defer key.Wipe()
	got := ImportedKey{Key: key.Public()}
	got.Accounts, err = m.usesFor(ctx, in, got.Key)
	return got, err
}

// ImportAccountKey stores a private key for the accounts that name it and puts them on the list; for an owner key it
// also stores the keys derived from it that the account names. It is on disk when ImportAccountKey returns. A key that
// acts for nobody is refused unless Anyway is set; then no account is listed for it, and no daemon is needed. Errors:
// fault.Locked, fault.BadKey, fault.NoSuchAccount, fault.KeyUnused, fault.File and the daemon's.
func (m *Importer) ImportAccountKey(ctx context.Context, in KeyImport) (ImportedKey, error) {
	const op = "import"
	store, err := m.vault.Unlocked(op)
	if err != nil {
		return ImportedKey{}, err
	}
	key, err := ledger.ParseWIF(in.WIF)
	if err != nil {
		return ImportedKey{}, badKey(op, err)
	}
	defer key.Wipe()
	got := ImportedKey{Key: key.Public()}
	if got.Accounts, err = m.usesFor(ctx, in, got.Key); err != nil {
		return ImportedKey{}, err
	}
	if err := m.storeUses(ctx, store, key, got.Accounts); err != nil {
		return ImportedKey{}, err
	}
	m.judgeNow(ctx, got.Accounts)
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return got, nil
}

// usesFor finds the accounts that in is for. Error: fault.KeyUnused if there are none and Anyway is not set.
func (m *Importer) usesFor(ctx context.Context, in KeyImport, key ledger.PublicKey) ([]ledgerview.KeyUse, error) {
	var named *ledger.Account
	if in.Account != "" {
		var err error
		if named, err = m.ledger.Get(ctx, in.Account); err != nil {
			return nil, err
		}
		if ledgerview.KeyUseOf(named, key).IsUsed() {
			return []ledgerview.KeyUse{ledgerview.KeyUseOf(named, key)}, nil
		}
	}
	uses, err := m.ledger.OfKey(ctx, key)
	switch {
	case in.Anyway && in.Account == "" && fault.CodeOf(err) == fault.DaemonAway: // its accounts can be found later
		return nil, nil
	case err != nil:
		return nil, err
	case in.Account == "" && len(uses) > 0:
		return uses, nil
	case in.Anyway:
		return nil, nil
	}
	return nil, keyUnused(named, uses)
}

// keyUnused returns the error for a key that does nothing for its account.
func keyUnused(named *ledger.Account, uses []ledgerview.KeyUse) *fault.Error {
	e := &fault.Error{Code: fault.KeyUnused, Op: "import", Message: "no account on this ledger names this key, so it can sign for nobody",
		Hint: "nothing was kept; check the key and the ledger, or confirm that it is to be kept anyway"}
	if named == nil {
		return e
	}
	e.Message = "this is not one of the keys of " + named.Name + " " + named.ID.String()
	if len(uses) > 0 {
		var names []string
		for _, u := range uses {
			names = append(names, u.Name+" "+u.ID.String())
		}
		e.Message += "; it belongs to " + strings.Join(names, ", ")
		e.Hint = "nothing was kept; import it for that account"
	}
	return e
}

// storeUses writes the key for each account, or for none.
func (m *Importer) storeUses(ctx context.Context, store *keystore.Store, key ledger.PrivateKey, uses []ledgerview.KeyUse) error {
	derived := map[ledger.AccountID][]ledger.PrivateKey{}
	for _, u := range uses {
		if !u.Owner {
			continue
		}
		acc, err := m.ledger.Get(ctx, u.ID.String())
		if err != nil {
			return err
		}
		derived[u.ID] = derivedFor(acc, key)
	}
	err := store.Update(func(c *keystore.Contents) error {
		if _, err := c.Secrets.AddKey(key); err != nil {
			return err
		}
		if len(uses) > 0 {
			c.RemoveWaiting(func(asked keystore.Registration) bool { return asked.Owner == key.Public() })
		}
		for _, u := range uses {
			c.AddAccount(u.ID, u.Name)
			for _, k := range append([]ledger.PrivateKey{key}, derived[u.ID]...) {
				if err := c.AddKey(u.ID, k); err != nil {
					return err
				}
			}
		}
		return m.vault.bindChain(c)
	})
	for _, keys := range derived {
		for _, k := range keys {
			k.Wipe()
		}
	}
	if err != nil {
		return fault.KeyFile("import", err)
	}
	return nil
}

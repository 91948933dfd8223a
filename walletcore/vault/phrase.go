package vault

import (
	"cmp"
	"context"
	"slices"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"

	"golang.org/x/sync/errgroup"
)

// maxPhraseKeys is the number of keys of a recovery phrase that are looked for on the ledger.
const maxPhraseKeys = 20

// maxWrittenKeys is the number of keys that are looked for of each other form of a phrase: other programs take the numbers 0, 1 and 2 for
// owner, active and memo.
const maxWrittenKeys = 3

// maxPhraseAccounts is the number of active keys derived from the first key that are looked for, each with its memo key.
const maxPhraseAccounts = 3

// CheckNewName returns an error unless an account may be registered under the name: fault.BadValue if the name is
// invalid or taken, or the daemon's.
func (m *Importer) CheckNewName(ctx context.Context, name string) error {
	if err := ledger.ValidAccountName(name); err != nil {
		return &fault.Error{Code: fault.BadValue, Op: "create", Message: fault.Quote(name) + " is not a name: " + err.Error(),
			Hint: "choose another", Err: err}
	}
	switch taken, err := m.ledger.Get(ctx, name); {
	case fault.CodeOf(err) == fault.NoSuchAccount:
		return nil
	case err != nil:
		return err
	default:
		return &fault.Error{Code: fault.BadValue, Op: "create", Message: "the name " + name + " is taken, it is account " + taken.ID.String(),
			Hint: "choose another name"}
	}
}

// CreateFromPhrase creates the keystore with the active and the memo key of a recovery phrase, and leaves it unlocked.
// The keys wait for the account of the given name, which others register; with an empty name they are stored without an
// account. The owner key is the phrase itself and is not stored; the public keys are stored for Waiting. Everything is
// on disk when CreateFromPhrase returns, or nothing. Error: fault.File.
func (m *Importer) CreateFromPhrase(_ context.Context, password, phrase, name string) (NewAccount, error) {
	owner := ledger.DeriveKey(ledger.PlainBrainKey(phrase), 0)
	defer owner.Wipe()
	active := owner.Derive(0)
	defer active.Wipe()
	memo := active.Derive(0)
	defer memo.Wipe()
	secrets := new(keystore.Secrets)
	defer secrets.Wipe()
	keep := func() error {
		if name != "" {
			return secrets.AddPendingAccount(name, active, memo)
		}
		_, err := secrets.AddKey(active)
		if err == nil {
			_, err = secrets.AddKey(memo)
		}
		return err
	}
	if err := keep(); err != nil {
		return NewAccount{}, fault.Own("create", err)
	}
	waits := keystore.Registration{Name: name, Owner: owner.Public(), Active: active.Public(), Memo: memo.Public()}
	public := keystore.Public{ChainID: m.vault.DaemonChain(), Waiting: []keystore.Registration{waits}}
	if err := m.vault.create(password, public, secrets); err != nil {
		return NewAccount{}, err
	}
	return NewAccount{Owner: waits.Owner, Active: waits.Active, Memo: waits.Memo}, nil
}

// PhraseImport is a recovery phrase whose keys are to be stored.
type PhraseImport struct {
	Phrase   string
	Accounts []string // names or ids of the accounts they are for; none = every account that names one of them
	Anyway   bool     // store the first key even if no account names one
}

// CheckPhrase finds what ImportPhrase would store, and stores nothing; it works before there is a wallet. Errors: those
// of ImportPhrase except for the lock and the file.
func (m *Importer) CheckPhrase(ctx context.Context, in PhraseImport) (ImportedKey, error) {
	found, err := m.phraseUses(ctx, in)
	got := ImportedKey{Key: found[0].public}
	for _, one := range found {
		if err == nil {
			err = m.addNamed(ctx, &got, one)
		}
		one.key.Wipe()
	}
	return got, err
}

// addNamed adds a key that accounts name, and the keys derived from it that they name.
func (m *Importer) addNamed(ctx context.Context, got *ImportedKey, one phraseKey) error {
	if len(one.uses) > 0 {
		got.All = append(got.All, one.public)
	}
	for _, use := range one.partly {
		got.Partly = addUse(got.Partly, use)
	}
	for _, use := range one.uses {
		got.Accounts = addUse(got.Accounts, use)
		if !use.Owner {
			continue
		}
		account, err := m.ledger.Get(ctx, use.ID.String())
		if err != nil {
			return err
		}
		for _, key := range derivedFor(account, one.key) {
			got.All = append(got.All, key.Public())
			got.Accounts = addUse(got.Accounts, ledgerview.KeyUseOf(account, key.Public()))
			key.Wipe()
		}
	}
	return nil
}

// addUse adds what a key does for an account to a list that has each account once.
func addUse(list []ledgerview.KeyUse, use ledgerview.KeyUse) []ledgerview.KeyUse {
	at := slices.IndexFunc(list, func(u ledgerview.KeyUse) bool { return u.ID == use.ID })
	if at < 0 {
		return append(list, use)
	}
	u := &list[at]
	u.Owner, u.Active, u.Memo = u.Owner || use.Owner, u.Active || use.Active, u.Memo || use.Memo
	return list
}

// AnotherOwner returns a warning about an account of which a phrase yields some keys, but not the owner key.
func AnotherOwner(u ledgerview.KeyUse) string {
	return "the phrase restores the " + u.Roles() + " key of " + u.Name + " " + u.ID.String() +
		", but not its owner key, and whoever has that can take the account"
}

// ImportPhrase stores those of the first keys of a recovery phrase that accounts name, with the keys that the accounts
// have derived from them, and puts the accounts on the list. Errors: fault.Locked, fault.KeyUnused, fault.NoSuchAccount,
// fault.File and the daemon's.
func (m *Importer) ImportPhrase(ctx context.Context, in PhraseImport) (ImportedKey, error) {
	store, err := m.vault.Unlocked("import")
	if err != nil {
		return ImportedKey{}, err
	}
	found, err := m.phraseUses(ctx, in)
	got := ImportedKey{Key: found[0].public}
	for i, one := range found {
		if err == nil && (len(one.uses) > 0 || i == 0 && in.Anyway) {
			err = m.storeUses(ctx, store, one.key, one.uses)
		}
		if err == nil {
			err = m.addNamed(ctx, &got, one)
		}
		one.key.Wipe()
	}
	if err != nil {
		return ImportedKey{}, err
	}
	m.judgeNow(ctx, got.Accounts)
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return got, nil
}

// phraseKey is a key of a phrase, and the accounts that name it.
type phraseKey struct {
	key    ledger.PrivateKey
	public ledger.PublicKey
	uses   []ledgerview.KeyUse

	derived bool                // it is an active or memo key derived from the first key
	partly  []ledgerview.KeyUse // accounts that have it, but not the first key as owner, and were not asked for
}

// phraseUses finds the accounts of the first keys. It returns the keys even with an error.
func (m *Importer) phraseUses(ctx context.Context, in PhraseImport) ([]phraseKey, error) {
	found := phraseKeys(in.Phrase)
	var g errgroup.Group
	g.SetLimit(8)
	for i := range found {
		g.Go(func() (err error) {
			found[i].uses, err = m.ledger.OfKey(ctx, found[i].public)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return found, err
	}
	separatePartial(found, len(in.Accounts) > 0)
	return found, filterWanted(found, in)
}

// phraseKeys returns the first keys of a phrase, those of its other forms, and the active and memo keys derived from the first of all.
func phraseKeys(phrase string) (keys []phraseKey) {
	most := maxPhraseKeys
	for _, form := range ledger.BrainKeyForms(phrase) {
		for i := range most {
			key := ledger.DeriveKey(form, i)
			keys = append(keys, phraseKey{key: key, public: key.Public()})
		}
		most = maxWrittenKeys
	}
	for i := range maxPhraseAccounts {
		active := keys[0].key.Derive(i)
		memo := active.Derive(0)
		keys = append(keys, phraseKey{key: active, public: active.Public(), derived: true},
			phraseKey{key: memo, public: memo.Public(), derived: true})
	}
	return keys
}

// separatePartial separates the accounts that have a derived key but none of the first keys as owner: somebody else can
// take them, so they are taken over only if they were named.
func separatePartial(found []phraseKey, named bool) {
	owned := map[ledger.AccountID]bool{}
	for _, one := range found {
		for _, use := range one.uses {
			owned[use.ID] = owned[use.ID] || !one.derived
		}
	}
	for i := range found {
		one := &found[i]
		if !one.derived {
			continue
		}
		one.uses = slices.DeleteFunc(one.uses, func(use ledgerview.KeyUse) bool { return owned[use.ID] })
		if !named {
			one.partly, one.uses = one.uses, nil
		}
	}
}

// filterWanted keeps only the accounts that are wanted. Errors: fault.NoSuchAccount for one that names none of the keys,
// fault.KeyUnused if there are none and Anyway is not set.
func filterWanted(found []phraseKey, in PhraseImport) error {
	used := 0
	missing := slices.Clone(in.Accounts)
	for i := range found {
		found[i].uses = slices.DeleteFunc(found[i].uses, func(u ledgerview.KeyUse) bool {
			is := func(name string) bool { return name == u.Name || name == u.ID.String() }
			missing = slices.DeleteFunc(missing, is)
			return len(in.Accounts) > 0 && !slices.ContainsFunc(in.Accounts, is)
		})
		used += len(found[i].uses)
	}
	switch {
	case len(missing) > 0:
		return &fault.Error{Code: fault.NoSuchAccount, Op: "import", Hint: "nothing was kept; " + fault.AccountSpelling(cmp.Or(missing...), "name one of the accounts that were found"),
			Message: fault.Quote(cmp.Or(missing...)) + " names no key of this phrase"}
	case used == 0 && !in.Anyway:
		return keyUnused(nil, nil)
	}
	return nil
}

// CheckWatch finds the account that Watch would list. Errors: fault.NoSuchAccount, the daemon's.
func (m *Importer) CheckWatch(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error) {
	a, err := m.ledger.Get(ctx, nameOrID)
	if err != nil {
		return ledgerview.AccountRef{}, err
	}
	return ledgerview.AccountRef{ID: a.ID, Name: a.Name}, nil
}

package vault

import (
	"context"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// KeyLedger reads from the ledger which keys belong to which accounts.
type KeyLedger interface {
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
	OfKey(ctx context.Context, key ledger.PublicKey) ([]ledgerview.KeyUse, error)
}

// Importer puts keys into a vault, and the accounts that they act for on its list.
type Importer struct {
	vault    *Vault
	accounts *Accounts
	ledger   KeyLedger
	miners   MinerKeys

	otherKeys otherKeysCache
}

// MinerKeys reads from the ledger which key a miner signs blocks with.
type MinerKeys interface {
	SigningKey(ctx context.Context, account string) (ledger.PublicKey, error)
}

// NewImporter returns an Importer into v.
func NewImporter(v *Vault, a *Accounts, l KeyLedger, miners MinerKeys) *Importer {
	return &Importer{vault: v, accounts: a, ledger: l, miners: miners}
}

// judgeNow checks the accounts that were just imported; without a daemon, the next block does it.
func (m *Importer) judgeNow(ctx context.Context, uses []ledgerview.KeyUse) {
	var ids []ledger.AccountID
	for _, u := range uses {
		ids = append(ids, u.ID)
	}
	if err := m.accounts.Judge(ctx, ids); err != nil {
		m.vault.Logger.Debug("accounts: the authorities were not read", "error", err)
	}
}

// badKey returns the error for what ledger.ParseWIF refuses with why.
func badKey(op string, why error) *fault.Error {
	return &fault.Error{Code: fault.BadKey, Op: op, Message: "that is not a private key in WIF form", Hint: why.Error()}
}

// ImportKey stores a private key for an account; if it is one of the account's owner keys, also the active and memo keys
// that the reference derives from it. It is on disk when ImportKey returns. The result says whether the key is one of
// the account's owner, active or memo keys now; it is stored in any case. Errors: fault.Locked, fault.BadKey,
// fault.NoSuchAccount, fault.File.
func (m *Importer) ImportKey(ctx context.Context, account, wif string) (bool, error) {
	return m.importKey(ctx, "import_key", account, wif, true)
}

// ImportSingleKey is ImportKey without derived keys.
func (m *Importer) ImportSingleKey(ctx context.Context, account, wif string) (bool, error) {
	return m.importKey(ctx, "import_single_key", account, wif, false)
}

func (m *Importer) importKey(ctx context.Context, op, account, wif string, derive bool) (bool, error) {
	store, err := m.vault.Unlocked(op)
	if err != nil {
		return false, err
	}
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return false, badKey(op, err)
	}
	defer key.Wipe()
	acc, err := m.ledger.Get(ctx, account)
	if err != nil {
		return false, err
	}
	keys := []ledger.PrivateKey{key}
	if derive && acc.Owner.HasKey(key.Public()) {
		active := key.Derive(firstUnused(store, key))
		defer active.Wipe()
		memo := active.Derive(firstUnused(store, active))
		defer memo.Wipe()
		keys = append(keys, active, memo)
	}
	if err := m.vault.updateKeys("import", func(c *keystore.Contents) error { return addKeys(c, acc, keys) }); err != nil {
		return false, err
	}
	m.judgeNow(ctx, []ledgerview.KeyUse{ledgerview.KeyUseOf(acc, key.Public())})
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return ledgerview.KeyUseOf(acc, key.Public()).IsUsed(), nil
}

// maxDerived is the number of keys of each step that are tried: accounts made by the reference's wallet use the first ones
// (docs/protocol/wallet-file.md 3).
const maxDerived = 10

// derivedFor returns those keys derived from an owner key that acc names: its active keys, and the memo keys derived
// from those. The caller wipes them.
func derivedFor(acc *ledger.Account, owner ledger.PrivateKey) (named []ledger.PrivateKey) {
	for i := range maxDerived {
		active := owner.Derive(i)
		if !acc.Active.HasKey(active.Public()) && acc.Options.MemoKey != active.Public() {
			active.Wipe()
			continue
		}
		named = append(named, active)
		for j := range maxDerived {
			memo := active.Derive(j)
			if acc.Options.MemoKey == memo.Public() {
				named = append(named, memo)
				break
			}
			memo.Wipe()
		}
	}
	return named
}

// unusedRun is the number of consecutive unused keys that ends the reference's search.
const unusedRun = 6

// firstUnused returns the number under which the reference would derive a new key: the first of a run of unused ones
// (docs/protocol/wallet-file.md 3).
func firstUnused(store *keystore.Store, parent ledger.PrivateKey) int {
	first, run := 0, 0
	for i := 0; run < unusedRun; i++ {
		key := parent.Derive(i)
		_, used := store.Key(key.Public())
		key.Wipe()
		switch {
		case used:
			run = 0
		case run == 0:
			first, run = i, 1
		default:
			run++
		}
	}
	return first
}

// Watch puts an account on the wallet's list without a key: it can be viewed, and what needs its keys is signed
// elsewhere. It is on disk when Watch returns. Errors: fault.Locked, fault.NoSuchAccount, fault.File.
func (m *Importer) Watch(ctx context.Context, nameOrID string) error {
	if _, err := m.vault.Unlocked("watch"); err != nil {
		return err
	}
	acc, err := m.ledger.Get(ctx, nameOrID)
	if err != nil {
		return err
	}
	if err := m.vault.updateKeys("watch", func(c *keystore.Contents) error { return addKeys(c, acc, nil) }); err != nil {
		return err
	}
	m.judgeNow(ctx, []ledgerview.KeyUse{{AccountRef: ledgerview.AccountRef{ID: acc.ID, Name: acc.Name}}})
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return nil
}

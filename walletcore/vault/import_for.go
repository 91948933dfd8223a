package vault

import (
	"context"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
)

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
		return false, badKey(op)
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
	if err := updateKeys(m.vault, "import", func(c *keystore.Contents) error { return addKeys(c, acc, keys) }); err != nil {
		return false, err
	}
	m.judgeNow(ctx, []ledgerview.KeyUse{ledgerview.KeyUseOf(acc, key.Public())})
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return ledgerview.KeyUseOf(acc, key.Public()).IsUsed(), nil
}

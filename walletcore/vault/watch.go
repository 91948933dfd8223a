package vault

import (
	"context"

	"billfold/keystore"
	"billfold/walletcore/event"
	"billfold/walletcore/ledgerview"
)

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
	if err := updateKeys(m.vault, "watch", func(c *keystore.Contents) error { return addKeys(c, acc, nil) }); err != nil {
		return err
	}
	m.judgeNow(ctx, []ledgerview.KeyUse{{AccountRef: ledgerview.AccountRef{ID: acc.ID, Name: acc.Name}}})
	m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return nil
}

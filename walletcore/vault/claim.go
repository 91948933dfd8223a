package vault

import (
	"context"
	"slices"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// How often waiting keys are looked for: with every block at first, then rarely. A registration that was only signed may
// never be sent, and its keys then wait for ever.
const (
	eagerChecks = 60
	seldomEvery = 100 // blocks
)

// Follow takes over keys that wait for an account or a miner, once the ledger has it, until ctx ends.
func (m *Importer) Follow(ctx context.Context) error {
	events, stop := m.vault.Events.Subscribe(event.Block, event.Lock)
	defer stop()
	for looks, waiting := 0, 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case e := <-events:
			now := m.waitingKeys().count()
			if e.Kind == event.Lock || now > waiting {
				looks = 0
			}
			if waiting = now; waiting == 0 {
				continue
			}
			if looks++; looks > eagerChecks && looks%seldomEvery != 0 {
				continue
			}
			if err := m.Claim(ctx); err != nil {
				m.vault.Logger.Debug("accounts: waiting keys were not taken over", "error", err)
			}
		}
	}
}

// waitingKeys are the accounts and miners that keys of the wallet wait for.
type waitingKeys struct {
	registrations    []keystore.Registration // accounts that others were asked to register
	accounts, miners []string                // names of other accounts, and of the accounts of miners
}

func (w waitingKeys) count() int { return len(w.registrations) + len(w.accounts) + len(w.miners) }

// waitingKeys returns what keys wait for; nothing while the wallet is locked.
func (m *Importer) waitingKeys() (w waitingKeys) {
	store, err := m.vault.Unlocked("import")
	if err != nil {
		return w
	}
	w.registrations = m.vault.registrations()
	_ = store.View(func(keys *keystore.Secrets) error {
		w.accounts, w.miners = namesOf(keys.PendingAccounts()), namesOf(keys.PendingMiners())
		return nil
	})
	w.accounts = slices.DeleteFunc(w.accounts, func(name string) bool {
		return slices.ContainsFunc(w.registrations, func(r keystore.Registration) bool { return r.Name == name })
	})
	return w
}

func namesOf(list []keystore.Pending) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// Claim stores the keys that wait for an account or a miner which the ledger has by now, as imported keys. What the
// ledger does not have keeps waiting; so does an account that others registered with other keys than they were asked to,
// which Warning names. Errors: fault.Locked, fault.File, the daemon's.
func (m *Importer) Claim(ctx context.Context) error {
	var claimed []ledgerview.KeyUse
	waiting, found := m.waitingKeys(), map[ledger.PublicKey][]OtherKeys{}
	for _, asked := range waiting.registrations {
		acc, others, err := m.findRegistered(ctx, asked)
		if err == nil && acc != nil {
			claimed = append(claimed, ledgerview.KeyUse{AccountRef: ledgerview.AccountRef{ID: acc.ID, Name: acc.Name}})
			err = m.claimRegistered(acc, asked)
		}
		if err != nil {
			return err
		}
		found[asked.Owner] = others
	}
	for _, name := range waiting.accounts {
		acc, err := m.ledger.Get(ctx, name)
		switch {
		case fault.CodeOf(err) == fault.NoSuchAccount:
			continue
		case err == nil:
			err = m.claimAccount(acc, name)
		}
		if err != nil {
			return err
		}
		claimed = append(claimed, ledgerview.KeyUse{AccountRef: ledgerview.AccountRef{ID: acc.ID, Name: acc.Name}})
	}
	for _, name := range waiting.miners {
		if err := m.claimMiner(ctx, name); err != nil {
			return err
		}
	}
	changed := m.otherKeys.put(found)
	if len(claimed) > 0 {
		m.judgeNow(ctx, claimed)
	}
	if changed || len(claimed) > 0 {
		m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return nil
}

// claimRegistered takes over the keys of an account that others registered as they were asked.
func (m *Importer) claimRegistered(acc *ledger.Account, asked keystore.Registration) error {
	return m.vault.updateKeys("import", func(c *keystore.Contents) error {
		var keys []ledger.PrivateKey
		for _, public := range []ledger.PublicKey{asked.Active, asked.Memo} {
			if key, held := c.Secrets.Key(public); held {
				keys = append(keys, key)
			}
		}
		for _, p := range c.Secrets.PendingAccounts() {
			if asked.Name != "" && p.Name == asked.Name {
				keys = append(keys, p.Keys...)
			}
		}
		if err := addKeys(c, acc, keys); err != nil {
			return err
		}
		c.Secrets.RemovePendingAccount(asked.Name)
		return nil
	})
}

// claimAccount takes over the keys waiting for an account that this wallet registered itself, if the account has one of them.
func (m *Importer) claimAccount(acc *ledger.Account, name string) error {
	return m.vault.updateKeys("import", func(c *keystore.Contents) error {
		for _, p := range c.Secrets.PendingAccounts() {
			if p.Name != name || !usesAny(acc, p.Keys) {
				continue
			}
			if err := addKeys(c, acc, p.Keys); err != nil {
				return err
			}
			c.Secrets.RemovePendingAccount(name)
		}
		return nil
	})
}

// claimMiner takes over the key waiting for the miner of an account, if the miner signs with it.
func (m *Importer) claimMiner(ctx context.Context, name string) error {
	acc, err := m.ledger.Get(ctx, name)
	if err != nil {
		return err
	}
	signs, err := m.miners.SigningKey(ctx, acc.ID.String())
	if fault.CodeOf(err) == fault.NoSuchMiner {
		return nil
	}
	if err != nil {
		return err
	}
	return m.vault.updateKeys("import", func(c *keystore.Contents) error {
		for _, p := range c.Secrets.PendingMiners() {
			if p.Name != name || p.Keys[0].Public() != signs {
				continue
			}
			if err := addKeys(c, acc, p.Keys); err != nil {
				return err
			}
			c.Secrets.RemovePendingMiner(name)
		}
		return nil
	})
}

func usesAny(acc *ledger.Account, keys []ledger.PrivateKey) bool {
	return slices.ContainsFunc(keys, func(key ledger.PrivateKey) bool { return ledgerview.KeyUseOf(acc, key.Public()).IsUsed() })
}

// addKeys puts an account and its keys into the key file, and removes the registration that it fulfils.
func addKeys(c *keystore.Contents, acc *ledger.Account, keys []ledger.PrivateKey) error {
	c.AddAccount(acc.ID, acc.Name)
	c.RemoveWaiting(func(asked keystore.Registration) bool { return compareKeys(acc, asked).None() })
	for _, key := range keys {
		if err := c.AddKey(acc.ID, key); err != nil {
			return err
		}
	}
	return nil
}

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

// How often keys that wait are looked for: with every block at first, then seldom. A registration that was
// only signed may never be sent, and its keys wait for ever.
const (
	eagerLooks = 60
	seldom     = 100 // blocks
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
			accounts, miners := m.waiting()
			if e.Kind == event.Lock || len(accounts)+len(miners) > waiting {
				looks = 0
			}
			if waiting = len(accounts) + len(miners); waiting == 0 {
				continue
			}
			if looks++; looks > eagerLooks && looks%seldom != 0 {
				continue
			}
			if err := m.Claim(ctx); err != nil {
				m.vault.Logger.Debug("accounts: keys that wait were not taken over", "error", err)
			}
		}
	}
}

// waiting are the names of accounts, and of miners' accounts, for which keys wait; none while the wallet is locked.
func (m *Importer) waiting() (accounts, miners []string) {
	store, err := m.vault.Unlocked("import")
	if err != nil {
		return nil, nil
	}
	_ = store.View(func(keys *keystore.Secrets) error {
		accounts, miners = namesOf(keys.PendingAccounts()), namesOf(keys.PendingMiners())
		return nil
	})
	if unnamed(m.vault.registrations()) != nil {
		accounts = append(accounts, "")
	}
	return accounts, miners
}

// Waiting is an account that others were asked to register with keys of this wallet; its name may be left to them.
type Waiting struct {
	Name string
	NewAccount
}

// Waiting returns the accounts that others were asked to register and that are not known to be on the ledger. What the
// file of a locked wallet says is not proven. Error: fault.Locked.
func (m *Importer) Waiting() (out []Waiting, err error) {
	if _, err := m.vault.Unlocked("register"); err != nil {
		return nil, err
	}
	for _, r := range m.vault.registrations() {
		out = append(out, Waiting{r.Name, NewAccount{Owner: r.Owner, Active: r.Active, Memo: r.Memo}})
	}
	return out, nil
}

// unnamed is the registration whose name was left to others; nil where there is none.
func unnamed(waiting []keystore.Registration) *keystore.Registration {
	for _, r := range waiting {
		if r.Name == "" {
			return &r
		}
	}
	return nil
}

func namesOf(list []keystore.Pending) (names []string) {
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// Claim stores the keys that wait for an account or a miner which the ledger has by now, as imported ones. What the
// ledger does not have, or has with other keys, goes on waiting. Errors: fault.Locked, fault.File, the daemon's.
func (m *Importer) Claim(ctx context.Context) error {
	var claimed []ledgerview.KeyUse
	accounts, miners := m.waiting()
	for _, name := range accounts {
		acc, err := m.registered(ctx, name)
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
	for _, name := range miners {
		if err := m.claimMiner(ctx, name); err != nil {
			return err
		}
	}
	if len(claimed) > 0 {
		m.judgeNow(ctx, claimed)
		m.vault.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return nil
}

// registered is the account that keys wait for: of a name, or the one with the active key of the registration without a name.
func (m *Importer) registered(ctx context.Context, name string) (*ledger.Account, error) {
	if name != "" {
		return m.ledger.Get(ctx, name)
	}
	var uses []ledgerview.KeyUse
	if r := unnamed(m.vault.registrations()); r != nil {
		var err error
		if uses, err = m.ledger.OfKey(ctx, r.Active); err != nil {
			return nil, err
		}
	}
	if len(uses) == 0 {
		return nil, &fault.Error{Code: fault.NoSuchAccount, Op: "import", Message: "no account has the key yet"}
	}
	return m.ledger.Get(ctx, uses[0].ID.String())
}

// claimAccount takes over the keys that wait for an account, if it has one of them.
func (m *Importer) claimAccount(acc *ledger.Account, name string) error {
	return updateKeys(m.vault, "import", func(c *keystore.Contents) error {
		if name == "" {
			return claimUnnamed(c, acc)
		}
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

// claimMiner takes over the key that waits for the miner of an account, if it signs with that.
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
	return updateKeys(m.vault, "import", func(c *keystore.Contents) error {
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

// claimUnnamed gives the keys of the registration without a name to its account.
func claimUnnamed(c *keystore.Contents, acc *ledger.Account) error {
	var keys []ledger.PrivateKey
	if r := unnamed(c.Public.Waiting); r != nil {
		for _, public := range []ledger.PublicKey{r.Active, r.Memo} {
			if key, held := c.Secrets.Key(public); held {
				keys = append(keys, key)
			}
		}
	}
	return addKeys(c, acc, keys)
}

// addKeys puts an account and its keys into the key file.
func addKeys(c *keystore.Contents, acc *ledger.Account, keys []ledger.PrivateKey) error {
	c.AddAccount(acc.ID, acc.Name)
	c.RemoveWaiting(func(key ledger.PublicKey) bool { return ledgerview.KeyUseOf(acc, key).IsUsed() })
	for _, key := range keys {
		if err := c.AddKey(acc.ID, key); err != nil {
			return err
		}
	}
	return nil
}

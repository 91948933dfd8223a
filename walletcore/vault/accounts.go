package vault

import (
	"context"
	"encoding/json"
	"slices"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// AccountReader reads the wallet's accounts from the ledger.
type AccountReader interface {
	AuthorityTree(ctx context.Context, needs ledger.Needs, depth int) (map[ledger.AccountID]*ledger.Account, error)
	RawByID(ctx context.Context, ids []ledger.AccountID) ([]json.RawMessage, error)
}

// chainState reports whether a daemon can be asked.
type chainState interface{ IsOnline() bool }

// Accounts are the accounts on the wallet's list, with what its keys may do for them.
type Accounts struct {
	vault  *Vault
	ledger AccountReader
	chain  chainState
	found  ownershipCache
}

// NewAccounts returns the accounts on the list of v, none of which has been checked yet.
func NewAccounts(v *Vault, l AccountReader, c chainState) *Accounts {
	return &Accounts{vault: v, ledger: l, chain: c}
}

// List returns the accounts of this wallet, from disk: it works while locked and without a daemon.
// Their ownership is that of the latest check.
func (a *Accounts) List() []OwnAccount {
	listed := a.vault.Listed()
	if listed == nil {
		return nil
	}
	out := make([]OwnAccount, 0, len(listed))
	for _, ref := range listed {
		out = append(out, OwnAccount{ref, a.found.get(ref.ID)})
	}
	return out
}

// Count returns the number of accounts on the list.
func (a *Accounts) Count() int { return a.vault.Count() }

// Of finds an account on the list by its id.
func (a *Accounts) Of(id ledger.AccountID) (own OwnAccount, listed bool) {
	ref, listed := a.vault.AccountOf(id.String())
	return OwnAccount{ref, a.found.get(ref.ID)}, listed
}

// IDs returns the ids of the accounts on the list.
func (a *Accounts) IDs() []ledger.AccountID {
	var ids []ledger.AccountID
	for _, ref := range a.vault.Listed() {
		ids = append(ids, ref.ID)
	}
	return ids
}

// Raw reads the wallet's own accounts from the ledger, in ascending order of ids.
func (a *Accounts) Raw(ctx context.Context) ([]json.RawMessage, error) {
	return a.ledger.RawByID(ctx, a.IDs())
}

// Follow checks the accounts on the list again with every block, change of daemon and change of keys, until ctx ends.
func (a *Accounts) Follow(ctx context.Context) error {
	events, stop := a.vault.Events.Subscribe(event.Block, event.Daemon, event.Accounts)
	defer stop()
	for a.refresh(ctx); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-events:
			a.refresh(ctx)
		}
	}
}

// refresh checks the accounts whose turn it is. Without a daemon, what was known stays.
func (a *Accounts) refresh(ctx context.Context) {
	if !a.chain.IsOnline() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, ownershipTime)
	defer cancel()
	if err := a.Judge(ctx, a.found.nextTurn(a.vault.accounts())); err != nil {
		a.found.retryFresh()
		a.vault.Logger.Debug("accounts: the authorities were not read", "error", err)
	}
}

// Judge reads the authorities of accounts and records what this wallet's keys may do for them.
// Error: the daemon's; then nothing is recorded.
func (a *Accounts) Judge(ctx context.Context, ids []ledger.AccountID) error {
	if len(ids) == 0 {
		return nil
	}
	depth := int(ledger.DefaultChainParameters().MaxAuthorityDepth)
	tree, err := a.ledger.AuthorityTree(ctx, ledger.Needs{Active: ids}, depth)
	if err != nil {
		return err
	}
	held := a.heldIn(tree)
	found := make(map[ledger.AccountID]Ownership, len(ids))
	for _, id := range ids {
		found[id] = ownershipOf(id, held, func(id ledger.AccountID) *ledger.Account { return tree[id] }, depth)
	}
	if a.found.put(found) {
		a.vault.Events.Publish(event.Event{Kind: event.Accounts})
	}
	return nil
}

// heldIn returns the keys of the accounts, each with whether the wallet holds it.
func (a *Accounts) heldIn(tree map[ledger.AccountID]*ledger.Account) map[ledger.PublicKey]bool {
	held := map[ledger.PublicKey]bool{}
	for _, account := range tree {
		if account == nil {
			continue
		}
		for _, w := range slices.Concat(account.Active.KeyAuths, account.Owner.KeyAuths) {
			held[w.Key] = held[w.Key] || a.vault.Holds(w.Key)
		}
	}
	return held
}

func ownershipOf(id ledger.AccountID, held map[ledger.PublicKey]bool, lookup ledger.AccountLookup, depth int) Ownership {
	signers := ledger.Signers{Keys: held, Lookup: lookup, MaxDepth: depth}
	switch {
	case lookup(id) == nil:
		return OwnershipMissing
	case signers.Active(id):
		return OwnershipFull
	case ledger.AnyCounts(ledger.Needs{Active: []ledger.AccountID{id}}, func(k ledger.PublicKey) bool { return held[k] }, lookup, depth):
		return OwnershipPartial
	}
	return OwnershipWatch
}

// Remove removes an account from the wallet's list. Its keys stay in the key file, and importing one of them puts it
// back. Errors: fault.Locked, fault.NoSuchAccount, fault.File.
func (a *Accounts) Remove(nameOrID string) error {
	store, err := a.vault.Unlocked("remove_account")
	if err != nil {
		return err
	}
	accounts := a.List()
	at := slices.IndexFunc(accounts, func(own OwnAccount) bool { return own.Name == nameOrID || own.ID.String() == nameOrID })
	if at < 0 {
		return &fault.Error{Code: fault.NoSuchAccount, Op: "remove_account",
			Message: "the account " + fault.Quote(nameOrID) + " is not on this wallet's list", Hint: fault.AccountSpelling(nameOrID, "list_my_accounts shows the list")}
	}
	err = store.Update(func(c *keystore.Contents) error {
		c.RemoveAccount(accounts[at].ID)
		return nil
	})
	if err != nil {
		return fault.KeyFile("remove_account", err)
	}
	a.vault.Events.Publish(event.Event{Kind: event.Accounts})
	return nil
}

package walletcore

import (
	"context"
	"slices"
	"sync"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/vault"
)

// ownershipCache is what was found for the accounts on the list.
type ownershipCache struct {
	mu    sync.RWMutex
	known map[ledger.AccountID]vault.Ownership
	next  int // where in the list the next look begins, when it is too long for one
}

func (c *ownershipCache) get(id ledger.AccountID) vault.Ownership {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.known[id]
}

// put notes what was found; it reports whether that is news.
func (c *ownershipCache) put(found map[ledger.AccountID]vault.Ownership) (changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[ledger.AccountID]vault.Ownership{}
	}
	for id, o := range found {
		changed = changed || c.known[id] != o
		c.known[id] = o
	}
	return changed
}

// mostJudged is how many accounts one look reads: those that get_accounts gives
// in one answer. Longer lists are looked at in turn, block by block.
const mostJudged = 100

// turn gives the accounts to look at now: those never looked at before the others.
func (c *ownershipCache) turn(all []ledger.AccountID) []ledger.AccountID {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(all) <= mostJudged {
		return all
	}
	var out []ledger.AccountID
	for _, id := range all {
		if len(out) < mostJudged && c.known[id] == vault.OwnershipUnknown {
			out = append(out, id)
		}
	}
	for i := 0; len(out) < mostJudged && i < len(all); i++ {
		if id := all[(c.next+i)%len(all)]; !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	c.next = (c.next + mostJudged) % len(all)
	return out
}

// ownershipTime bounds one look at the authorities; the next block looks again.
const ownershipTime = 10 * time.Second

// followOwnership judges the accounts on the list anew with every block, other
// daemon and change of keys, until ctx ends.
func (w *Wallet) followOwnership(ctx context.Context) error {
	events, stop := w.Subscribe()
	defer stop()
	for w.lookAtOwnership(ctx); ; {
		select {
		case <-ctx.Done():
			return nil
		case e := <-events:
			if e.Kind == event.Block || e.Kind == event.Daemon || e.Kind == event.Accounts {
				w.lookAtOwnership(ctx)
			}
		}
	}
}

// lookAtOwnership judges the accounts whose turn it is; without a daemon what
// was known stays.
func (w *Wallet) lookAtOwnership(ctx context.Context) {
	if w.Status().Daemon != DaemonOnline {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, ownershipTime)
	defer cancel()
	if err := w.judge(ctx, w.ownership.turn(w.accountIDs())); err != nil {
		w.log.Debug("accounts: the authorities were not read", "error", err)
	}
}

func (w *Wallet) accountIDs() []ledger.AccountID {
	var ids []ledger.AccountID
	for _, a := range w.Accounts() {
		ids = append(ids, a.ID)
	}
	return ids
}

// judge reads the authorities of accounts and notes what this wallet's keys may
// do for them. Error: the daemon's; then nothing is noted.
func (w *Wallet) judge(ctx context.Context, ids []ledger.AccountID) error {
	if len(ids) == 0 {
		return nil
	}
	depth := int(ledger.DefaultChainParameters().MaxAuthorityDepth)
	tree, err := w.View.Accounts.AuthorityTree(ctx, ledger.Needs{Active: ids}, depth)
	if err != nil {
		return err
	}
	held := map[ledger.PublicKey]bool{}
	for _, key := range w.heldKeys() {
		held[key] = true
	}
	found := make(map[ledger.AccountID]vault.Ownership, len(ids))
	for _, id := range ids {
		found[id] = ownershipOf(id, held, func(id ledger.AccountID) *ledger.Account { return tree[id] }, depth)
	}
	if w.ownership.put(found) {
		w.events.Publish(event.Event{Kind: event.Accounts})
	}
	return nil
}

// heldKeys are the public keys of the keystore, known also while it is locked.
func (w *Wallet) heldKeys() []ledger.PublicKey {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return nil
	}
	return store.PublicKeys()
}

func ownershipOf(id ledger.AccountID, held map[ledger.PublicKey]bool, lookup ledger.AccountLookup, depth int) vault.Ownership {
	signers := ledger.Signers{Keys: held, Lookup: lookup, MaxDepth: depth}
	switch {
	case lookup(id) == nil:
		return vault.OwnershipWatch
	case signers.Active(id):
		return vault.OwnershipFull
	case ledger.AnyCounts(ledger.Needs{Active: []ledger.AccountID{id}}, func(k ledger.PublicKey) bool { return held[k] }, lookup, depth):
		return vault.OwnershipPartial
	}
	return vault.OwnershipWatch
}

// RemoveAccount takes an account off the wallet's list; its keys stay in the
// key file, and importing one of them puts it back. Errors: fault.Locked,
// fault.NoSuchAccount, fault.File.
func (w *Wallet) RemoveAccount(nameOrID string) error {
	store, err := w.unlocked("remove_account")
	if err != nil {
		return err
	}
	accounts := w.Accounts()
	at := slices.IndexFunc(accounts, func(a vault.OwnAccount) bool { return a.Name == nameOrID || a.ID.String() == nameOrID })
	if at < 0 {
		return &fault.Error{Code: fault.NoSuchAccount, Op: "remove_account",
			Message: "the account " + fault.Quote(nameOrID) + " is not on this wallet's list", Hint: "list_my_accounts shows the list"}
	}
	err = store.Update(func(c *keystore.Contents) error {
		c.RemoveAccount(accounts[at].ID)
		return nil
	})
	if err != nil {
		return fault.KeyFile("remove_account", err)
	}
	w.events.Publish(event.Event{Kind: event.Accounts})
	return nil
}

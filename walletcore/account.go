package walletcore

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// nameCache keeps account names that the history index told of, by id. What a
// daemon said of an account goes before it.
type nameCache struct {
	mu sync.RWMutex
	by map[ledger.AccountID]string
}

// mostNamesKept bounds the cache; beyond it the cache starts anew.
const mostNamesKept = 50_000

func (c *nameCache) get(id ledger.AccountID) (string, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	name, ok := c.by[id]
	return name, ok
}

func (c *nameCache) put(names map[ledger.AccountID]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || len(c.by) >= mostNamesKept {
		c.by = map[ledger.AccountID]string{}
	}
	maps.Copy(c.by, names)
}

// nameOf gives the name of an account as far as it was told in this run.
func (w *Wallet) nameOf(id ledger.AccountID) (string, bool) {
	if p, ok := w.pins.accounts.recall(id); ok {
		return p.fact, true
	}
	return w.names.get(id)
}

// Account finds an account by name or id, as of the head block. Errors:
// fault.EmptyAccount, fault.NoSuchAccount, fault.DaemonContradicts, or the daemon's.
func (w *Wallet) Account(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	f := w.facts.current(w.now())
	if a := recall(f, f.accounts, nameOrID); a != nil {
		return a, nil
	}
	raw, err := w.AccountRaw(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	a := new(ledger.Account)
	if err := codec.Unmarshal(raw, a); err != nil {
		return nil, fault.Daemon("reading account "+fault.Quote(nameOrID), err)
	}
	remember(f, f.accounts, a, a.Name, a.ID.String())
	return a, nil
}

// AccountRaw is Account as the daemon wrote it, with whatever members a newer
// daemon adds.
func (w *Wallet) AccountRaw(ctx context.Context, nameOrID string) (json.RawMessage, error) {
	f := w.facts.current(w.now())
	if raw := recall(f, f.rawAccounts, nameOrID); raw != nil {
		return *raw, nil
	}
	raw, err := w.askAccount(ctx, nameOrID)
	if err == nil {
		remember(f, f.rawAccounts, &raw, nameOrID)
	}
	return raw, err
}

// askAccount reads an account from the daemon.
func (w *Wallet) askAccount(ctx context.Context, nameOrID string) (json.RawMessage, error) {
	if nameOrID == "" {
		return nil, &fault.Error{Code: fault.EmptyAccount, Op: "get_account", Message: "an account name or id is needed, not empty text", Hint: "write a name such as alice, or an id such as 1.2.34"}
	}
	var found []json.RawMessage
	var err error
	if id, ok := accountIDText(nameOrID); ok {
		found, err = w.daemon.GetAccountsRaw(ctx, []ledger.AccountID{id})
	} else {
		found, err = w.daemon.LookupAccountNamesRaw(ctx, []string{nameOrID})
	}
	if err != nil {
		return nil, fault.Daemon("looking up account "+fault.Quote(nameOrID), err)
	}
	if len(found) != 1 || isNull(found[0]) {
		return nil, fault.AccountUnknown(nameOrID)
	}
	refs, err := w.checkRawAccounts(ctx, found)
	if err != nil {
		return nil, err
	}
	w.lookedUpAccount(refs[0].ID)
	return found[0], nil
}

// checkRawAccounts is checkAccounts for what a daemon wrote, and gives the accounts;
// null is skipped.
func (w *Wallet) checkRawAccounts(ctx context.Context, raws []json.RawMessage) ([]ledgerview.AccountRef, error) {
	refs := make([]ledgerview.AccountRef, 0, len(raws))
	for _, raw := range raws {
		if isNull(raw) {
			continue
		}
		var a struct {
			ID   ledger.AccountID `json:"id"`
			Name string           `json:"name"`
		}
		if err := codec.Unmarshal(raw, &a); err != nil {
			return nil, fault.Daemon("reading an account", err)
		}
		refs = append(refs, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
	}
	return refs, w.checkAccounts(ctx, refs...)
}

// accountIDText takes text that starts with a digit for an id when it is one.
func accountIDText(text string) (ledger.AccountID, bool) {
	if text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	id, err := ledger.ParseAccountID(text)
	return id, err == nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// AccountByName names an account by name or id. Error: fault.NoSuchAccount.
func (w *Wallet) AccountByName(ctx context.Context, nameOrID string) (ledgerview.AccountRef, error) {
	a, err := w.Account(ctx, nameOrID)
	if err != nil {
		return ledgerview.AccountRef{}, err
	}
	return ledgerview.AccountRef{ID: a.ID, Name: a.Name}, nil
}

// FindAccounts lists accounts whose name begins with prefix, by name.
func (w *Wallet) FindAccounts(ctx context.Context, prefix string, limit int) ([]ledgerview.AccountRef, error) {
	rows, err := w.daemon.LookupAccounts(ctx, prefix, uint32(limit))
	if err != nil {
		return nil, fault.Daemon("looking up accounts", err)
	}
	var out []ledgerview.AccountRef
	for _, r := range rows {
		if strings.HasPrefix(r.Name, prefix) {
			out = append(out, ledgerview.AccountRef{ID: r.ID, Name: r.Name})
		}
	}
	return out, w.checkAccounts(ctx, out...)
}

// accountsByID reads accounts in one call; those that do not exist are missing
// in the result.
func (w *Wallet) accountsByID(ctx context.Context, ids []ledger.AccountID) (map[ledger.AccountID]*ledger.Account, error) {
	out := make(map[ledger.AccountID]*ledger.Account, len(ids))
	f := w.facts.current(w.now())
	var ask []ledger.AccountID
	for _, id := range ids {
		if a := recall(f, f.accounts, id.String()); a != nil {
			out[id] = a
		} else {
			ask = append(ask, id)
		}
	}
	if len(ask) == 0 {
		return out, nil
	}
	found, err := w.daemon.GetAccounts(ctx, ask)
	if err != nil {
		return nil, fault.Daemon("reading accounts", err)
	}
	var refs []ledgerview.AccountRef
	for _, a := range found {
		if a != nil {
			refs = append(refs, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
		}
	}
	if err := w.checkAccounts(ctx, refs...); err != nil {
		return nil, err
	}
	for _, a := range found {
		if a != nil {
			out[a.ID] = a
			remember(f, f.accounts, a, a.Name, a.ID.String())
		}
	}
	return out, nil
}

// accountNames makes sure that the names of ids are known, as far as they exist.
func (w *Wallet) accountNames(ctx context.Context, ids []ledger.AccountID) error {
	var ask []ledger.AccountID
	seen := map[ledger.AccountID]bool{}
	for _, id := range ids {
		if _, known := w.nameOf(id); !known && !seen[id] {
			seen[id] = true
			ask = append(ask, id)
		}
	}
	const most = 100 // ids per call
	for len(ask) > 0 {
		n := min(len(ask), most)
		if _, err := w.accountsByID(ctx, ask[:n]); err != nil {
			return err
		}
		ask = ask[n:]
	}
	return nil
}

// ref names id; an unknown one is shown by its id alone.
func (w *Wallet) ref(id ledger.AccountID) ledgerview.AccountRef {
	name, ok := w.nameOf(id)
	if !ok {
		name = id.String()
	}
	return ledgerview.AccountRef{ID: id, Name: name}
}

// Accounts lists the accounts of this wallet, from disk: it works locked and
// without a daemon. What the keys may do for them is as of the latest look.
func (w *Wallet) Accounts() []vault.OwnAccount {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return nil
	}
	pub := store.Public()
	out := make([]vault.OwnAccount, 0, len(pub.Accounts))
	for _, a := range pub.Accounts {
		out = append(out, vault.OwnAccount{AccountRef: ledgerview.AccountRef{ID: a.ID, Name: a.Name}, Ownership: w.ownership.get(a.ID)})
	}
	return out
}

// MyAccounts reads the wallet's own accounts from the ledger, ascending ids.
func (w *Wallet) MyAccounts(ctx context.Context) ([]json.RawMessage, error) {
	var ids []ledger.AccountID
	for _, a := range w.Accounts() {
		ids = append(ids, a.ID)
	}
	if len(ids) == 0 {
		return []json.RawMessage{}, nil
	}
	found, err := w.daemon.GetAccountsRaw(ctx, ids)
	if err != nil {
		return nil, fault.Daemon("reading the wallet's accounts", err)
	}
	if _, err := w.checkRawAccounts(ctx, found); err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, 0, len(found))
	for _, raw := range found {
		if !isNull(raw) {
			out = append(out, raw)
		}
	}
	return out, nil
}

package ledgerview

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// KeyUse is an account that names a key in its authorities or as its memo key.
type KeyUse struct {
	AccountRef
	Owner, Active, Memo bool
}

// KeyUseOf returns the roles of a key in an account.
func KeyUseOf(a *ledger.Account, key ledger.PublicKey) KeyUse {
	return KeyUse{AccountRef{a.ID, a.Name}, a.Owner.HasKey(key), a.Active.HasKey(key), a.Options.MemoKey == key}
}

// IsUsed reports whether the account names the key at all.
func (u KeyUse) IsUsed() bool { return u.Owner || u.Active || u.Memo }

// Roles returns the roles in which the account names the key, such as "owner, active, memo".
func (u KeyUse) Roles() string {
	var roles []string
	for _, r := range []struct {
		holds bool
		name  string
	}{{u.Owner, "owner"}, {u.Active, "active"}, {u.Memo, "memo"}} {
		if r.holds {
			roles = append(roles, r.name)
		}
	}
	return strings.Join(roles, ", ")
}

// OfKey finds the accounts that name a key, sorted by id. The daemon is asked
// for them, but an account counts only if it really names the key.
func (s *Accounts) OfKey(ctx context.Context, key ledger.PublicKey) ([]KeyUse, error) {
	lists, err := s.daemon.KeyReferences(ctx, []ledger.PublicKey{key})
	if err != nil {
		return nil, fault.Daemon("looking for the accounts of a key", err)
	}
	ids := slices.Concat(lists...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	found, err := s.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	var uses []KeyUse
	for _, id := range ids {
		if a := found[id]; a != nil && KeyUseOf(a, key).IsUsed() {
			uses = append(uses, KeyUseOf(a, key))
		}
	}
	return uses, nil
}

// AuthorityTree reads the accounts in needs and those in their authorities, level by
// level, depth levels deep.
func (s *Accounts) AuthorityTree(ctx context.Context, needs ledger.Needs, depth int) (map[ledger.AccountID]*ledger.Account, error) {
	all := map[ledger.AccountID]*ledger.Account{}
	next := slices.Concat(needs.Active, needs.Owner)
	for level := 0; level <= depth && len(next) > 0; level++ {
		found, err := s.ByID(ctx, next)
		if err != nil {
			return nil, err
		}
		next = nil
		for id, a := range found {
			all[id] = a
			for _, auth := range []ledger.Authority{a.Active, a.Owner} {
				for _, nested := range auth.AccountAuths {
					if all[nested.Account] == nil {
						next = append(next, nested.Account)
					}
				}
			}
		}
	}
	return all, nil
}

// MemoKeys returns the memo keys of accounts: the present one, and the one that was last accepted. Errors: fault.File, and the
// daemon's.
func (v *View) MemoKeys(ctx context.Context, ids []ledger.AccountID) (map[ledger.AccountID][]ledger.PublicKey, error) {
	found, err := v.Accounts.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	keys := make(map[ledger.AccountID][]ledger.PublicKey, len(ids))
	for _, id := range ids {
		if a := found[id]; a != nil {
			keys[id] = append(keys[id], a.Options.MemoKey)
		}
		was, err := v.Pins.store.SeenAccount(ctx, v.Pins.Chain(), id)
		if err != nil {
			return nil, fault.Store(err)
		}
		if was != nil {
			keys[id] = append(keys[id], was.MemoKey)
		}
	}
	return keys, nil
}

// Changes compares the keys and authorities of an account with those that were last
// accepted. It returns nothing if none were, or a is nil. Error: fault.File.
func (p *Pins) Changes(ctx context.Context, a *ledger.Account) ([]Change, error) {
	if a == nil {
		return nil, nil
	}
	was, err := p.store.SeenAccount(ctx, p.Chain(), a.ID)
	if err != nil {
		return nil, fault.Store(err)
	}
	if was == nil {
		return nil, nil
	}
	return ChangesSince(was, a), nil
}

// CheckKeys refuses keys of an account that differ from those accepted before, unless a person has accepted them or the policy allows it. It
// stores those that are seen first, and those that a person accepted: what the policy lets through stays a change. Errors:
// fault.KeysChanged, fault.File.
func (p *Pins) CheckKeys(ctx context.Context, a *ledger.Account, by Acceptance) error {
	f := p.cache.current()
	if f.unchanged.get(a.ID.String()) == a { // compared at this head block already
		return nil
	}
	was, err := p.store.SeenAccount(ctx, p.Chain(), a.ID)
	if err != nil {
		return fault.Store(err)
	}
	if was == nil {
		return p.AcceptKeys(ctx, a)
	}
	switch changed := ChangesSince(was, a); {
	case len(changed) == 0:
		f.unchanged.put(a, a.ID.String())
		return nil
	case by == AcceptedByNobody:
		return keysChanged(changed)
	case by == AllowedByPolicy:
		return nil
	}
	return p.AcceptKeys(ctx, a)
}

// ChangesSince compares the keys and authorities of an account with earlier ones.
func ChangesSince(was *store.SeenAccount, a *ledger.Account) (out []Change) {
	for _, c := range []struct{ what, was, now string }{
		{"memo key", was.MemoKey.String(), a.Options.MemoKey.String()},
		{"active authority", AuthorityText(was.Active), AuthorityText(a.Active)},
		{"owner authority", AuthorityText(was.Owner), AuthorityText(a.Owner)},
	} {
		if c.was != c.now {
			out = append(out, Change{Account: AccountRef{a.ID, a.Name}, What: c.what, Was: c.was, Now: c.now, Since: was.Since})
		}
	}
	return out
}

// AcceptKeys stores the present keys and authorities of an account for later comparisons: a person accepted them, or
// they are the first to be seen. Error: fault.File.
func (p *Pins) AcceptKeys(ctx context.Context, a *ledger.Account) error {
	seen := store.SeenAccount{ID: a.ID, MemoKey: a.Options.MemoKey, Active: a.Active, Owner: a.Owner, Since: p.cache.now()}
	if err := p.store.SetSeenAccount(ctx, p.Chain(), seen); err != nil {
		return fault.Store(err)
	}
	return nil
}

// AuthorityText returns an authority in a form for people to compare: "2 of DCT6M… (1), 1.2.17 (1)".
func AuthorityText(a ledger.Authority) string {
	var parties []string
	for _, k := range a.KeyAuths {
		parties = append(parties, fmt.Sprintf("%s (%d)", k.Key, k.Weight))
	}
	for _, n := range a.AccountAuths {
		parties = append(parties, fmt.Sprintf("%s (%d)", n.Account, n.Weight))
	}
	if len(parties) == 1 && a.WeightThreshold == 1 {
		return strings.TrimSuffix(parties[0], " (1)")
	}
	return fmt.Sprintf("%d of %s", a.WeightThreshold, strings.Join(parties, ", "))
}

// keysChanged returns the error for an unreviewed payment to an account whose keys
// are not those last accepted.
func keysChanged(changed []Change) *fault.Error {
	c := changed[0]
	return &fault.Error{Code: fault.KeysChanged, Op: "transfer",
		Message: fmt.Sprintf("the %s of %s (%s) is %.300s; it was %.300s when it was accepted on %s",
			c.What, fault.Quote(c.Account.Name), c.Account.ID, c.Now, c.Was, c.Since.UTC().Format("2006-01-02 15:04 UTC")),
		Hint: "nothing was signed; ask the recipient whether they changed their keys, then pay in the wallet, run billfold pins forget " +
			c.Account.ID.String() + ", or start with --rpc-changed-keys=allow"}
}

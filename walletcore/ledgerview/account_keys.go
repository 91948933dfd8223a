package ledgerview

import (
	"context"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
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

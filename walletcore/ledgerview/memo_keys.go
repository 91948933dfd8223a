package ledgerview

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

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

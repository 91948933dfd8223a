package walletcore

import (
	"context"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// changes compares what may change of an account, but rarely does, with how it
// was when it was last accepted; nothing where it never was.
func (w *Wallet) changes(ctx context.Context, a *ledger.Account) ([]ledgerview.Change, error) {
	if a == nil {
		return nil, nil
	}
	was, err := w.pins.seen.SeenAccount(ctx, w.pinChain(), a.ID)
	if err != nil {
		return nil, fault.Store(err)
	}
	if was == nil {
		return nil, nil
	}
	return changesOf(was, a), nil
}

func changesOf(was *store.SeenAccount, a *ledger.Account) (out []ledgerview.Change) {
	for _, c := range []struct{ what, was, now string }{
		{"memo key", was.MemoKey.String(), a.Options.MemoKey.String()},
		{"active authority", authorityText(was.Active), authorityText(a.Active)},
		{"owner authority", authorityText(was.Owner), authorityText(a.Owner)},
	} {
		if c.was != c.now {
			out = append(out, ledgerview.Change{Account: ledgerview.AccountRef{ID: a.ID, Name: a.Name}, What: c.what, Was: c.was, Now: c.now, Since: was.Since})
		}
	}
	return out
}

// accept keeps how an account is now, for later comparisons.
func (w *Wallet) accept(ctx context.Context, a *ledger.Account) error {
	seen := store.SeenAccount{ID: a.ID, MemoKey: a.Options.MemoKey, Active: a.Active, Owner: a.Owner, Since: w.now()}
	if err := w.pins.seen.SetSeenAccount(ctx, w.pinChain(), seen); err != nil {
		return fault.Store(err)
	}
	return nil
}

// authorityText writes an authority as people compare it: "2 of DCT6M… (1), 1.2.17 (1)".
func authorityText(a ledger.Authority) string {
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

// keysChanged is the error of a spend that nobody looked at, to an account that
// is not as it was when it was last accepted.
func keysChanged(changed []ledgerview.Change) *fault.Error {
	c := changed[0]
	return &fault.Error{Code: fault.KeysChanged, Op: "transfer",
		Message: fmt.Sprintf("the %s of %s (%s) is %.300s; it was %.300s when it was accepted on %s",
			c.What, fault.Quote(c.Account.Name), c.Account.ID, c.Now, c.Was, c.Since.UTC().Format("2006-01-02 15:04 UTC")),
		Hint: "nothing was signed; ask the recipient whether they took new keys, then pay in the wallet itself, run billfold pins forget " +
			c.Account.Name + ", or start with --rpc-changed-keys=allow"}
}

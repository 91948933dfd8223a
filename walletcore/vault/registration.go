package vault

import (
	"context"
	"strings"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Waiting is an account that others were asked to register with keys of this wallet; the name may be left to them.
type Waiting struct {
	Name string
	NewAccount
	Others []OtherKeys // on the ledger with that name or one of the keys, but not registered as asked
}

// Waiting returns the accounts that others were asked to register and that are not known to be on the ledger. It needs
// an unlocked wallet, because what the file of a locked one says is not authenticated. Error: fault.Locked.
func (m *Importer) Waiting() (out []Waiting, err error) {
	if _, err := m.vault.Unlocked("register"); err != nil {
		return nil, err
	}
	for _, r := range m.vault.registrations() {
		out = append(out, Waiting{r.Name, NewAccount{Owner: r.Owner, Active: r.Active, Memo: r.Memo}, m.otherKeys.of(r.Owner)})
	}
	return out, nil
}

// findRegistered finds the account that others registered as asked, under whatever name; nil if there is none. In that
// case it also returns the accounts with that name or with some of the keys.
func (m *Importer) findRegistered(ctx context.Context, asked keystore.Registration) (*ledger.Account, []OtherKeys, error) {
	candidates, err := m.candidates(ctx, asked)
	if err != nil {
		return nil, nil, err
	}
	var others []OtherKeys
	for _, acc := range candidates {
		found := compareKeys(acc, asked)
		if found.None() {
			return acc, nil, nil
		}
		others = append(others, found)
	}
	return nil, others, nil
}

// candidates returns the account with the name that was asked for, and those with one of the keys.
func (m *Importer) candidates(ctx context.Context, asked keystore.Registration) (out []*ledger.Account, err error) {
	wanted := []string{asked.Name}
	for _, key := range []ledger.PublicKey{asked.Owner, asked.Active, asked.Memo} {
		uses, err := m.ledger.OfKey(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, use := range uses {
			wanted = append(wanted, use.ID.String())
		}
	}
	seen := map[ledger.AccountID]bool{}
	for _, nameOrID := range wanted {
		if nameOrID == "" {
			continue
		}
		switch acc, err := m.ledger.Get(ctx, nameOrID); {
		case fault.CodeOf(err) == fault.NoSuchAccount:
		case err != nil:
			return nil, err
		case !seen[acc.ID]:
			seen[acc.ID] = true
			out = append(out, acc)
		}
	}
	return out, nil
}

// Warning names the accounts that others registered with other keys than they were asked to; "" if there are none, or
// none was found since the wallet was opened.
func (m *Importer) Warning() string {
	var said []string
	for _, r := range m.vault.registrations() {
		for _, other := range m.otherKeys.of(r.Owner) {
			said = append(said, other.String())
		}
	}
	return strings.Join(said, ". ")
}

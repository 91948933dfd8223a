package sandbox

import (
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/nodeerr"
)

var accountMethods = map[string]method{
	"get_accounts":           rows((*chain.State).Account),
	"get_account_statistics": rows((*chain.State).Statistics),
	"lookup_account_names":   rows((*chain.State).AccountByName),
	"get_account_count":      read0(func(st *chain.State) any { return st.AccountCount() }),
	"get_account_by_name": read1(func(st *chain.State, name string) (any, error) {
		return st.AccountByName(name), nil
	}),
	"lookup_accounts": read2(func(st *chain.State, lower string, limit uint32) (any, error) {
		if err := within1000(limit); err != nil {
			return nil, err
		}
		list := []any{}
		for _, name := range st.AccountNames(lower, int(limit)) {
			list = append(list, []any{name, st.AccountByName(name).ID})
		}
		return list, nil
	}),
	"search_accounts": read4(searchAccounts),
	"get_key_references": read1(func(st *chain.State, keys []ledger.PublicKey) (any, error) {
		list := make([][]ledger.AccountID, len(keys))
		for i, key := range keys {
			list[i] = st.AccountsOfKey(key)
		}
		return list, nil
	}),
	"get_account_references": read1(func(st *chain.State, id ledger.AccountID) (any, error) {
		return st.AccountsOfMember(id), nil
	}),
	"get_full_accounts": read2(fullAccounts),
	"get_account_balances": read2(func(st *chain.State, id ledger.AccountID, assets []ledger.AssetID) (any, error) {
		return balances(st, id, assets), nil
	}),
	"get_named_account_balances": read2(func(st *chain.State, name string, assets []ledger.AssetID) (any, error) {
		account := st.AccountByName(name)
		if account == nil {
			return nil, noAccount(name)
		}
		return balances(st, account.ID, assets), nil
	}),
}

func noAccount(name string) error {
	return nodeerr.New(nodeerr.CodeNoAccount, "call", "account: ${name}", nodeerr.Data{"name": name})
}

// textAmount is an amount whose number is always decimal text, which is how
// INTERFACE.md has balances; the node does so only above 4294967295.
type textAmount struct {
	Amount  string         `json:"amount"`
	AssetID ledger.AssetID `json:"asset_id"`
}

// balances gives what the account has: all that is not empty, or exactly the
// assets asked for.
func balances(st *chain.State, id ledger.AccountID, assets []ledger.AssetID) []textAmount {
	list := []textAmount{}
	add := func(amount int64, asset ledger.AssetID) {
		list = append(list, textAmount{strconv.FormatInt(amount, 10), asset})
	}
	for _, asset := range assets {
		add(st.Balance(id, asset), asset)
	}
	if len(assets) > 0 {
		return list
	}
	for _, b := range st.Balances(id) {
		if b.Balance != 0 {
			add(b.Balance, b.AssetType)
		}
	}
	return list
}

// searchAccounts finds accounts whose name or id contains term, in the given
// order, beginning at the account with the id start unless that is 0.0.0.
func searchAccounts(st *chain.State, term, order string, start ledger.ObjectID, limit uint32) (any, error) {
	if err := within1000(limit); err != nil {
		return nil, err
	}
	term = strings.ToLower(term)
	found := []*ledger.Account{}
	st.Accounts(func(a *ledger.Account) bool {
		if strings.Contains(a.Name, term) || strings.Contains(a.ID.String(), term) {
			found = append(found, a)
		}
		return true
	})
	slices.SortFunc(found, accountOrder(order))
	if start != 0 {
		at := slices.IndexFunc(found, func(a *ledger.Account) bool { return a.ID.Object() == start })
		if at < 0 {
			at = len(found)
		}
		found = found[at:]
	}
	return found[:min(len(found), int(limit))], nil
}

func accountOrder(order string) func(a, b *ledger.Account) int {
	byName := func(a, b *ledger.Account) int { return strings.Compare(a.Name, b.Name) }
	byID := func(a, b *ledger.Account) int { return int(a.ID) - int(b.ID) }
	switch order {
	case "+id":
		return byID
	case "-id":
		return func(a, b *ledger.Account) int { return byID(b, a) }
	case "-name":
		return func(a, b *ledger.Account) int { return byName(b, a) }
	}
	return byName
}

type fullAccount struct {
	Account         *ledger.Account         `json:"account"`
	Statistics      *chain.Statistics       `json:"statistics"`
	RegistrarName   string                  `json:"registrar_name"`
	Votes           []*chain.Miner          `json:"votes"`
	Balances        []*chain.Balance        `json:"balances"`
	VestingBalances []*chain.VestingBalance `json:"vesting_balances"`
	Proposals       []*chain.Proposal       `json:"proposals"`
}

func fullAccounts(st *chain.State, refs []string, _ bool) (any, error) {
	list := []any{}
	for _, ref := range refs {
		if a := accountOf(st, ref); a != nil {
			list = append(list, []any{ref, full(st, a)})
		}
	}
	return list, nil
}

// accountOf finds an account by name or id.
func accountOf(st *chain.State, ref string) *ledger.Account {
	if id, err := ledger.ParseAccountID(ref); err == nil {
		return st.Account(id)
	}
	return st.AccountByName(ref)
}

func full(st *chain.State, a *ledger.Account) fullAccount {
	f := fullAccount{
		Account: a, Statistics: st.Statistics(a.Statistics), RegistrarName: st.Account(a.Registrar).Name,
		Balances: st.Balances(a.ID), VestingBalances: st.VestingBalances(a.ID), Proposals: st.ProposalsNeeding(a.ID),
	}
	for _, vote := range a.Options.Votes {
		f.Votes = append(f.Votes, st.MinerByVote(vote))
	}
	return f
}

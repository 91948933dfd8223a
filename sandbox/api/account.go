package api

import (
	"slices"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var accountMethods = map[string]Method{
	"get_accounts": rows(func(st *state.State, id ledger.AccountID) *ledger.Account { return st.Accounts.Get(id) }),
	"get_account_statistics": rows(func(st *state.State, id ledger.AccountStatisticsID) *state.Statistics {
		return st.Accounts.Statistics(id)
	}),
	"lookup_account_names": rows(func(st *state.State, name string) *ledger.Account { return st.Accounts.ByName(name) }),
	"get_account_count":    read0(func(st *state.State) any { return st.Accounts.Count() }),
	"get_account_by_name": read1(func(st *state.State, name string) (any, error) {
		return st.Accounts.ByName(name), nil
	}),
	"lookup_accounts": read2(func(st *state.State, lower string, limit uint32) (any, error) {
		if err := within1000(limit); err != nil {
			return nil, err
		}
		list := []any{}
		for _, name := range st.Accounts.Names(lower, int(limit)) {
			list = append(list, []any{name, st.Accounts.ByName(name).ID})
		}
		return list, nil
	}),
	"search_accounts": read4(searchAccounts),
	"get_key_references": read1(func(st *state.State, keys []ledger.PublicKey) (any, error) {
		list := make([][]ledger.AccountID, len(keys))
		for i, key := range keys {
			list[i] = st.Accounts.OfKey(key)
		}
		return list, nil
	}),
	"get_account_references": read1(func(st *state.State, id ledger.AccountID) (any, error) {
		return st.Accounts.OfMember(id), nil
	}),
	"get_full_accounts": read2(fullAccounts),
	"get_account_balances": read2(func(st *state.State, id ledger.AccountID, assets []ledger.AssetID) (any, error) {
		return balances(st, id, assets), nil
	}),
	"get_named_account_balances": read2(func(st *state.State, name string, assets []ledger.AssetID) (any, error) {
		account := st.Accounts.ByName(name)
		if account == nil {
			return nil, noAccount(name)
		}
		return balances(st, account.ID, assets), nil
	}),
}

// textAmount is an amount whose number is always decimal text, as docs/protocol/interface.md
// requires for balances; the node writes text only above 4294967295.
type textAmount struct {
	Amount  string         `json:"amount"`
	AssetID ledger.AssetID `json:"asset_id"`
}

// balances returns an account's balances: of exactly the given assets, or all that
// are not zero if none is given.
func balances(st *state.State, id ledger.AccountID, assets []ledger.AssetID) []textAmount {
	list := []textAmount{}
	add := func(amount int64, asset ledger.AssetID) {
		list = append(list, textAmount{strconv.FormatInt(amount, 10), asset})
	}
	for _, asset := range assets {
		add(st.Balances.Of(id, asset), asset)
	}
	if len(assets) > 0 {
		return list
	}
	for _, b := range st.Balances.OfAccount(id) {
		if b.Balance != 0 {
			add(b.Balance, b.AssetType)
		}
	}
	return list
}

// searchAccounts returns at most limit accounts whose name or id contains term, in
// the given order, starting at the account start unless that is 0.0.0.
func searchAccounts(st *state.State, term, order string, start ledger.ObjectID, limit uint32) (any, error) {
	if err := within1000(limit); err != nil {
		return nil, err
	}
	term = strings.ToLower(term)
	found := []*ledger.Account{}
	for _, a := range st.Accounts.All() {
		if strings.Contains(a.Name, term) || strings.Contains(a.ID.String(), term) {
			found = append(found, a)
		}
	}
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
	Statistics      *state.Statistics       `json:"statistics"`
	RegistrarName   string                  `json:"registrar_name"`
	Votes           []*state.Miner          `json:"votes"`
	Balances        []*state.Balance        `json:"balances"`
	VestingBalances []*state.VestingBalance `json:"vesting_balances"`
	Proposals       []*state.Proposal       `json:"proposals"`
}

func fullAccounts(st *state.State, refs []string, _ bool) (any, error) {
	list := []any{}
	for _, ref := range refs {
		if a := st.Accounts.Find(ref); a != nil {
			list = append(list, []any{ref, newFullAccount(st, a)})
		}
	}
	return list, nil
}

func newFullAccount(st *state.State, a *ledger.Account) fullAccount {
	f := fullAccount{
		Account: a, Statistics: st.Accounts.Statistics(a.Statistics), RegistrarName: st.Accounts.Get(a.Registrar).Name,
		Balances: st.Balances.OfAccount(a.ID), VestingBalances: st.Vesting.OfAccount(a.ID), Proposals: st.Proposals.Needing(a.ID),
	}
	for _, vote := range a.Options.Votes {
		f.Votes = append(f.Votes, st.Miners.ByVote(vote))
	}
	return f
}

var proposalMethods = map[string]Method{
	"get_proposed_transactions": read1(func(st *state.State, id ledger.AccountID) (any, error) {
		return st.Proposals.Of(id), nil
	}),
}

var vestingMethods = map[string]Method{
	"get_vesting_balances": read1(func(st *state.State, owner ledger.AccountID) (any, error) {
		return st.Vesting.OfAccount(owner), nil
	}),
}

var publishingMethods = map[string]Method{
	"list_publishing_managers": read2(func(st *state.State, lower string, limit uint32) (any, error) {
		if err := within100(limit); err != nil {
			return nil, err
		}
		return st.Accounts.PublishingManagers(lower, int(limit)), nil
	}),
}

package api

import (
	"cmp"
	"slices"

	"billfold/content/share"
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

var seederMethods = map[string]Method{
	"get_seeder": read1(func(st *state.State, account ledger.AccountID) (any, error) {
		return orNull(st.Seeders.Of(account)), nil
	}),
	"list_seeders_by_price": listSeeders(func(_ *state.State, a, b *ledger.Seeder) int {
		return cmp.Compare(a.Price.Amount, b.Price.Amount)
	}),
	"list_seeders_by_upload": listSeeders(func(st *state.State, a, b *ledger.Seeder) int {
		return cmp.Compare(st.Seeders.Activity(b.Seeder).TotalUpload, st.Seeders.Activity(a.Seeder).TotalUpload)
	}),
	"list_seeders_by_rating": listSeeders(func(_ *state.State, a, b *ledger.Seeder) int { return cmp.Compare(b.Rating, a.Rating) }),
	"list_seeders_by_region": read1(func(st *state.State, region string) (any, error) {
		return slices.DeleteFunc(presentSeeders(st), func(s *ledger.Seeder) bool { return s.RegionCode != region }), nil
	}),
	"generate_content_keys": read1(contentKeys),
}

// presentSeeders returns the seeders that have announced themselves within a day, in the order of their ids.
func presentSeeders(st *state.State) []*ledger.Seeder {
	list := []*ledger.Seeder{}
	for _, s := range st.Seeders.All() {
		if s.Expiration > st.HeadTime() {
			list = append(list, s)
		}
	}
	return list
}

// listSeeders makes a method that returns the first seeders in an order.
func listSeeders(compare func(st *state.State, a, b *ledger.Seeder) int) Method {
	return read1(func(st *state.State, count uint32) (any, error) {
		if err := within100(count); err != nil {
			return nil, err
		}
		list := presentSeeders(st)
		slices.SortStableFunc(list, func(a, b *ledger.Seeder) int { return compare(st, a, b) })
		return list[:min(len(list), int(count))], nil
	})
}

// contentKeys makes a content key with a part for each seeder. Without seeders there are no parts, and the node's quorum is 2 all the same.
func contentKeys(st *state.State, accounts []ledger.AccountID) (any, error) {
	numbers := make([]ledger.BigInteger, len(accounts))
	for i, account := range accounts {
		seeder := st.Seeders.Of(account)
		if seeder == nil {
			return nil, nodeerr.New(nodeerr.CodeNoSeeder, "generate_content_keys", "objs: Seeder: ${s}", nodeerr.Data{"s": account})
		}
		numbers[i] = seeder.PubKey
	}
	keys, err := share.GenerateContentKeys(numbers)
	keys.Quorum = max(keys.Quorum, 2)
	return keys, err
}

package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var minerMethods = map[string]method{
	"get_miners":      rows((*chain.State).Miner),
	"lookup_vote_ids": rows((*chain.State).MinerByVote),
	"get_miner_count": read0(func(st *chain.State) any { return st.MinerCount() }),
	"get_miner_by_account": read1(func(st *chain.State, id ledger.AccountID) (any, error) {
		return st.MinerOf(id), nil
	}),
	"lookup_miner_accounts": read2(func(st *chain.State, lower string, limit uint32) (any, error) {
		if err := within1000(limit); err != nil {
			return nil, err
		}
		list := []any{}
		for _, name := range st.AccountNames(lower, int(st.AccountCount())) {
			if m := st.MinerOf(st.AccountByName(name).ID); m != nil && len(list) < int(limit) {
				list = append(list, []any{name, m.ID})
			}
		}
		return list, nil
	}),
}

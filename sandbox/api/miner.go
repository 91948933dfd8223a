package api

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/produce"
	"billfold/sandbox/chain/state"
)

var minerMethods = map[string]Method{
	"get_miners":      rows(func(st *state.State, id ledger.MinerID) *state.Miner { return st.Miners.Get(id) }),
	"get_miner_count": read0(func(st *state.State) any { return st.Miners.Count() }),
	"get_miner_by_account": read1(func(st *state.State, id ledger.AccountID) (any, error) {
		return st.Miners.OfAccount(id), nil
	}),
	"lookup_miner_accounts": read2(func(st *state.State, lower string, limit uint32) (any, error) {
		if err := within1000(limit); err != nil {
			return nil, err
		}
		list := []any{}
		for _, m := range minersByName(st, lower, int(limit)) {
			list = append(list, []any{st.Accounts.Get(m.MinerAccount).Name, m.ID})
		}
		return list, nil
	}),
	"lookup_vote_ids": read1(func(st *state.State, votes []ledger.VoteID) (any, error) {
		if err := within1000(uint32(len(votes))); err != nil {
			return nil, err
		}
		list := make([]*state.Miner, len(votes))
		for i, vote := range votes {
			list[i] = st.Miners.ByVote(vote)
		}
		return list, nil
	}),
	"get_actual_votes":        read0(func(st *state.State) any { return produce.ActualVotes(st) }),
	"search_miner_voting":     searchMinerVoting,
	"get_new_asset_per_block": read0(func(st *state.State) any { return produce.NewAssetAt(st.Dynamic().HeadBlockNumber) }),
	"get_asset_per_block_by_block_num": read1(func(st *state.State, num uint32) (any, error) {
		return produce.NewAssetAt(num), nil
	}),
	"get_miner_pay_from_fees_by_block_time": read1(func(st *state.State, t ledger.Time) (any, error) {
		pay, fault := produce.PayFromFees(st, t)
		return pay, asError(fault)
	}),
	"get_time_to_maint_by_block_time": read1(func(st *state.State, t ledger.Time) (any, error) {
		info, fault := produce.TimeToMaintenance(st, t)
		return info, asError(fault)
	}),
}

// minersByName returns at most limit miners in order of their accounts' names,
// starting at lower.
func minersByName(st *state.State, lower string, limit int) []*state.Miner {
	miners := []*state.Miner{}
	for _, name := range st.Accounts.Names(lower, int(st.Accounts.Count())) {
		if m := st.Miners.OfAccount(st.Accounts.ByName(name).ID); m != nil && len(miners) < limit {
			miners = append(miners, m)
		}
	}
	return miners
}

// minerVoting is a miner, and whether an account votes for it.
type minerVoting struct {
	ID         ledger.MinerID `json:"id"`
	Name       string         `json:"name"`
	URL        string         `json:"url"`
	TotalVotes uint64         `json:"total_votes"`
	Voted      bool           `json:"voted"`
}

// minerSearch holds the arguments of search_miner_voting: the voter by name or id,
// "" for nobody; a part of the miner's name; the miner to start at, "" for the
// first.
type minerSearch struct {
	voter, term string
	onlyVoted   bool
	order, from string
	count       uint32
}

func searchMinerVoting(s *Session, args []json.RawMessage) (out any, err error) {
	r := &reader{args: args}
	q := minerSearch{
		voter: next[string](r), term: next[string](r), onlyVoted: next[bool](r),
		order: next[string](r), from: next[string](r), count: next[uint32](r),
	}
	if r.err != nil {
		return nil, r.err
	}
	s.Chain.View(func(st *state.State) { out, err = q.find(st) })
	return out, err
}

// maxMinersSearched is the maximum number of miners, by name, that a search looks at.
const maxMinersSearched = 1000

func (q minerSearch) find(st *state.State) (any, error) {
	var votes []ledger.VoteID
	if q.voter != "" {
		account := st.Accounts.Find(q.voter)
		if account == nil {
			return nil, noAccount(q.voter)
		}
		votes = account.Options.Votes
	}
	found := []minerVoting{}
	for _, m := range minersByName(st, "", maxMinersSearched) {
		name, voted := st.Accounts.Get(m.MinerAccount).Name, slices.Contains(votes, m.VoteID)
		if strings.Contains(name, q.term) && (voted || !q.onlyVoted) {
			found = append(found, minerVoting{m.ID, name, m.URL, m.TotalVotes, voted})
		}
	}
	slices.SortStableFunc(found, minerOrder(q.order))
	found, err := q.startAt(found)
	return found[:min(len(found), int(q.count))], err
}

// startAt drops the miners before the one to start at. If that one is not among
// them, it returns none.
func (q minerSearch) startAt(found []minerVoting) ([]minerVoting, error) {
	if q.from == "" {
		return found, nil
	}
	id, err := ledger.ParseObjectID(q.from)
	if err != nil {
		return nil, nodeerr.New(nodeerr.CodeAssert, "search_miner_voting", "id: ${why}", nodeerr.Data{"why": err.Error()})
	}
	at := slices.IndexFunc(found, func(m minerVoting) bool { return m.ID.Object() == id })
	if at < 0 {
		return []minerVoting{}, nil
	}
	return found[at:], nil
}

func minerOrder(order string) func(a, b minerVoting) int {
	orders := map[string]func(a, b minerVoting) int{
		"name":  func(a, b minerVoting) int { return strings.Compare(a.Name, b.Name) },
		"link":  func(a, b minerVoting) int { return strings.Compare(a.URL, b.URL) },
		"votes": func(a, b minerVoting) int { return cmp.Compare(a.TotalVotes, b.TotalVotes) },
	}
	if order == "" {
		return orders["name"]
	}
	compare, ok := orders[order[1:]]
	switch {
	case ok && order[0] == '+':
		return compare
	case ok && order[0] == '-':
		return func(a, b minerVoting) int { return compare(b, a) }
	}
	return orders["name"]
}

package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// MinerQueries are the queries about miners, votes, and the miners' pay; see Queries.
type MinerQueries struct{ ask asker }

// LookupMinerAccounts lists at most 1000 pairs [account name, miner id] by name, starting at lower.
func (q MinerQueries) LookupMinerAccounts(ctx context.Context, lower string, limit uint32) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "lookup_miner_accounts", lower, limit)
}

// MinerByAccount returns the miner of an account, nil if it is not a miner.
func (q MinerQueries) MinerByAccount(ctx context.Context, account ledger.AccountID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_miner_by_account", account)
}

// GetMiners returns one miner per id.
func (q MinerQueries) GetMiners(ctx context.Context, ids []ledger.MinerID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_miners", emptyForNil(ids))
}

// MinerSearch are the parameters of SearchMinerVoting.
type MinerSearch struct {
	Voter string // name or id of an account; "" = nobody
	Term  string // a part of the name
	Voted bool   // only those that Voter votes for
	Order string // "+name", "-name", "+link", "-link", "+votes", "-votes"
	From  string // id of the miner to start at; "" = the first
	Count uint32
}

// SearchMinerVoting returns miners, and whether an account votes for them.
func (q MinerQueries) SearchMinerVoting(ctx context.Context, s MinerSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_miner_voting", s.Voter, s.Term, s.Voted, s.Order, s.From, s.Count)
}

// VestingBalances returns the vesting balances of an account.
func (q MinerQueries) VestingBalances(ctx context.Context, owner ledger.AccountID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_vesting_balances", owner)
}

// FeedsByMiner returns the latest prices that an account published, at most 100, each with its time.
func (q MinerQueries) FeedsByMiner(ctx context.Context, publisher ledger.AccountID, count uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_feeds_by_miner", publisher, count)
}

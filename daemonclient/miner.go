package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
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

func readMinerID(raw json.RawMessage) (id ledger.MinerID, err error) {
	err = readID(raw, &id)
	return id, err
}

// checkMinerList expects names and ids of miners, from the first name asked for, at most the limit.
func checkMinerList(q question, result json.RawMessage) error {
	return checkNames(q, result, "miners", map[ledger.MinerID]bool{})
}

// checkMinerOf expects the miner of the account asked for, or null.
func checkMinerOf(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	m, err := fields(result, "id", "miner_account")
	if err != nil {
		return err
	}
	if _, err := readMinerID(m[0]); err != nil {
		return err
	}
	if got, err := objectID(m[1]); err != nil || got != q.object(0) {
		return fmt.Errorf("asked for the miner of %s, got that of %s", q.object(0), quoted(m[1]))
	}
	return nil
}

// checkMinerVoting expects miners, none twice, with the term in their names, and only voted ones if those were asked for.
func checkMinerVoting(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(5))
	if err != nil {
		return err
	}
	ids := map[ledger.MinerID]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "name", "voted")
		if err != nil {
			return err
		}
		id, err := readMinerID(m[0])
		if err != nil {
			return err
		}
		name, err := accountName(m[1])
		if err != nil {
			return err
		}
		if err := wantBool(q, m[2]); err != nil {
			return err
		}
		switch {
		case ids[id]:
			return fmt.Errorf("%s occurs twice", id)
		case !strings.Contains(name, q.text(1)):
			return fmt.Errorf("got %s for %s", name, quoted(q.param(1)))
		case string(q.param(2)) == "true" && string(m[2]) != "true":
			return fmt.Errorf("got %s, which is not voted for", name)
		}
		ids[id] = true
	}
	return nil
}

// checkVesting expects vesting balances of the account asked for, none twice.
func checkVesting(q question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	seen := map[ledger.VestingBalanceID]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "owner", "balance")
		if err != nil {
			return err
		}
		var id ledger.VestingBalanceID
		if err := readID(m[0], &id); err != nil {
			return err
		}
		if owner, err := objectID(m[1]); err != nil || owner != q.object(0) {
			return fmt.Errorf("got %s of %s for %s", id, quoted(m[1]), q.object(0))
		}
		if _, err := amount(m[2]); err != nil {
			return err
		}
		if seen[id] {
			return fmt.Errorf("%s occurs twice", id)
		}
		seen[id] = true
	}
	return nil
}

// checkFeeds expects pairs of a time and a price, not more than asked for.
func checkFeeds(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	for _, raw := range list {
		pair, err := exactRows(raw, 2)
		if err != nil {
			return err
		}
		if err := wantA[ledger.Time](q, pair[0]); err != nil {
			return err
		}
		m, err := fields(pair[1], "core_exchange_rate")
		if err != nil {
			return err
		}
		var price ledger.Price
		if err := codec.Unmarshal(m[0], &price); err != nil {
			return err
		}
	}
	return nil
}

package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Count returns how many accounts there are.
func (s *Accounts) Count(ctx context.Context) (uint64, error) {
	n, err := s.daemon.AccountCount(ctx)
	return n, daemonFault("counting accounts", err)
}

// AccountSearch selects accounts.
type AccountSearch struct {
	Term  string          // a part of the name or the id
	Order string          // "+name", "-name", "+id", "-id"
	From  ledger.ObjectID // the account to start at; 0.0.0 = the first
	Limit uint32          // at most 1000
}

// Search finds accounts by a part of their name or id, at most 1000, as the daemon wrote them.
func (s *Accounts) Search(ctx context.Context, search AccountSearch) ([]json.RawMessage, error) {
	found, err := s.daemon.SearchAccounts(ctx, daemonclient.AccountSearch(search))
	if err != nil {
		return nil, fault.Daemon("searching accounts", err)
	}
	_, err = s.pins.checkRawAccounts(ctx, found)
	return found, err
}

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
	return n, ofDaemon("counting accounts", err)
}

// AccountSearch is which accounts are found.
type AccountSearch struct {
	Term  string          // a part of the name or the id
	Order string          // "+name", "-name", "+id", "-id"
	From  ledger.ObjectID // the account to start at; 0.0.0 = the first
	Limit uint32          // at most 1000
}

// Search finds accounts by a part of their name or id, at most 1000.
func (s *Accounts) Search(ctx context.Context, search AccountSearch) ([]json.RawMessage, error) {
	found, err := s.daemon.SearchAccounts(ctx, daemonclient.AccountSearch(search))
	if err != nil {
		return nil, fault.Daemon("searching accounts", err)
	}
	_, err = s.pins.checkRawAccounts(ctx, found)
	return found, err
}

// Proposals lists the proposals that need an account's approval, or have it.
func (s *Accounts) Proposals(ctx context.Context, nameOrID string) ([]json.RawMessage, error) {
	account, err := s.Get(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.ProposedTransactions(ctx, account.ID)
	return found, ofDaemon("reading proposals", err)
}

// ActsFor lists the accounts that name an account in an authority: those that it has a say in.
func (s *Accounts) ActsFor(ctx context.Context, id ledger.AccountID) ([]ledger.AccountID, error) {
	found, err := s.daemon.AccountReferences(ctx, id)
	return found, ofDaemon("reading which accounts name "+id.String(), err)
}

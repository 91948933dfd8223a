package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// Proposals lists the proposals that need an account's approval, or have it.
func (s *Accounts) Proposals(ctx context.Context, nameOrID string) ([]json.RawMessage, error) {
	account, err := s.Get(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.ProposedTransactions(ctx, account.ID)
	return found, daemonFault("reading proposals", err)
}

// ActsFor lists the accounts that name an account in an authority: those that it has a say in.
func (s *Accounts) ActsFor(ctx context.Context, id ledger.AccountID) ([]ledger.AccountID, error) {
	found, err := s.daemon.AccountReferences(ctx, id)
	return found, daemonFault("reading which accounts name "+id.String(), err)
}

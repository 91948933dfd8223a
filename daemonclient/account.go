package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// NamedAccount is a row of LookupAccounts.
type NamedAccount struct {
	_    struct{}         `fc:"pair"`
	Name string           `json:"name"`
	ID   ledger.AccountID `json:"id"`
}

// AccountQueries are the queries about accounts, their balances and keys; see Queries.
type AccountQueries struct{ ask asker }

// GetAccounts returns one account per id.
func (q AccountQueries) GetAccounts(ctx context.Context, ids []ledger.AccountID) ([]*ledger.Account, error) {
	return query[[]*ledger.Account](ctx, q.ask, Database, "get_accounts", emptyForNil(ids))
}

// GetAccountsRaw is GetAccounts as the daemon wrote it.
func (q AccountQueries) GetAccountsRaw(ctx context.Context, ids []ledger.AccountID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_accounts", emptyForNil(ids))
}

// LookupAccountNames returns one account per name. Ids are not names here.
func (q AccountQueries) LookupAccountNames(ctx context.Context, names []string) ([]*ledger.Account, error) {
	return query[[]*ledger.Account](ctx, q.ask, Database, "lookup_account_names", emptyForNil(names))
}

// LookupAccountNamesRaw is LookupAccountNames as the daemon wrote it.
func (q AccountQueries) LookupAccountNamesRaw(ctx context.Context, names []string) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "lookup_account_names", emptyForNil(names))
}

// LookupAccounts lists at most 1000 accounts by name, starting at lower.
func (q AccountQueries) LookupAccounts(ctx context.Context, lower string, limit uint32) ([]NamedAccount, error) {
	return query[[]NamedAccount](ctx, q.ask, Database, "lookup_accounts", lower, limit)
}

// LookupAccountsRaw is LookupAccounts as the daemon wrote it.
func (q AccountQueries) LookupAccountsRaw(ctx context.Context, lower string, limit uint32) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "lookup_accounts", lower, limit)
}

// GetAccountBalances returns the balances of an account: all that are not zero if no asset is named, otherwise one per
// asset, including zeros.
func (q AccountQueries) GetAccountBalances(ctx context.Context, account ledger.AccountID,
	assets ...ledger.AssetID) ([]ledger.AssetAmount, error) {
	return query[[]ledger.AssetAmount](ctx, q.ask, Database, "get_account_balances", account, emptyForNil(assets))
}

// GetAccountBalancesRaw is GetAccountBalances as the daemon wrote it.
func (q AccountQueries) GetAccountBalancesRaw(ctx context.Context, account ledger.AccountID,
	assets ...ledger.AssetID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_account_balances", account, emptyForNil(assets))
}

// KeyReferences returns, per key, the accounts that name it as owner, active or memo key.
func (q AccountQueries) KeyReferences(ctx context.Context, keys []ledger.PublicKey) ([][]ledger.AccountID, error) {
	return query[[][]ledger.AccountID](ctx, q.ask, Database, "get_key_references", emptyForNil(keys))
}

// AccountReferences returns the accounts that have this one in an authority.
func (q AccountQueries) AccountReferences(ctx context.Context, account ledger.AccountID) ([]ledger.AccountID, error) {
	return query[[]ledger.AccountID](ctx, q.ask, Database, "get_account_references", account)
}

// AccountCount returns the number of accounts on the chain.
func (q AccountQueries) AccountCount(ctx context.Context) (uint64, error) {
	return query[uint64](ctx, q.ask, Database, "get_account_count")
}

// AccountSearch are the parameters of SearchAccounts.
type AccountSearch struct {
	Term  string          // a part of the name or the id
	Order string          // "+name", "-name", "+id", "-id"
	From  ledger.ObjectID // the account to start at; 0.0.0 = the first
	Limit uint32          // at most 1000
}

// SearchAccounts finds accounts by a part of their name or id.
func (q AccountQueries) SearchAccounts(ctx context.Context, s AccountSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_accounts", s.Term, s.Order, s.From, s.Limit)
}

// ProposedTransactions returns the proposals that need an account's approval or already have it.
func (q AccountQueries) ProposedTransactions(ctx context.Context, account ledger.AccountID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_proposed_transactions", account)
}

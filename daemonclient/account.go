package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
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

// checkBalances expects a row for each named asset, in their order; if none was named, no asset twice. No balance is negative.
func checkBalances(q question, result json.RawMessage) error {
	named := q.list(1)
	most := uint64(len(named))
	if most == 0 {
		most = largeSize
	}
	list, err := rows(result, most)
	if err != nil {
		return err
	}
	if len(named) > 0 && len(list) != len(named) {
		return fmt.Errorf("got %d balances, not %d", len(list), len(named))
	}
	seen := map[ledger.AssetID]bool{}
	for i, raw := range list {
		held, err := amount(raw)
		if err != nil {
			return err
		}
		if len(named) == 0 {
			if seen[held.AssetID] {
				return fmt.Errorf("%s occurs twice", held.AssetID)
			}
			seen[held.AssetID] = true
			continue
		}
		if want, err := objectID(named[i]); err != nil {
			return err
		} else if want != held.AssetID.Object() {
			return fmt.Errorf("asked for the balance of %s, got that of %s", want, held.AssetID)
		}
	}
	return nil
}

// amount reads an amount that is not negative; both members must be present.
func amount(raw json.RawMessage) (held ledger.AssetAmount, err error) {
	m, err := fields(raw, "amount", "asset_id")
	if err != nil {
		return held, err
	}
	if m[0] == nil || m[1] == nil {
		return held, fmt.Errorf("%s is not an amount", quoted(raw))
	}
	if err = codec.Unmarshal(raw, &held); err == nil && held.Amount < 0 {
		err = fmt.Errorf("%s is negative", quoted(raw))
	}
	return held, err
}

// checkKeyReferences expects one list of accounts per key.
func checkKeyReferences(q question, result json.RawMessage) error {
	list, err := exactRows(result, len(q.list(0)))
	if err != nil {
		return err
	}
	for _, accounts := range list {
		if err := checkAccountIDs(q, accounts); err != nil {
			return err
		}
	}
	return nil
}

// checkAccountIDs expects account ids, none twice.
func checkAccountIDs(_ question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(list))
	for _, id := range list {
		switch err := checkAccountRow(id); {
		case err != nil:
			return err
		case seen[string(id)]:
			return fmt.Errorf("%s occurs twice", quoted(id))
		}
		seen[string(id)] = true
	}
	return nil
}

func accountName(raw json.RawMessage) (string, error) {
	name, err := plainText(raw)
	if err != nil {
		return "", err
	}
	if ledger.ValidAccountName(name) != nil {
		return "", fmt.Errorf("%s is not an account name", quoted(raw))
	}
	return name, nil
}

func checkAccountRow(id json.RawMessage) error {
	var account ledger.AccountID
	return readID(id, &account)
}

// checkAccountNames expects one row per name asked for: the account with that name, or null.
func checkAccountNames(q question, result json.RawMessage) error {
	names := q.list(0)
	list, err := exactRows(result, len(names))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		want, err := plainText(names[i])
		if err != nil {
			return err
		}
		m, err := fields(raw, "id", "name")
		if err != nil {
			return err
		}
		if err := checkAccountRow(m[0]); err != nil {
			return err
		}
		if got, err := accountName(m[1]); err != nil {
			return err
		} else if got != want {
			return fmt.Errorf("asked for %s, got %s", quoted(names[i]), got)
		}
	}
	return nil
}

// checkAccountList expects names and ids of accounts, from the first name asked for, at most the limit.
func checkAccountList(q question, result json.RawMessage) error {
	return checkNames(q, result, "accounts", map[ledger.AccountID]bool{})
}

// checkNames expects pairs of a name and an id, from the first name asked for, at most the limit. what names their kind
// in errors, and ids collects the ids.
func checkNames[K ledger.Kind](q question, result json.RawMessage, what string, ids map[ledger.ID[K]]bool) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	last := ""
	for _, raw := range list {
		pair, err := exactRows(raw, 2)
		if err != nil {
			return err
		}
		name, err := accountName(pair[0])
		if err != nil {
			return err
		}
		var id ledger.ID[K]
		err = readID(pair[1], &id)
		switch {
		case err != nil:
			return err
		case name < q.text(0) || name <= last:
			return fmt.Errorf("%s is out of order in the %s from %s on", name, what, quoted(q.param(0)))
		case ids[id]:
			return fmt.Errorf("%s has two names", id)
		}
		ids[id], last = true, name
	}
	return nil
}

// checkSearchedAccounts expects accounts whose name or id contains the term, in the order asked for.
func checkSearchedAccounts(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(3))
	if err != nil {
		return err
	}
	term := strings.ToLower(q.text(0))
	var last foundAccount
	for i, raw := range list {
		now, err := readFoundAccount(raw)
		switch {
		case err != nil:
			return err
		case !strings.Contains(now.name, term) && !strings.Contains(now.id.String(), term):
			return fmt.Errorf("got %s %s for %s", now.id, now.name, quoted(q.param(0)))
		case i > 0 && !last.before(now, q.text(1)):
			return fmt.Errorf("%s %s is out of order", now.id, now.name)
		}
		last = now
	}
	return nil
}

type foundAccount struct {
	id   ledger.ObjectID
	name string
}

// before reports whether a stands before b in an order of search_accounts.
func (a foundAccount) before(b foundAccount, order string) bool {
	switch order {
	case "+id":
		return a.id < b.id
	case "-id":
		return a.id > b.id
	case "-name":
		return a.name > b.name
	}
	return a.name < b.name
}

func readFoundAccount(raw json.RawMessage) (row foundAccount, err error) {
	m, err := fields(raw, "id", "name")
	if err != nil {
		return row, err
	}
	if err = checkAccountRow(m[0]); err != nil {
		return row, err
	}
	row.id, _ = objectID(m[0]) // checked above
	row.name, err = accountName(m[1])
	return row, err
}

// checkProposals expects proposals, none twice, that need the account's approval or have it.
func checkProposals(q question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	account, seen := string(q.param(0)), map[string]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "required_active_approvals", "available_active_approvals", "required_owner_approvals",
			"available_owner_approvals")
		if err != nil {
			return err
		}
		var id ledger.ProposalID
		if err := readID(m[0], &id); err != nil {
			return err
		}
		if seen[string(m[0])] {
			return fmt.Errorf("%s occurs twice", quoted(m[0]))
		}
		if seen[string(m[0])] = true; !namedIn(account, m[1:]) {
			return fmt.Errorf("got %s for %s, whose approval it does not need", quoted(m[0]), quoted(q.param(0)))
		}
	}
	return nil
}

// namedIn reports whether one of lists contains the element.
func namedIn(element string, lists []json.RawMessage) bool {
	for _, list := range lists {
		for _, e := range elements(list) {
			if string(e) == element {
				return true
			}
		}
	}
	return false
}

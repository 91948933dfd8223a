package ledgerview

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"

	lru "github.com/hashicorp/golang-lru/v2"
)

// accountReader is the part of the daemon that accounts are read from.
type accountReader interface {
	GetAccounts(ctx context.Context, ids []ledger.AccountID) ([]*ledger.Account, error)
	GetAccountsRaw(ctx context.Context, ids []ledger.AccountID) ([]json.RawMessage, error)
	LookupAccountNamesRaw(ctx context.Context, names []string) ([]json.RawMessage, error)
	accountLister
	accountSearcher
}

// accountLister finds accounts by the start of a name, or by a key.
type accountLister interface {
	LookupAccounts(ctx context.Context, lower string, limit uint32) ([]daemonclient.NamedAccount, error)
	LookupAccountsRaw(ctx context.Context, lower string, limit uint32) (json.RawMessage, error)
	KeyReferences(ctx context.Context, keys []ledger.PublicKey) ([][]ledger.AccountID, error)
}

// accountSearcher counts and searches accounts.
type accountSearcher interface {
	AccountCount(ctx context.Context) (uint64, error)
	SearchAccounts(ctx context.Context, s daemonclient.AccountSearch) ([]json.RawMessage, error)
	AccountReferences(ctx context.Context, account ledger.AccountID) ([]ledger.AccountID, error)
	ProposedTransactions(ctx context.Context, account ledger.AccountID) ([]json.RawMessage, error)
}

// maxNames bounds the names that are kept from the history index.
const maxNames = 50_000

// Accounts reads accounts from the ledger.
type Accounts struct {
	daemon accountReader
	cache  *blockCache
	pins   *Pins
	names  *lru.Cache[ledger.AccountID, string] // from the history index; names from a daemon take precedence
	known  func() []AccountRef                  // the accounts that this wallet knows; nil: none
}

func newAccounts(c Config, cache *blockCache, pins *Pins) *Accounts {
	names, err := lru.New[ledger.AccountID, string](maxNames)
	if err != nil {
		panic(err) // only a size below one is refused
	}
	return &Accounts{c.Daemon, cache, pins, names, c.Known}
}

// Get finds an account by name or id, as of the head block. Errors:
// fault.EmptyAccount, fault.NoSuchAccount, fault.DaemonContradicts, or the daemon's.
func (s *Accounts) Get(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	f := s.cache.current()
	if a := f.accounts.get(nameOrID); a != nil {
		return a, nil
	}
	raw, err := s.Raw(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	a := new(ledger.Account)
	if err := codec.Unmarshal(raw, a); err != nil {
		return nil, fault.Daemon("reading account "+fault.Quote(nameOrID), err)
	}
	return f.accounts.putIfAbsent(a, a.Name, a.ID.String()), nil
}

// Raw is Get, but returns the account as the daemon wrote it, including members
// that a newer daemon adds.
func (s *Accounts) Raw(ctx context.Context, nameOrID string) (json.RawMessage, error) {
	f := s.cache.current()
	known := func() *json.RawMessage { return f.rawAccounts.get(nameOrID) }
	raw, err := readOnce(ctx, &f.reading, "account "+nameOrID, known, func(ctx context.Context) (*json.RawMessage, error) {
		raw, err := s.fetch(ctx, nameOrID)
		if err == nil {
			f.rawAccounts.put(&raw, nameOrID)
		}
		return &raw, err
	})
	if err != nil {
		return nil, fault.Daemon("looking up account "+fault.Quote(nameOrID), err)
	}
	return *raw, nil
}

// fetch reads an account from the daemon and checks it against the pins.
func (s *Accounts) fetch(ctx context.Context, nameOrID string) (json.RawMessage, error) {
	if nameOrID == "" {
		return nil, &fault.Error{Code: fault.EmptyAccount, Op: "get_account",
			Message: "the account name or id is empty", Hint: "write a name such as alice, or an id such as 1.2.34"}
	}
	if ledger.IDProblem(nameOrID) != "" {
		return nil, fault.AccountUnknown(nameOrID)
	}
	var found []json.RawMessage
	var err error
	if id, ok := AccountIDText(nameOrID); ok {
		found, err = s.daemon.GetAccountsRaw(ctx, []ledger.AccountID{id})
	} else {
		found, err = s.daemon.LookupAccountNamesRaw(ctx, []string{nameOrID})
	}
	if err != nil {
		return nil, fault.Daemon("looking up account "+fault.Quote(nameOrID), err)
	}
	if len(found) != 1 || IsNull(found[0]) {
		return nil, s.unknown(nameOrID)
	}
	refs, err := s.pins.checkRawAccounts(ctx, found)
	if err != nil {
		return nil, err
	}
	s.pins.queueAccount(refs[0].ID)
	return found[0], nil
}

// Named returns the reference to an account, by name or id. Errors: those of Get.
func (s *Accounts) Named(ctx context.Context, nameOrID string) (AccountRef, error) {
	a, err := s.Get(ctx, nameOrID)
	if err != nil {
		return AccountRef{}, err
	}
	return AccountRef{a.ID, a.Name}, nil
}

// Find lists accounts whose names begin with prefix, sorted by name, at most limit.
func (s *Accounts) Find(ctx context.Context, prefix string, limit int) ([]AccountRef, error) {
	rows, err := s.daemon.LookupAccounts(ctx, prefix, uint32(limit))
	if err != nil {
		return nil, fault.Daemon("looking up accounts", err)
	}
	var out []AccountRef
	for _, r := range rows {
		if strings.HasPrefix(r.Name, prefix) {
			out = append(out, AccountRef{r.ID, r.Name})
		}
	}
	return out, s.pins.CheckAccounts(ctx, out...)
}

// List lists [name, id] pairs sorted by name, starting at lower, at most limit (1000).
func (s *Accounts) List(ctx context.Context, lower string, limit uint32) (json.RawMessage, error) {
	raw, err := s.daemon.LookupAccountsRaw(ctx, lower, limit)
	if err != nil {
		return nil, fault.Daemon("listing accounts", err)
	}
	var rows []daemonclient.NamedAccount
	if err := codec.Unmarshal(raw, &rows); err != nil {
		return nil, fault.Daemon("listing accounts", err)
	}
	refs := make([]AccountRef, len(rows))
	for i, r := range rows {
		refs[i] = AccountRef{r.ID, r.Name}
	}
	return raw, s.pins.CheckAccounts(ctx, refs...)
}

// ByID reads accounts in one call. Those that do not exist are missing
// from the result.
func (s *Accounts) ByID(ctx context.Context, ids []ledger.AccountID) (map[ledger.AccountID]*ledger.Account, error) {
	out := make(map[ledger.AccountID]*ledger.Account, len(ids))
	f := s.cache.current()
	var missing []ledger.AccountID
	for _, id := range ids {
		if a := f.accounts.get(id.String()); a != nil {
			out[id] = a
		} else {
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	key, unknown := "accounts "+fmt.Sprint(missing), func() *[]*ledger.Account { return nil }
	found, err := readOnce(ctx, &f.reading, key, unknown, func(ctx context.Context) (*[]*ledger.Account, error) {
		found, err := s.fetchByID(ctx, f, missing)
		return &found, err
	})
	if err != nil {
		return nil, fault.Daemon("reading accounts", err)
	}
	for _, a := range *found {
		if a != nil {
			out[a.ID] = a
		}
	}
	return out, nil
}

// fetchByID reads accounts from the daemon and caches them in f. Those that do not exist are nil.
func (s *Accounts) fetchByID(ctx context.Context, f *facts, ids []ledger.AccountID) ([]*ledger.Account, error) {
	found, err := s.daemon.GetAccounts(ctx, ids)
	if err != nil {
		return nil, err
	}
	var refs []AccountRef
	for _, a := range found {
		if a != nil {
			refs = append(refs, AccountRef{a.ID, a.Name})
		}
	}
	if err := s.pins.CheckAccounts(ctx, refs...); err != nil {
		return nil, err
	}
	for i, a := range found {
		if a != nil {
			found[i] = f.accounts.putIfAbsent(a, a.Name, a.ID.String())
		}
	}
	return found, nil
}

// RawByID reads accounts as the daemon wrote them. Those that do not exist are left out.
func (s *Accounts) RawByID(ctx context.Context, ids []ledger.AccountID) ([]json.RawMessage, error) {
	if len(ids) == 0 {
		return []json.RawMessage{}, nil
	}
	found, err := s.daemon.GetAccountsRaw(ctx, ids)
	if err != nil {
		return nil, fault.Daemon("reading the wallet's accounts", err)
	}
	if _, err := s.pins.checkRawAccounts(ctx, found); err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, 0, len(found))
	for _, raw := range found {
		if !IsNull(raw) {
			out = append(out, raw)
		}
	}
	return out, nil
}

// maxPerCall is the largest number of ids in one call.
const maxPerCall = 100

// loadNames reads the names of accounts that have none yet, so that Name returns them.
func (s *Accounts) loadNames(ctx context.Context, ids []ledger.AccountID) error {
	missing := s.unnamed(ids)
	for len(missing) > 0 {
		n := min(len(missing), maxPerCall)
		if _, err := s.ByID(ctx, missing[:n]); err != nil {
			return err
		}
		missing = missing[n:]
	}
	return nil
}

// unnamed returns the ids whose names are not known yet, each once.
func (s *Accounts) unnamed(ids []ledger.AccountID) (out []ledger.AccountID) {
	seen := map[ledger.AccountID]bool{}
	for _, id := range ids {
		if _, known := s.Name(id); !known && !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// rememberNames keeps names from the history index.
func (s *Accounts) rememberNames(names map[ledger.AccountID]string) {
	for id, name := range names {
		s.names.Add(id, name)
	}
}

// ForgetNames drops the names from the history index, for instance when its chain no
// longer exists. They are read again when needed.
func (s *Accounts) ForgetNames() { s.names.Purge() }

// Name returns the name of an account if it became known in this run.
func (s *Accounts) Name(id ledger.AccountID) (string, bool) {
	if p, ok := s.pins.accounts.recall(id); ok {
		return p.fact, true
	}
	return s.names.Get(id)
}

// Ref returns a reference to an account. If the name is not known, the id takes its place.
func (s *Accounts) Ref(id ledger.AccountID) AccountRef {
	name, ok := s.Name(id)
	if !ok {
		name = id.String()
	}
	return AccountRef{id, name}
}

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

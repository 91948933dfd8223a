package ledgerview

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// objectReader is the part of the daemon that objects of any kind are read from.
type objectReader interface {
	GetBlock(ctx context.Context, num uint32) (json.RawMessage, error)
	GetObjects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error)
	GlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error)
	DynamicGlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error)
	chainRecords
}

// chainRecords are the records of transactions and fees.
type chainRecords interface {
	TransactionByIDRaw(ctx context.Context, id ledger.TransactionID) (json.RawMessage, error)
	ListOperations(ctx context.Context) ([]json.RawMessage, error)
}

// Objects passes objects through as the daemon wrote them, so that members that a
// newer daemon adds survive.
type Objects struct {
	daemon objectReader
	pins   *Pins
}

// Accounts are 1.2.N and assets 1.3.N.
const (
	accountSpace, accountType = 1, 2
	assetSpace, assetType     = 1, 3
)

// Block reads a block. It returns null if there is none.
func (s *Objects) Block(ctx context.Context, num uint32) (json.RawMessage, error) {
	raw, err := s.daemon.GetBlock(ctx, num)
	return orNull(raw), daemonFault("reading the block", err)
}

// Get reads objects of any kind. Missing ones are null. An asset in doubt is marked: see Assets.List.
func (s *Objects) Get(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error) {
	rows, err := s.daemon.GetObjects(ctx, ids)
	if err != nil {
		return nil, fault.Daemon("reading objects", err)
	}
	var accounts, assets []json.RawMessage
	var places []int // of the assets
	for i := range rows {
		rows[i] = orNull(rows[i])
		if i < len(ids) && ids[i].Space() == accountSpace && ids[i].Type() == accountType {
			accounts = append(accounts, rows[i])
		}
		if i < len(ids) && ids[i].Space() == assetSpace && ids[i].Type() == assetType {
			assets, places = append(assets, rows[i]), append(places, i)
		}
	}
	if _, err := s.pins.checkRawAccounts(ctx, accounts); err != nil {
		return nil, err
	}
	err = s.pins.markRawAssets(ctx, assets)
	for n, i := range places {
		rows[i] = assets[n]
	}
	return rows, err
}

// GlobalProperties reads the object 2.0.0.
func (s *Objects) GlobalProperties(ctx context.Context) (json.RawMessage, error) {
	raw, err := s.daemon.GlobalPropertiesRaw(ctx)
	return raw, daemonFault("reading the chain's parameters", err)
}

// DynamicGlobalProperties reads the object 2.1.0.
func (s *Objects) DynamicGlobalProperties(ctx context.Context) (json.RawMessage, error) {
	raw, err := s.daemon.DynamicGlobalPropertiesRaw(ctx)
	return raw, daemonFault("reading the head block", err)
}

// Transaction reads a transaction in a block by its id. It returns null if there is none, or the daemon
// has no record of it.
func (s *Objects) Transaction(ctx context.Context, id ledger.TransactionID) (json.RawMessage, error) {
	raw, err := s.daemon.TransactionByIDRaw(ctx, id)
	return orNull(raw), daemonFault("reading the transaction", err)
}

// Operations lists every operation with its present fee.
func (s *Objects) Operations(ctx context.Context) ([]json.RawMessage, error) {
	found, err := s.daemon.ListOperations(ctx)
	return found, daemonFault("listing operations", err)
}

// ObjectState reads what operations can set of an account, asset, kind of tokens or miner, from the daemon and not from the
// facts of the head block: its answer includes the transactions that wait for a block. account is the account, of an account.
// What was known of it otherwise is dropped where it differs. With --daemon-quorum several daemons have to agree. Errors: fault.NoSuchAccount, fault.DaemonContradicts, fault.DaemonsDisagree, the daemon's; there is no state of
// other objects.
func (q *Quorum) ObjectState(ctx context.Context, object ledger.ObjectID) (s ledger.ObjectState, account *ledger.Account, err error) {
	if id := ledger.AccountID(object.Instance()); id.Object() == object {
		called := id.String()
		if name, known := q.accounts.Name(id); known {
			called = name // as the reference asks
		}
		account, err = q.askAccount(ctx, called)
		if err != nil {
			return nil, nil, err
		}
		if account.ID != id {
			return nil, nil, notThatAccount(called, account)
		}
		if cached := q.cache.current().accounts.get(id.String()); cached != nil && accountMeaning(cached) != accountMeaning(account) {
			q.cache.drop()
		}
		return account.State(), account, nil
	}
	what := "object " + object.String()
	s, err = daemonclient.AskQuorum(ctx, q.daemon, what, func(ctx context.Context, q daemonclient.Queries) (ledger.ObjectState, error) {
		rows, err := q.GetObjects(ctx, []ledger.ObjectID{object})
		if err != nil || len(rows) != 1 || IsNull(rows[0]) {
			return nil, err
		}
		return stateOf(object, rows[0])
	}, func(s ledger.ObjectState) string { return fmt.Sprint(s) })
	switch {
	case err != nil:
		return nil, nil, fault.Daemon("reading "+what, err)
	case s == nil:
		return nil, nil, &fault.Error{Code: fault.DaemonGarbage, Op: "reading " + what,
			Message: "the daemon has no " + what, Hint: "nothing was signed; ask another daemon"}
	}
	return s, nil, nil
}

// notThatAccount returns the error for a daemon that answers with another account than was asked for.
func notThatAccount(asked string, got *ledger.Account) *fault.Error {
	return &fault.Error{Code: fault.DaemonGarbage, Op: "reading account " + fault.Quote(asked),
		Message: "the daemon answers with account " + got.ID.String(), Hint: "nothing was signed; ask another daemon"}
}

// stateOf decodes an object that is not an account.
func stateOf(object ledger.ObjectID, raw []byte) (ledger.ObjectState, error) {
	instance := object.Instance()
	switch object {
	case ledger.AssetID(instance).Object():
		a := new(ledger.Asset)
		err := codec.Unmarshal(raw, a)
		return a.State(), err
	case ledger.NFTID(instance).Object():
		n := new(ledger.NFT)
		err := codec.Unmarshal(raw, n)
		return n.State(), err
	case ledger.MinerID(instance).Object():
		m := new(ledger.Miner)
		err := codec.Unmarshal(raw, m)
		return m.State(), err
	}
	return nil, &fault.Error{Code: fault.Internal, Op: "reading " + object.String(), Message: "no operation sets parts of " + object.String()}
}

// AccountStates reads what operations can set of several accounts in one call, from the daemon in use. Missing accounts are left out.
func (s *Accounts) AccountStates(ctx context.Context, daemon daemonclient.Daemon, ids []ledger.AccountID) (map[ledger.AccountID]*ledger.Account, error) {
	found, err := daemon.GetAccounts(ctx, ids)
	if err != nil {
		return nil, fault.Daemon("reading accounts", err)
	}
	out := map[ledger.AccountID]*ledger.Account{}
	for _, a := range found {
		if a != nil {
			out[a.ID] = a
		}
	}
	return out, nil
}

// StateChanges returns in words how parts of an object differ from when they were accepted.
func StateChanges(of string, account AccountRef, was, now ledger.ObjectState) (out []Change) {
	for _, name := range was.Differences(now) {
		out = append(out, Change{Account: account, Of: of, What: name, Was: partText(was[name]), Now: partText(now[name])})
	}
	return out
}

// partText returns a part of an object for people: text without quotes, an authority as AuthorityText writes it.
func partText(part string) string {
	if part == "" {
		return "not known"
	}
	var text string
	if err := codec.Unmarshal([]byte(part), &text); err == nil {
		return text
	}
	var a ledger.Authority
	if err := codec.Unmarshal([]byte(part), &a); err == nil && a.Members() > 0 {
		return AuthorityText(a)
	}
	return part
}

package ledgerview

import (
	"context"
	"fmt"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

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

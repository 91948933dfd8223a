package daemonclient

import (
	"context"
	"encoding/json"
)

// Set names an API set of the daemon, as login_api enables it (daemon-api 3).
type Set string

// The sets. Database, History and NetworkBroadcast are enabled when a connection is set up, the others on first use.
const (
	Login            Set = "login"
	Database         Set = "database"
	History          Set = "history"
	NetworkBroadcast Set = "network_broadcast"
	NetworkNode      Set = "network_node"
	Crypto           Set = "crypto"
	Messaging        Set = "messaging"
	Monitoring       Set = "monitoring"
)

// loginSetID is the number of login_api on every connection.
const loginSetID = 1

// Queries are the queries about the ledger: a Client asks the daemon in use, a Daemon only that one.
//
// The methods are those of the daemon that the wallet needs (daemon-api 2 to 4), without the "get_"; Call makes any other. A Raw form returns the daemon's
// JSON with every member, including those this program does not know. In lists, what the daemon does not have is nil.
// Errors are those of Call; a list longer than the daemon's limit is a RemoteError of code 208.
type Queries struct {
	ChainQueries
	AccountQueries
	AssetQueries
	BlockQueries
	HistoryQueries
	TransactionQueries
	MinerQueries
	NFTQueries
	ContentQueries
	SubscriptionQueries
	MessageQueries
	PeerQueries

	ask asker
}

func newQueries(ask asker) Queries {
	return Queries{
		ChainQueries{ask}, AccountQueries{ask}, AssetQueries{ask}, BlockQueries{ask}, HistoryQueries{ask}, TransactionQueries{ask},
		MinerQueries{ask}, NFTQueries{ask}, ContentQueries{ask}, SubscriptionQueries{ask}, MessageQueries{ask}, PeerQueries{ask}, ask,
	}
}

// Call makes one call of an API set and waits for its answer.
//
// Parameters are positional and encoded by the ledger's JSON rules; a json.RawMessage is passed as it is. out receives
// the result: nil drops it, a *json.RawMessage gets it as valid JSON with all the daemon's members, anything else must
// be a pointer that codec.Unmarshal fills; a null result leaves it unchanged.
//
// A call does not wait for a connection (WaitOnline does): while there is none, it fails at once.
//
// The result is checked against the parameters before out receives it. If it does not fit, a query is asked of another
// daemon of the pool before Call fails with a *FalseAnswerError. A method without a rule (answer_rule.go) is refused.
//
// Errors: *RemoteError, ErrWrongChain, ErrGarbage, ErrUnavailable, the context's error if ctx ended; for the broadcast
// set, *OutcomeUnknownError instead of the latter two once the call was sent. A query whose connection broke is asked
// again on the next connection, of the same or another daemon, at most once per daemon plus once; a call of the
// broadcast set only if it had not been sent. No broadcast is sent to a stale daemon: ErrStale.
func (q Queries) Call(ctx context.Context, set Set, method string, out any, params ...any) error {
	r, err := newRequest(set, method, params)
	if err != nil {
		return err
	}
	if out != nil {
		r.accept = func(result json.RawMessage) error { return decode(result, out) }
	}
	_, err = q.ask(ctx, r)
	return err
}

// asker sends a request to a daemon and returns the result, checked against the question.
type asker func(ctx context.Context, r request) (json.RawMessage, error)

// query makes a call and decodes the result into a T.
func query[T any](ctx context.Context, ask asker, set Set, method string, params ...any) (T, error) {
	var result T
	r, err := newRequest(set, method, params)
	if err != nil {
		return result, err
	}
	r.accept = func(raw json.RawMessage) error {
		var decoded T // a fresh one for each daemon
		err := decode(raw, &decoded)
		if err == nil {
			result = decoded
		}
		return err
	}
	_, err = ask(ctx, r)
	return result, err
}

// queryList is query for a list that is passed through: its elements as they are, nil for null.
func queryList(ctx context.Context, ask asker, set Set, method string, params ...any) ([]json.RawMessage, error) {
	raw, err := query[json.RawMessage](ctx, ask, set, method, params...)
	if err != nil {
		return nil, err
	}
	list := elements(raw)
	if list == nil {
		return nil, garbage("the result of %s is not a list", method)
	}
	for i, element := range list {
		list[i] = nilForNull(element)
	}
	return list, nil
}

// queryRaw is query for one object that is passed through: nil for null.
func queryRaw(ctx context.Context, ask asker, set Set, method string, params ...any) (json.RawMessage, error) {
	raw, err := query[json.RawMessage](ctx, ask, set, method, params...)
	return nilForNull(raw), err
}

func nilForNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// emptyForNil turns nil into an empty list: the daemon expects a list.
func emptyForNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

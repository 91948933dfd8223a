package daemonclient

import (
	"context"
	"encoding/json"
)

// Queries are the queries about the ledger: a Client asks the daemon in use, a Daemon only that one.
//
// The methods are the daemon's own, one to one (daemon-api 2 to 4), without the "get_". A Raw form returns the daemon's
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

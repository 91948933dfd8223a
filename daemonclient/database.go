package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// Queries are the questions about the ledger: a Client asks them of the daemon in
// use, a Daemon of that one alone.
//
// The methods are the daemon's own, one to one (daemon-api 2 to 4), without the
// "get_". Where a method has a Raw form, that one returns the daemon's JSON with
// every member, also those this program does not know. In lists, what the daemon
// does not have is nil. Errors are those of Call; a list longer than the daemon's
// limit is a RemoteError of code 208.
type Queries struct {
	call func(ctx context.Context, r request) (json.RawMessage, error)
}

// query makes a call of the database or history set.
func query[T any](ctx context.Context, q Queries, set Set, method string, params ...any) (T, error) {
	var result T
	r, err := newRequest(set, method, params)
	if err != nil {
		return result, err
	}
	r.accept = func(raw json.RawMessage) error {
		var decoded T // anew for each daemon
		err := decode(raw, &decoded)
		if err == nil {
			result = decoded
		}
		return err
	}
	_, err = q.call(ctx, r)
	return result, err
}

// queryList is query for a list passed through: its elements as they are, nil for null.
func queryList(ctx context.Context, q Queries, set Set, method string, params ...any) ([]json.RawMessage, error) {
	raw, err := query[json.RawMessage](ctx, q, set, method, params...)
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

// queryRaw is query for one object passed through: nil for null.
func queryRaw(ctx context.Context, q Queries, set Set, method string, params ...any) (json.RawMessage, error) {
	raw, err := query[json.RawMessage](ctx, q, set, method, params...)
	return nilForNull(raw), err
}

func nilForNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// emptyForNil makes an absent list an empty one, which is what the daemon means.
func emptyForNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// ChainID asks for the chain's id.
func (q Queries) ChainID(ctx context.Context) (ledger.ChainID, error) {
	return query[ledger.ChainID](ctx, q, Database, "get_chain_id")
}

// About gives the daemon's versions: {version, boost_version, openssl_version,
// cryptopp_version, build}.
func (q Queries) About(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q, Database, "about")
}

// Configuration gives the daemon's compile-time constants by name.
func (q Queries) Configuration(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q, Database, "get_configuration")
}

// ChainProperties gives the object 2.9.0.
func (q Queries) ChainProperties(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q, Database, "get_chain_properties")
}

// GlobalProperties gives the object 2.0.0: parameters and fees.
func (q Queries) GlobalProperties(ctx context.Context) (ledger.GlobalProperties, error) {
	return query[ledger.GlobalProperties](ctx, q, Database, "get_global_properties")
}

// GlobalPropertiesRaw is GlobalProperties as the daemon wrote it.
func (q Queries) GlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q, Database, "get_global_properties")
}

// DynamicGlobalProperties gives the object 2.1.0: where the chain stands.
func (q Queries) DynamicGlobalProperties(ctx context.Context) (ledger.DynamicGlobalProperties, error) {
	return query[ledger.DynamicGlobalProperties](ctx, q, Database, "get_dynamic_global_properties")
}

// DynamicGlobalPropertiesRaw is DynamicGlobalProperties as the daemon wrote it.
func (q Queries) DynamicGlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q, Database, "get_dynamic_global_properties")
}

// HeadBlockTime gives the time of the head block.
func (q Queries) HeadBlockTime(ctx context.Context) (ledger.Time, error) {
	return query[ledger.Time](ctx, q, Database, "head_block_time")
}

// GetObjects gives objects of any kind, one per id.
func (q Queries) GetObjects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error) {
	return queryList(ctx, q, Database, "get_objects", emptyForNil(ids))
}

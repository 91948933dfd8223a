package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// ChainQueries are the queries about the chain as a whole, and about objects by id; see Queries.
type ChainQueries struct{ ask asker }

// ChainID returns the chain's id.
func (q ChainQueries) ChainID(ctx context.Context) (ledger.ChainID, error) {
	return query[ledger.ChainID](ctx, q.ask, Database, "get_chain_id")
}

// About returns the daemon's versions: {version, boost_version, openssl_version,
// cryptopp_version, build}.
func (q ChainQueries) About(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "about")
}

// Configuration returns the daemon's compile-time constants by name.
func (q ChainQueries) Configuration(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_configuration")
}

// ChainProperties returns the object 2.9.0.
func (q ChainQueries) ChainProperties(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_chain_properties")
}

// GlobalProperties returns the object 2.0.0: parameters and fees.
func (q ChainQueries) GlobalProperties(ctx context.Context) (ledger.GlobalProperties, error) {
	return query[ledger.GlobalProperties](ctx, q.ask, Database, "get_global_properties")
}

// GlobalPropertiesRaw is GlobalProperties as the daemon wrote it.
func (q ChainQueries) GlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_global_properties")
}

// DynamicGlobalProperties returns the object 2.1.0: the head block and the last irreversible block.
func (q ChainQueries) DynamicGlobalProperties(ctx context.Context) (ledger.DynamicGlobalProperties, error) {
	return query[ledger.DynamicGlobalProperties](ctx, q.ask, Database, "get_dynamic_global_properties")
}

// DynamicGlobalPropertiesRaw is DynamicGlobalProperties as the daemon wrote it.
func (q ChainQueries) DynamicGlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_dynamic_global_properties")
}

// HeadBlockTime returns the time of the head block.
func (q ChainQueries) HeadBlockTime(ctx context.Context) (ledger.Time, error) {
	return query[ledger.Time](ctx, q.ask, Database, "head_block_time")
}

// GetObjects returns objects of any kind, one per id.
func (q ChainQueries) GetObjects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_objects", emptyForNil(ids))
}

// ListOperations returns the operations with their current fees.
func (q ChainQueries) ListOperations(ctx context.Context) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "list_operations")
}

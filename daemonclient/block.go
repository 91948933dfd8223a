package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// BlockQueries are the queries about blocks; see Queries.
type BlockQueries struct{ ask asker }

// GetBlock returns a block with its transactions, as the daemon wrote it; nil if there is no block of that number.
func (q BlockQueries) GetBlock(ctx context.Context, number uint32) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_block", number)
}

// GetBlockHeader returns the header of a block; nil if there is no block of that number.
func (q BlockQueries) GetBlockHeader(ctx context.Context, number uint32) (*ledger.BlockHeader, error) {
	return query[*ledger.BlockHeader](ctx, q.ask, Database, "get_block_header", number)
}

// GetBlockHeaders returns count headers starting at number; nil for blocks that do not exist yet.
func (q BlockQueries) GetBlockHeaders(ctx context.Context, number, count uint32) ([]*ledger.BlockHeader, error) {
	return query[[]*ledger.BlockHeader](ctx, q.ask, Database, "get_block_headers", number, count)
}

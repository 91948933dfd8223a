package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// NFTQueries are the queries about non-fungible tokens and their kinds; see Queries.
type NFTQueries struct{ ask asker }

// ListNFTs lists at most 100 kinds of tokens by symbol, starting at lower.
func (q NFTQueries) ListNFTs(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "list_non_fungible_tokens", lower, limit)
}

// GetNFTs returns one kind of tokens per id.
func (q NFTQueries) GetNFTs(ctx context.Context, ids []ledger.NFTID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_non_fungible_tokens", emptyForNil(ids))
}

// GetNFTsBySymbol returns one kind of tokens per symbol. Ids are not symbols here.
func (q NFTQueries) GetNFTsBySymbol(ctx context.Context, symbols []string) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_non_fungible_tokens_by_symbols", emptyForNil(symbols))
}

// GetNFTData returns one token per id.
func (q NFTQueries) GetNFTData(ctx context.Context, ids []ledger.NFTDataID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_non_fungible_token_data", emptyForNil(ids))
}

// ListNFTData returns the tokens of a kind, except burnt ones.
func (q NFTQueries) ListNFTData(ctx context.Context, kind ledger.NFTID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "list_non_fungible_token_data", kind)
}

// NFTSummary returns how many tokens of each kind an account has.
func (q NFTQueries) NFTSummary(ctx context.Context, owner ledger.AccountID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_non_fungible_token_summary", owner)
}

// NFTBalances returns the tokens of an account, of the named kinds, or of all if none is named.
func (q NFTQueries) NFTBalances(ctx context.Context, owner ledger.AccountID, kinds []ledger.NFTID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_non_fungible_token_balances", owner, emptyForNil(kinds))
}

// NFTHistory returns the history of a token.
func (q NFTQueries) NFTHistory(ctx context.Context, token ledger.NFTDataID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_non_fungible_token_history", token)
}

package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

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

func readNFTID(raw json.RawMessage) (id ledger.NFTID, err error) {
	err = readID(raw, &id)
	return id, err
}

func readNFT(raw json.RawMessage) (id ledger.NFTID, name string, err error) {
	m, err := fields(raw, "id", "symbol")
	if err != nil {
		return 0, "", err
	}
	if id, err = readNFTID(m[0]); err != nil {
		return 0, "", err
	}
	name, err = symbol(m[1])
	return id, name, err
}

// checkNFTList expects kinds of tokens by symbol, from the first symbol asked for, at most the limit.
func checkNFTList(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	ids := map[ledger.NFTID]bool{}
	last := ""
	for _, raw := range list {
		id, name, err := readNFT(raw)
		switch {
		case err != nil:
			return err
		case name < q.text(0) || name <= last:
			return fmt.Errorf("%s is out of order in the tokens from %s on", name, quoted(q.param(0)))
		case ids[id]:
			return fmt.Errorf("%s has two symbols", id)
		}
		ids[id], last = true, name
	}
	return nil
}

// checkNFTSymbols expects one row per symbol asked for, of the kind with that symbol, or null.
func checkNFTSymbols(q question, result json.RawMessage) error {
	symbols := q.list(0)
	list, err := exactRows(result, len(symbols))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		_, name, err := readNFT(raw)
		if err != nil {
			return err
		}
		if want, err := plainText(symbols[i]); err != nil || name != want {
			return fmt.Errorf("asked for %s, got %s", quoted(symbols[i]), name)
		}
	}
	return nil
}

// tokenRow is one token: its owner and its kind.
type tokenRow struct {
	id    ledger.NFTDataID
	kind  ledger.NFTID
	owner ledger.ObjectID
}

// eachToken reads tokens, none of which may occur twice.
func eachToken(result json.RawMessage, fits func(tokenRow) error) error {
	list, err := rows(result, blockSize)
	if err != nil {
		return err
	}
	seen := map[ledger.NFTDataID]bool{}
	for _, raw := range list {
		token, err := readToken(raw)
		switch {
		case err != nil:
			return err
		case seen[token.id]:
			return fmt.Errorf("%s occurs twice", token.id)
		}
		seen[token.id] = true
		if err := fits(token); err != nil {
			return err
		}
	}
	return nil
}

func readToken(raw json.RawMessage) (token tokenRow, err error) {
	m, err := fields(raw, "id", "nft_id", "owner")
	if err != nil {
		return token, err
	}
	if err = readID(m[0], &token.id); err != nil {
		return token, err
	}
	if token.kind, err = readNFTID(m[1]); err != nil {
		return token, err
	}
	if err = checkAccountRow(m[2]); err != nil {
		return token, err
	}
	token.owner, err = objectID(m[2])
	return token, err
}

// checkTokensOfKind expects tokens of the kind asked for.
func checkTokensOfKind(q question, result json.RawMessage) error {
	return eachToken(result, func(token tokenRow) error {
		if token.kind.Object() != q.object(0) {
			return fmt.Errorf("got %s, of the kind %s, for %s", token.id, token.kind, q.object(0))
		}
		return nil
	})
}

// checkTokensOfOwner expects tokens of the account, of the kinds that were named.
func checkTokensOfOwner(q question, result json.RawMessage) error {
	kinds := map[ledger.ObjectID]bool{}
	for _, raw := range q.list(1) {
		kind, _ := objectID(raw) // no error: this program wrote it
		kinds[kind] = true
	}
	return eachToken(result, func(token tokenRow) error {
		switch {
		case token.owner != q.object(0):
			return fmt.Errorf("got %s of %s for %s", token.id, token.owner, q.object(0))
		case len(kinds) > 0 && !kinds[token.kind.Object()]:
			return fmt.Errorf("%s is of the kind %s, which was not requested", token.id, token.kind)
		}
		return nil
	})
}

// checkTokenCounts expects pairs of a kind, none twice, and a number above zero.
func checkTokenCounts(_ question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	seen := map[ledger.NFTID]bool{}
	for _, raw := range list {
		pair, err := exactRows(raw, 2)
		if err != nil {
			return err
		}
		kind, err := readNFTID(pair[0])
		if err != nil {
			return err
		}
		if n, err := number(pair[1], 32); err != nil || n == 0 || seen[kind] {
			return fmt.Errorf("got %s of the kind %s, or the kind occurs twice", quoted(pair[1]), kind)
		}
		seen[kind] = true
	}
	return nil
}

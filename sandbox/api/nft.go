package api

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

var nftMethods = map[string]Method{
	"get_non_fungible_token_count":       read0(func(st *state.State) any { return st.NFTs.Count() }),
	"get_non_fungible_tokens":            rows(func(st *state.State, id ledger.NFTID) *state.NFT { return st.NFTs.Get(id) }),
	"get_non_fungible_tokens_by_symbols": rows(func(st *state.State, symbol string) *state.NFT { return st.NFTs.BySymbol(symbol) }),
	"get_non_fungible_token_data_count":  read0(func(st *state.State) any { return st.NFTs.TokenCount() }),
	"get_non_fungible_token_data":        rows(func(st *state.State, id ledger.NFTDataID) *state.NFTData { return st.NFTs.Token(id) }),
	"list_non_fungible_tokens":           read2(listNFTs),
	"list_non_fungible_token_data":       read1(func(st *state.State, kind ledger.NFTID) (any, error) { return st.NFTs.Tokens(kind), nil }),
	"get_non_fungible_token_summary":     read1(nftSummary),
	"get_non_fungible_token_balances": read2(func(st *state.State, owner ledger.AccountID, kinds []ledger.NFTID) (any, error) {
		return st.NFTs.Held(owner, kinds), nil
	}),
	"search_non_fungible_token_history": read1(
		func(st *state.State, token ledger.NFTDataID) (any, error) { return st.Details.OfToken(token), nil }),
}

func listNFTs(st *state.State, lower string, limit uint32) (any, error) {
	if err := within100(limit); err != nil {
		return nil, err
	}
	list := []*state.NFT{}
	for _, symbol := range st.NFTs.Symbols(lower, int(limit)) {
		list = append(list, st.NFTs.BySymbol(symbol))
	}
	return list, nil
}

// nftSummary returns pairs of a kind and how many tokens of it the account has, in
// order of kinds.
func nftSummary(st *state.State, owner ledger.AccountID) (any, error) {
	counts := map[ledger.NFTID]uint32{}
	kinds := []ledger.NFTID{}
	for _, token := range st.NFTs.Held(owner, nil) {
		if counts[token.NFTID]++; counts[token.NFTID] == 1 {
			kinds = append(kinds, token.NFTID)
		}
	}
	slices.SortFunc(kinds, func(a, b ledger.NFTID) int { return cmp.Compare(a, b) })
	list := make([]any, len(kinds))
	for i, kind := range kinds {
		list[i] = []any{kind, counts[kind]}
	}
	return list, nil
}

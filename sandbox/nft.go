package sandbox

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain"
)

var nftMethods = map[string]method{
	"get_non_fungible_token_count":       read0(func(st *chain.State) any { return st.NFTCount() }),
	"get_non_fungible_tokens":            rows((*chain.State).NFT),
	"get_non_fungible_tokens_by_symbols": rows((*chain.State).NFTBySymbol),
	"get_non_fungible_token_data_count":  read0(func(st *chain.State) any { return st.NFTDataCount() }),
	"get_non_fungible_token_data":        rows((*chain.State).NFTData),
	"list_non_fungible_tokens":           read2(listNFTs),
	"list_non_fungible_token_data":       read1(func(st *chain.State, kind ledger.NFTID) (any, error) { return st.NFTDataOf(kind), nil }),
	"get_non_fungible_token_summary":     read1(nftSummary),
	"get_non_fungible_token_balances": read2(func(st *chain.State, owner ledger.AccountID, kinds []ledger.NFTID) (any, error) {
		return st.NFTDataHeld(owner, kinds), nil
	}),
	"search_non_fungible_token_history": read1(func(st *chain.State, token ledger.NFTDataID) (any, error) { return st.NFTDetails(token), nil }),
}

func listNFTs(st *chain.State, lower string, limit uint32) (any, error) {
	if err := within100(limit); err != nil {
		return nil, err
	}
	list := []*chain.NFT{}
	for _, symbol := range st.NFTSymbols(lower, int(limit)) {
		list = append(list, st.NFTBySymbol(symbol))
	}
	return list, nil
}

// nftSummary gives pairs of a kind and how many of it the account has, by kind.
func nftSummary(st *chain.State, owner ledger.AccountID) (any, error) {
	counts := map[ledger.NFTID]uint32{}
	kinds := []ledger.NFTID{}
	for _, token := range st.NFTDataHeld(owner, nil) {
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

package walletapi

import (
	"context"

	"billfold/ledger"
)

type listNFTsParams struct {
	LowerBound string `json:"lowerbound" help:"first symbol"`
	Limit      uint32 `json:"limit" help:"at most 100"`
}

type nftParams struct {
	SymbolOrID string `json:"nft_symbol_or_id" help:"symbol or id of the kind of token"`
}

type tokenOwnerParams struct {
	Account string `json:"account" role:"account" help:"account name or id"`
}

type tokensHeldParams struct {
	Account string   `json:"account" role:"account" help:"account name or id"`
	Kinds   []string `json:"symbols_or_ids" help:"an empty list = all"`
}

type tokenParams struct {
	ID ledger.NFTDataID `json:"nft_data_id" help:"id of the token"`
}

func nftMethods() []*Method {
	return []*Method{
		read(
			"list_non_fungible_tokens",
			doc{Help: "Lists kinds of non-fungible token in the order of their symbols, starting at a given one.", Reach: ReachChain,
				Examples: []string{`"" 10`}},
			func(ctx context.Context, w *Core, p listNFTsParams) (rawList[ledger.NFT], error) {
				return w.View.NFTs.List(ctx, p.LowerBound, p.Limit)
			},
		),
		read(
			"get_non_fungible_token",
			doc{Help: "Reads a kind of non-fungible token by symbol or id.", Reach: ReachChain, Examples: []string{"CARDS", "1.10.0"}},
			func(ctx context.Context, w *Core, p nftParams) (rawOf[ledger.NFT], error) {
				return raw[ledger.NFT](w.View.NFTs.Get(ctx, p.SymbolOrID))
			},
		),
		read(
			"list_non_fungible_token_data",
			doc{Help: "Lists the tokens of a kind that were not burnt.", Reach: ReachChain, Examples: []string{"CARDS"}},
			func(ctx context.Context, w *Core, p nftParams) (rawList[ledger.NFTData], error) {
				return w.View.NFTs.Tokens(ctx, p.SymbolOrID)
			},
		),
		read(
			"get_non_fungible_token_summary",
			doc{Help: "Counts the tokens that an account has of each kind.", Examples: []string{"alice"}},
			func(ctx context.Context, w *Core, p tokenOwnerParams) (rawOf[[]ledger.NFTCount], error) {
				return raw[[]ledger.NFTCount](w.View.NFTs.Summary(ctx, p.Account))
			},
		),
		read(
			"get_non_fungible_token_balances",
			doc{Help: "Lists the tokens that an account has, of some kinds or all.", Examples: []string{"alice []", `alice '["CARDS"]'`}},
			func(ctx context.Context, w *Core, p tokensHeldParams) (rawList[ledger.NFTData], error) {
				return w.View.NFTs.Held(ctx, p.Account, p.Kinds)
			},
		),
		read(
			"search_non_fungible_token_history",
			doc{Help: "Lists what happened to a token.", Result: "oldest first", Reach: ReachChain, Examples: []string{"1.11.0"}},
			func(ctx context.Context, w *Core, p tokenParams) (rawList[ledger.TransactionDetail], error) {
				return w.View.NFTs.History(ctx, p.ID)
			}),
	}
}

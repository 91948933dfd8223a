package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

type buyerParams struct {
	Account string `json:"account_id_or_name" role:"account" help:"account name or id"`
}

type buyerOfParams struct {
	Account string `json:"account_id_or_name" role:"account" help:"account name or id"`
	URI     string `json:"URI" help:"address of the content"`
}

type downloadParams struct {
	Consumer string `json:"consumer" role:"account" help:"name or id of the account that bought it"`
	URI      string `json:"URI" help:"address of the content"`
}

type searchPurchasesParams struct {
	Consumer string          `json:"account_id_or_name" role:"account" help:"account name or id"`
	Term     string          `json:"term" help:"a part of title or description"`
	Order    string          `json:"order" help:"+ or - before size, price, created or purchased"`
	From     ledger.ObjectID `json:"id" help:"the purchase to start at; 0.0.0 = the first"`
	Count    uint32          `json:"count" help:"at most 1000"`
}

type searchFeedbackParams struct {
	User  string          `json:"user" help:"name of who rated; empty = anybody"`
	URI   string          `json:"URI" help:"address of the content"`
	From  ledger.ObjectID `json:"id" help:"the purchase to start at; 0.0.0 = the first"`
	Count uint32          `json:"count" help:"at most 1000"`
}

func purchaseMethods() []*Method {
	return []*Method{
		read("get_open_buyings", doc{Help: "Lists the purchases of content that wait for keys.", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (rawList[ledger.Buying], error) {
				return w.View.Purchases.Open(ctx)
			}),
		read("get_open_buyings_by_URI", doc{Help: "Lists the purchases of the content at an address that wait for keys.", Reach: ReachChain,
			Examples: []string{exampleURI}},
			func(ctx context.Context, w *Core, p contentParams) (rawList[ledger.Buying], error) {
				return w.View.Purchases.OpenOf(ctx, p.URI)
			}),
		read("get_open_buyings_by_consumer", doc{Help: "Lists the purchases of an account that wait for keys.",
			Examples: []string{"alice"}},
			func(ctx context.Context, w *Core, p buyerParams) (rawList[ledger.Buying], error) {
				return w.View.Purchases.OpenBy(ctx, p.Account)
			}),
		read("get_buying_history_objects_by_consumer", doc{Help: "Lists the purchases of an account that were delivered or expired.",
			Result: "each with what its content costs, and how it is rated, now", Examples: []string{"alice"}},
			func(ctx context.Context, w *Core, p buyerParams) ([]ledger.Buying, error) {
				return w.View.Purchases.History(ctx, p.Account)
			}),
		read("get_buying_by_consumer_URI", doc{Help: "Reads an account's purchase of the content at an address.",
			Result: "null when there is none", Examples: []string{"alice " + exampleURI}},
			func(ctx context.Context, w *Core, p buyerOfParams) (rawOrNull[ledger.Buying], error) {
				found, err := w.View.Purchases.Raw(ctx, p.Account, p.URI)
				return rawOrNull[ledger.Buying](found), err
			}),
		read("search_my_purchases", doc{Help: "Finds purchases of an account by title.",
			Examples: []string{`alice music -purchased 0.0.0 10`}},
			func(ctx context.Context, w *Core, p searchPurchasesParams) ([]ledgerview.Purchase, error) {
				found, err := w.View.Purchases.Search(ctx, ledgerview.PurchaseSearch(p))
				for i := range found {
					w.addProgress(&found[i].Download, found[i].URI, found[i].Hash)
				}
				return found, err
			}),
		read("search_feedback", doc{Help: "Lists what buyers say about content.", Reach: ReachChain,
			Examples: []string{`"" ` + exampleURI + ` 0.0.0 10`}},
			func(ctx context.Context, w *Core, p searchFeedbackParams) ([]ledgerview.Feedback, error) {
				return w.View.Purchases.Feedback(ctx, ledgerview.FeedbackSearch(p))
			}),
		read("get_download_status", doc{Help: "Reports how much of bought content, and how many parts of its key, have arrived.",
			Result:   "status_text is Unknown, Downloading..., Downloaded, or Failed with the reason",
			Examples: []string{"alice " + exampleURI}},
			func(ctx context.Context, w *Core, p downloadParams) (ledgerview.Download, error) {
				found, err := w.View.Purchases.Download(ctx, p.Consumer, p.URI)
				w.addProgress(&found, p.URI, found.Hash)
				return found, err
			}),
		spend("request_to_buy", doc{Help: "Buys content; the price is held back until its key is delivered.",
			Examples: []string{"alice " + exampleURI + ` DCT 2 "" true`}}, txbuild.RequestToBuy),
		spend("leave_rating_and_comment", doc{Help: "Rates content that an account bought.",
			Examples: []string{"alice " + exampleURI + ` 5 "well made" true`}}, txbuild.LeaveRating),
		spend("content_cancellation", doc{Help: "Takes content off sale.", Examples: []string{"alice " + exampleURI + " true"}}, txbuild.CancelContent),
	}
}

// addProgress adds how much of a package is on this machine, if anything is known of it.
func (w *Core) addProgress(to *ledgerview.Download, uri string, hash ledger.Hash160) {
	if received, total, status, known := w.Content.Progress(uri, hash); known && hash != (ledger.Hash160{}) {
		to.ReceivedDownloadBytes, to.TotalDownloadBytes, to.StatusText = received, total, status
	}
}

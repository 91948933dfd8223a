package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

type contentParams struct {
	URI string `json:"URI" help:"address of the content"`
}

type searchContentParams struct {
	Term   string          `json:"term" help:"a part of title or description"`
	Order  string          `json:"order" help:"+ or - before author, rating, size, price, created or expiration"`
	User   string          `json:"user" help:"name of the author; empty = anybody"`
	Region string          `json:"region_code" help:"default, a country's code of two letters, or empty = all"`
	From   ledger.ObjectID `json:"id" help:"the content to start at; 0.0.0 = the first"`
	Type   string          `json:"type" help:"of the content, as its synopsis says; 0.0.0 or empty = any"`
	Count  uint32          `json:"count" help:"at most 100"`
}

type searchUserContentParams struct {
	User   string          `json:"user" help:"name of the author; empty = anybody"`
	Term   string          `json:"term" help:"a part of title or description"`
	Order  string          `json:"order" help:"+ or - before author, rating, size, price, created or expiration"`
	Region string          `json:"region_code" help:"default, a country's code of two letters, or empty = all"`
	From   ledger.ObjectID `json:"id" help:"the content to start at; 0.0.0 = the first"`
	Type   string          `json:"type" help:"of the content, as its synopsis says; 0.0.0 or empty = any"`
	Count  uint32          `json:"count" help:"at most 100"`
}

func contentMethods() []*Method {
	return []*Method{
		read("get_content", doc{Help: "Reads the content that is offered at an address.", Result: "null when there is none",
			Reach: ReachChain, Examples: []string{exampleURI}},
			func(ctx context.Context, w *Core, p contentParams) (rawOrNull[ledger.Content], error) {
				found, err := w.View.Contents.Raw(ctx, p.URI)
				return rawOrNull[ledger.Content](found), err
			}),
		read("search_content", doc{Help: "Finds content by title, author and region.", Reach: ReachChain,
			Examples: []string{`music -created "" "" 0.0.0 "" 10`}},
			func(ctx context.Context, w *Core, p searchContentParams) (rawList[ledger.ContentSummary], error) {
				return w.View.Contents.Search(ctx, ledgerview.ContentSearch(p))
			}),
		read("search_user_content", doc{Help: "Finds content of one author.", Reach: ReachChain,
			Examples: []string{`alice "" -created "" 0.0.0 "" 10`}},
			func(ctx context.Context, w *Core, p searchUserContentParams) (rawList[ledger.ContentSummary], error) {
				return w.View.Contents.Search(ctx, ledgerview.ContentSearch{Term: p.Term, Order: p.Order, User: p.User, Region: p.Region,
					From: p.From, Type: p.Type, Count: p.Count})
			}),
		read("get_author_and_co_authors_by_URI", doc{Help: "Lists who is paid for the content at an address.", Reach: ReachChain,
			Examples: []string{exampleURI}},
			func(ctx context.Context, w *Core, p contentParams) (ledgerview.Authors, error) {
				return w.View.Contents.Authors(ctx, p.URI)
			}),
		read("generate_encryption_key", doc{Help: "Makes a random key to encrypt content with; nothing is stored.",
			Reach: ReachChain, Secret: true, Result: "a number followed by a dot"},
			func(_ context.Context, _ *Core, _ struct{}) (ledger.KeyText, error) { return vault.RandomContentKey() }),
	}
}

// exampleURI stands for the address of content in examples.
const exampleURI = "ipfs:QmfS3zGGqtpMv8cSN2mrgZfbnzjBArZbmAvvYG5c2rJ7fB"

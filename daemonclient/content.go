package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// ContentQueries are the queries about content, its buyers and its seeders; see Queries.
type ContentQueries struct{ ask asker }

// GetContent returns the content of a URI, nil if there is none.
func (q ContentQueries) GetContent(ctx context.Context, uri string) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_content", uri)
}

// ContentSearch are the parameters of SearchContent.
type ContentSearch struct {
	Term   string          // a part of title or description
	Order  string          // "+author", "-author", "+rating", … "-created"
	User   string          // name of the author; "" = anybody
	Region string          // its code; "" = all
	From   ledger.ObjectID // the content to start at; 0.0.0 = the first
	Type   string          // of the content, as in its synopsis
	Count  uint32          // at most 100
}

// SearchContent finds content.
func (q ContentQueries) SearchContent(ctx context.Context, s ContentSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_content", s.Term, s.Order, s.User, s.Region, s.From, s.Type, s.Count)
}

// OpenBuyings returns the purchases still waiting for their keys.
func (q ContentQueries) OpenBuyings(ctx context.Context) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_open_buyings")
}

// OpenBuyingsOf returns the purchases of a content that are still waiting for their keys.
func (q ContentQueries) OpenBuyingsOf(ctx context.Context, uri string) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_open_buyings_by_URI", uri)
}

// OpenBuyingsBy returns the purchases of an account that are still waiting for their keys.
func (q ContentQueries) OpenBuyingsBy(ctx context.Context, consumer ledger.AccountID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_open_buyings_by_consumer", consumer)
}

// BuyingHistory returns the purchases of an account that were delivered or expired.
func (q ContentQueries) BuyingHistory(ctx context.Context, consumer ledger.AccountID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_buying_history_objects_by_consumer", consumer)
}

// BuyingSearch are the parameters of SearchBuyings.
type BuyingSearch struct {
	Consumer ledger.AccountID
	Order    string          // "+size", "-size", "+price", … "-purchased"
	From     ledger.ObjectID // the purchase to start at; 0.0.0 = the first
	Term     string          // a part of title or description
	Count    uint32
}

// SearchBuyings finds purchases of an account.
func (q ContentQueries) SearchBuyings(ctx context.Context, s BuyingSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_buying_objects_by_consumer", s.Consumer, s.Order, s.From, s.Term, s.Count)
}

// BuyingOf returns the purchase of a content by an account, nil if there is none.
func (q ContentQueries) BuyingOf(ctx context.Context, consumer ledger.AccountID, uri string) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_buying_by_consumer_URI", consumer, uri)
}

// FeedbackSearch are the parameters of SearchFeedback.
type FeedbackSearch struct {
	User  string // name of the account that rated; "" = anybody
	URI   string
	From  ledger.ObjectID // the purchase to start at; 0.0.0 = the first
	Count uint32
}

// SearchFeedback finds purchases of a content that were rated or commented.
func (q ContentQueries) SearchFeedback(ctx context.Context, s FeedbackSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_feedback", s.User, s.URI, s.From, s.Count)
}

// SeedersBy lists at most 100 seeders, ordered by "price", "upload" or "rating".
func (q ContentQueries) SeedersBy(ctx context.Context, order string, count uint32) ([]json.RawMessage, error) {
	switch order {
	case "price":
		return queryList(ctx, q.ask, Database, "list_seeders_by_price", count)
	case "upload":
		return queryList(ctx, q.ask, Database, "list_seeders_by_upload", count)
	}
	return queryList(ctx, q.ask, Database, "list_seeders_by_rating", count)
}

// SeederOf returns what an account offers as a seeder, nil if it is none.
func (q ContentQueries) SeederOf(ctx context.Context, account ledger.AccountID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_seeder", account)
}

// SeedersIn lists the seeders of a region.
func (q ContentQueries) SeedersIn(ctx context.Context, region string) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "list_seeders_by_region", region)
}

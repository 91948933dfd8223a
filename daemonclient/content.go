package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/printable"
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

// checkContent expects the content of the URI asked for, or null.
func checkContent(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	m, err := fields(result, "id", "author", "URI")
	if err != nil {
		return err
	}
	var id ledger.ContentID
	if err := readID(m[0], &id); err != nil {
		return err
	}
	if err := checkAccountRow(m[1]); err != nil {
		return err
	}
	if uri, err := plainText(m[2]); err != nil || uri != q.text(0) {
		return fmt.Errorf("asked for the content %s, got %s", quoted(q.param(0)), quoted(m[2]))
	}
	var content ledger.Content
	return codec.Unmarshal(result, &content)
}

// checkContentFound expects content by the named author, not more than asked for and none twice.
func checkContentFound(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(6))
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "author", "URI")
		if err != nil {
			return err
		}
		author, err := accountName(m[1])
		if err != nil {
			return err
		}
		if wanted := q.text(2); wanted != "" && author != wanted {
			return fmt.Errorf("got content of %s for %s", author, quoted(q.param(2)))
		}
		var row ledger.ContentSummary
		if err := codec.Unmarshal(raw, &row); err != nil {
			return err
		}
		if row.ID != ledger.ContentID(row.ID.Instance()).Object() || seen[row.URI] {
			return fmt.Errorf("%s, %s, is not content, or occurs twice", quoted(m[0]), quoted(m[2]))
		}
		seen[row.URI] = true
	}
	return nil
}

// purchaseFilter holds what purchases must be of: a consumer, a URI or both; nil is any.
type purchaseFilter struct{ consumer, uri json.RawMessage }

// checkPurchases expects at most so many purchases that fit want, none twice.
func checkPurchases(result json.RawMessage, most uint64, want purchaseFilter) error {
	list, err := rows(result, most)
	if err != nil {
		return err
	}
	seen := map[ledger.BuyingID]bool{}
	for _, raw := range list {
		id, err := readPurchase(raw, want)
		if err == nil && seen[id] {
			err = fmt.Errorf("%s occurs twice", id)
		}
		if err != nil {
			return err
		}
		seen[id] = true
	}
	return nil
}

func readPurchase(raw json.RawMessage, want purchaseFilter) (ledger.BuyingID, error) {
	var row ledger.Buying
	m, err := fields(raw, "id", "consumer", "URI")
	if err != nil {
		return 0, err
	}
	if err := codec.Unmarshal(raw, &row); err != nil {
		return 0, err
	}
	if err := readID(m[0], &row.ID); err != nil {
		return 0, err
	}
	for i, wanted := range []json.RawMessage{want.consumer, want.uri} {
		if got := m[i+1]; wanted != nil && string(got) != string(wanted) {
			return 0, fmt.Errorf("got a purchase of %s for %s", quoted(got), quoted(wanted))
		}
	}
	return row.ID, checkAccountRow(m[1])
}

func checkBuyings(_ question, result json.RawMessage) error {
	return checkPurchases(result, blockSize, purchaseFilter{})
}

func checkBuyingsBy(q question, result json.RawMessage) error {
	return checkPurchases(result, blockSize, purchaseFilter{consumer: q.param(0)})
}

func checkBuyingsOf(q question, result json.RawMessage) error {
	return checkPurchases(result, blockSize, purchaseFilter{uri: q.param(0)})
}

func checkBuyingsFound(q question, result json.RawMessage) error {
	return checkPurchases(result, q.number(4), purchaseFilter{consumer: q.param(0)})
}

func checkFeedback(q question, result json.RawMessage) error {
	return checkPurchases(result, q.number(3), purchaseFilter{uri: q.param(1)})
}

func checkBuyingOf(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	_, err := readPurchase(result, purchaseFilter{consumer: q.param(0), uri: q.param(1)})
	return err
}

// checkSeederOf expects the seeder of the account asked for, or null.
func checkSeederOf(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	m, err := fields(result, "seeder")
	if err != nil {
		return err
	}
	if string(m[0]) != string(q.param(0)) {
		return fmt.Errorf("asked for the seeder %s, got %s", quoted(q.param(0)), quoted(m[0]))
	}
	var row ledger.Seeder
	return codec.Unmarshal(result, &row)
}

// checkSeederRows expects at most so many seeders that fit, none twice.
func checkSeederRows(result json.RawMessage, most uint64, fits func(ledger.Seeder) error) error {
	list, err := rows(result, most)
	if err != nil {
		return err
	}
	seen := map[ledger.AccountID]bool{}
	for _, raw := range list {
		var row ledger.Seeder
		m, err := fields(raw, "seeder")
		if err == nil {
			err = codec.Unmarshal(raw, &row)
		}
		if err == nil {
			err = checkAccountRow(m[0])
		}
		if err == nil && seen[row.Seeder] {
			err = fmt.Errorf("%s occurs twice", row.Seeder)
		}
		if err == nil {
			err = fits(row)
		}
		if err != nil {
			return err
		}
		seen[row.Seeder] = true
	}
	return nil
}

func checkSeeders(q question, result json.RawMessage) error {
	return checkSeederRows(result, q.number(0), func(ledger.Seeder) error { return nil })
}

func checkSeedersIn(q question, result json.RawMessage) error {
	return checkSeederRows(result, blockSize, func(row ledger.Seeder) error {
		if row.RegionCode != q.text(0) {
			region := printable.Quote(row.RegionCode, maxText)
			return fmt.Errorf("got the seeder %s of the region %s for %s", row.Seeder, region, quoted(q.param(0)))
		}
		return nil
	})
}

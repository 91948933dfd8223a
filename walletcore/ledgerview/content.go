package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// contentReader is the part of the daemon that content and its seeders are read from.
type contentReader interface {
	GetContent(ctx context.Context, uri string) (json.RawMessage, error)
	SearchContent(ctx context.Context, s daemonclient.ContentSearch) ([]json.RawMessage, error)
	SeederOf(ctx context.Context, account ledger.AccountID) (json.RawMessage, error)
	SeedersBy(ctx context.Context, order string, count uint32) ([]json.RawMessage, error)
	SeedersIn(ctx context.Context, region string) ([]json.RawMessage, error)
}

// Contents reads content that is offered for sale, and its seeders.
type Contents struct{ daemon contentReader }

// Raw reads the content of a URI as the daemon wrote it, or null if there is none.
func (s *Contents) Raw(ctx context.Context, uri string) (json.RawMessage, error) {
	raw, err := s.daemon.GetContent(ctx, uri)
	return orNull(raw), daemonFault("reading the content "+fault.Quote(uri), err)
}

// Get reads the content of a URI. Error: fault.NoSuchContent, or the daemon's.
func (s *Contents) Get(ctx context.Context, uri string) (*ledger.Content, error) {
	raw, err := s.Raw(ctx, uri)
	if err != nil {
		return nil, err
	}
	if IsNull(raw) {
		return nil, &fault.Error{Code: fault.NoSuchContent, Op: "get_content",
			Message: "nobody offers content at " + fault.Quote(uri), Hint: "search_content finds what is offered"}
	}
	content := new(ledger.Content)
	if err := codec.Unmarshal(raw, content); err != nil {
		return nil, fault.Daemon("reading the content "+fault.Quote(uri), err)
	}
	return content, nil
}

// Authors are the author of content and the co-authors who share its price.
type Authors struct {
	_         struct{}           `fc:"pair"`
	Author    ledger.AccountID   `json:"author"`
	CoAuthors []ledger.AccountID `json:"co_authors"`
}

// Authors returns the author and co-authors of the content of a URI. Errors: those of Get.
func (s *Contents) Authors(ctx context.Context, uri string) (Authors, error) {
	content, err := s.Get(ctx, uri)
	if err != nil {
		return Authors{}, err
	}
	by := Authors{Author: content.Author, CoAuthors: []ledger.AccountID{}}
	for _, other := range content.CoAuthors {
		by.CoAuthors = append(by.CoAuthors, other.Account)
	}
	return by, nil
}

// ContentSearch selects content.
type ContentSearch struct {
	Term   string          // a part of title or description
	Order  string          // "+author", "-author", "+rating", … "-created"
	User   string          // name of the author; "" = any
	Region string          // its code; "" = all
	From   ledger.ObjectID // the content to start at; 0.0.0 = the first
	Type   string          // content type, as in the synopsis
	Count  uint32          // at most 100
}

// Search finds content, as the daemon wrote it.
func (s *Contents) Search(ctx context.Context, search ContentSearch) ([]json.RawMessage, error) {
	found, err := s.daemon.SearchContent(ctx, daemonclient.ContentSearch(search))
	return found, daemonFault("searching content", err)
}

// Seeder returns what an account offers as a seeder. Error: fault.NoSuchSeeder, or the daemon's.
func (s *Contents) Seeder(ctx context.Context, account ledger.AccountID) (*ledger.Seeder, error) {
	raw, err := s.daemon.SeederOf(ctx, account)
	if err != nil {
		return nil, daemonFault("reading the seeder "+account.String(), err)
	}
	if IsNull(raw) {
		return nil, &fault.Error{Code: fault.NoSuchSeeder, Op: "get_seeder", Message: "the account " + account.String() + " is no seeder",
			Hint: "list_seeders_by_price shows who is; nothing was signed"}
	}
	seeder := new(ledger.Seeder)
	if err := codec.Unmarshal(raw, seeder); err != nil {
		return nil, fault.Daemon("reading the seeder "+account.String(), err)
	}
	return seeder, nil
}

// SeedersBy lists at most 100 seeders, in the order "price", "upload" or "rating".
func (s *Contents) SeedersBy(ctx context.Context, order string, count uint32) ([]json.RawMessage, error) {
	found, err := s.daemon.SeedersBy(ctx, order, count)
	return found, daemonFault("listing seeders", err)
}

// SeedersIn lists the seeders of a region.
func (s *Contents) SeedersIn(ctx context.Context, region string) ([]json.RawMessage, error) {
	found, err := s.daemon.SeedersIn(ctx, region)
	return found, daemonFault("listing seeders", err)
}

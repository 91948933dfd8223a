package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// buyingReader is the daemon as purchases are read from it.
type buyingReader interface {
	openBuyingReader
	BuyingHistory(ctx context.Context, consumer ledger.AccountID) ([]json.RawMessage, error)
	SearchBuyings(ctx context.Context, s daemonclient.BuyingSearch) ([]json.RawMessage, error)
	BuyingOf(ctx context.Context, consumer ledger.AccountID, uri string) (json.RawMessage, error)
	SearchFeedback(ctx context.Context, s daemonclient.FeedbackSearch) ([]json.RawMessage, error)
}

// openBuyingReader lists purchases that wait for keys.
type openBuyingReader interface {
	OpenBuyings(ctx context.Context) ([]json.RawMessage, error)
	OpenBuyingsOf(ctx context.Context, uri string) ([]json.RawMessage, error)
	OpenBuyingsBy(ctx context.Context, consumer ledger.AccountID) ([]json.RawMessage, error)
}

// Purchases reads who bought content, and what they say of it.
type Purchases struct {
	daemon   buyingReader
	accounts *Accounts
	contents *Contents
	objects  *Objects
}

// Open lists the purchases that wait for keys.
func (s *Purchases) Open(ctx context.Context) ([]json.RawMessage, error) {
	found, err := s.daemon.OpenBuyings(ctx)
	return found, daemonFault("listing purchases", err)
}

// OpenOf lists the purchases of a content that wait for keys.
func (s *Purchases) OpenOf(ctx context.Context, uri string) ([]json.RawMessage, error) {
	found, err := s.daemon.OpenBuyingsOf(ctx, uri)
	return found, daemonFault("listing purchases", err)
}

// OpenBy lists the purchases of an account, by name or id, that wait for keys.
func (s *Purchases) OpenBy(ctx context.Context, consumer string) ([]json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, consumer)
	if err != nil {
		return nil, err
	}
	found, err := s.daemon.OpenBuyingsBy(ctx, account.ID)
	return found, daemonFault("listing purchases", err)
}

// History lists the purchases of an account that were delivered or expired, each with what its
// content costs, and is rated, now.
func (s *Purchases) History(ctx context.Context, consumer string) ([]ledger.Buying, error) {
	account, err := s.accounts.Get(ctx, consumer)
	if err != nil {
		return nil, err
	}
	found, err := buyings(s.daemon.BuyingHistory(ctx, account.ID))
	if err != nil {
		return nil, err
	}
	for i := range found {
		content, err := s.contents.Get(ctx, found[i].URI)
		if fault.CodeOf(err) == fault.NoSuchContent {
			continue
		}
		if err != nil {
			return nil, err
		}
		if price, sold := content.Price.In(found[i].RegionCodeFrom); sold {
			found[i].Price, found[i].Size = price, content.Size
			found[i].Rating, found[i].Synopsis = uint64(content.AverageRating), content.Synopsis
		}
	}
	return found, nil
}

// buyings decodes what a daemon wrote of purchases.
func buyings(raws []json.RawMessage, err error) ([]ledger.Buying, error) {
	if err != nil {
		return nil, fault.Daemon("listing purchases", err)
	}
	list := make([]ledger.Buying, len(raws))
	for i, raw := range raws {
		if err := codec.Unmarshal(raw, &list[i]); err != nil {
			return nil, fault.Daemon("reading a purchase", err)
		}
	}
	return list, nil
}

// Raw reads the purchase of a content by an account as the daemon wrote it, null when there is none.
func (s *Purchases) Raw(ctx context.Context, consumer, uri string) (json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, consumer)
	if err != nil {
		return nil, err
	}
	raw, err := s.daemon.BuyingOf(ctx, account.ID, uri)
	return orNull(raw), daemonFault("reading the purchase", err)
}

// Of reads the purchase of a content by an account; nil when there is none.
func (s *Purchases) Of(ctx context.Context, consumer, uri string) (*ledger.Buying, error) {
	raw, err := s.Raw(ctx, consumer, uri)
	if err != nil || IsNull(raw) {
		return nil, err
	}
	bought := new(ledger.Buying)
	if err := codec.Unmarshal(raw, bought); err != nil {
		return nil, fault.Daemon("reading the purchase", err)
	}
	return bought, nil
}

// ByID reads a purchase. Error: fault.NoSuchPurchase, or the daemon's.
func (s *Purchases) ByID(ctx context.Context, id ledger.BuyingID) (*ledger.Buying, error) {
	raws, err := s.objects.Get(ctx, []ledger.ObjectID{id.Object()})
	raw, err := single(raws, err, "reading the purchase", noPurchase("there is no purchase "+id.String()))
	if err != nil {
		return nil, err
	}
	bought := new(ledger.Buying)
	if err := codec.Unmarshal(raw, bought); err != nil {
		return nil, fault.Daemon("reading the purchase "+id.String(), err)
	}
	return bought, nil
}

func noPurchase(message string) *fault.Error {
	return &fault.Error{Code: fault.NoSuchPurchase, Message: message, Hint: "search_my_purchases shows what an account bought"}
}

// Download is the progress of the delivery of bought content.
type Download struct {
	TotalKeyParts         uint32 `json:"total_key_parts"`
	ReceivedKeyParts      uint32 `json:"received_key_parts"`
	TotalDownloadBytes    uint64 `json:"total_download_bytes"`
	ReceivedDownloadBytes uint64 `json:"received_download_bytes"`
	StatusText            string `json:"status_text"`

	Hash ledger.Hash160 `json:"-"` // of the package
}

// unknownStatus is the status of content whose package is not on this machine.
const unknownStatus = "Unknown"

// Download returns how many parts of the key of bought content have come. Errors: fault.NoSuchPurchase,
// fault.NoSuchContent, those of Accounts.Get, or the daemon's.
func (s *Purchases) Download(ctx context.Context, consumer, uri string) (Download, error) {
	raw, err := s.Raw(ctx, consumer, uri)
	if err != nil {
		return Download{}, err
	}
	if IsNull(raw) {
		return Download{}, noPurchase(fault.Quote(consumer) + " did not buy " + fault.Quote(uri))
	}
	var bought ledger.Buying
	if err := codec.Unmarshal(raw, &bought); err != nil {
		return Download{}, fault.Daemon("reading the purchase", err)
	}
	content, err := s.contents.Get(ctx, uri)
	if err != nil {
		return Download{}, err
	}
	return downloadOf(&bought, content), nil
}

func downloadOf(bought *ledger.Buying, content *ledger.Content) Download {
	return Download{
		TotalKeyParts: uint32(len(content.KeyParts)), ReceivedKeyParts: uint32(len(bought.KeyParticles)),
		StatusText: unknownStatus, Hash: content.Hash,
	}
}

// PurchaseSearch holds the criteria of a search for purchases of an account.
type PurchaseSearch struct {
	Consumer string          // name or id
	Term     string          // a part of title or description
	Order    string          // "+size", "-size", "+price", … "-purchased"
	From     ledger.ObjectID // the purchase to start at; 0.0.0 = the first
	Count    uint32          // at most 1000
}

// Purchase is a purchase with the progress of its delivery, and what is known of its content.
type Purchase struct {
	ledger.Buying
	Download
	Author        string         `json:"author_account" help:"name"`
	AverageRating uint32         `json:"AVG_rating"`
	TimesBought   uint32         `json:"times_bought"`
	Hash          ledger.Hash160 `json:"hash"`
}

// Search finds purchases of an account.
func (s *Purchases) Search(ctx context.Context, search PurchaseSearch) ([]Purchase, error) {
	if search.Count > maxFound {
		return nil, tooMany("search_my_purchases")
	}
	account, err := s.accounts.Get(ctx, search.Consumer)
	if err != nil {
		return nil, err
	}
	found, err := buyings(s.daemon.SearchBuyings(ctx, daemonclient.BuyingSearch{Consumer: account.ID, Order: search.Order,
		From: search.From, Term: search.Term, Count: search.Count}))
	if err != nil {
		return nil, err
	}
	out := []Purchase{}
	for i := range found {
		p, err := s.purchase(ctx, found[i])
		if fault.CodeOf(err) == fault.NoSuchContent {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (s *Purchases) purchase(ctx context.Context, bought ledger.Buying) (Purchase, error) {
	content, err := s.contents.Get(ctx, bought.URI)
	if err != nil {
		return Purchase{}, err
	}
	author, err := s.accounts.Get(ctx, content.Author.String())
	if err != nil {
		return Purchase{}, err
	}
	p := Purchase{Buying: bought, Download: downloadOf(&bought, content), Author: author.Name, AverageRating: content.AverageRating,
		TimesBought: content.TimesBought, Hash: content.Hash}
	p.Rating = uint64(content.AverageRating)
	return p, nil
}

// FeedbackSearch holds the criteria of a search for ratings and comments of a content.
type FeedbackSearch struct {
	User  string          // name of who rated; "" = anybody
	URI   string          //
	From  ledger.ObjectID // the purchase to start at; 0.0.0 = the first
	Count uint32          // at most 1000
}

// Feedback is a purchase that was rated or commented.
type Feedback struct {
	ledger.Buying
	Author string `json:"author" help:"name of who bought and rated"`
}

// Feedback finds what buyers say of a content.
func (s *Purchases) Feedback(ctx context.Context, search FeedbackSearch) ([]Feedback, error) {
	if search.Count > maxFound {
		return nil, tooMany("search_feedback")
	}
	found, err := buyings(s.daemon.SearchFeedback(ctx, daemonclient.FeedbackSearch(search)))
	if err != nil {
		return nil, err
	}
	ids := make([]ledger.AccountID, len(found))
	for i := range found {
		ids[i] = found[i].Consumer
	}
	if err := s.accounts.loadNames(ctx, ids); err != nil {
		return nil, err
	}
	out := make([]Feedback, len(found))
	for i := range found {
		out[i] = Feedback{Buying: found[i], Author: s.accounts.Ref(found[i].Consumer).Name}
	}
	return out, nil
}

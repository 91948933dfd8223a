package walletcore_test

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

// keptURI is the URI of content that bobby sells, with a key that seeders keep. Carol bought it and waits for the key.
const keptURI = "http://songs.example/kept"

// shopURI is the URI of the content that Furnish has alice sell. Bobby bought it and praised it; carol bought it.
const shopURI = "http://shop.example/song"

// openFurnished returns a wallet of alice behind a relay, on a ledger that has an object of every kind.
func openFurnished(t *testing.T) (*testwallet.Wallet, *testwallet.Relay) {
	t.Helper()
	w, relay, clock := testwallet.OpenBehindRelay(t)
	w.Furnish()
	alice, bobby, carol := w.Account("alice").ID, w.Account("bobby").ID, w.Account("carol").ID
	head, err := w.View.Chain.Head(w.Ctx)
	testwallet.Must(t, err)
	kept := song(clock, 5, []ledger.AccountID{bobby, carol})
	kept.URI = keptURI
	dct := ledger.AssetAmount{Amount: 1_0000_0000}
	for _, op := range []ledger.Body{
		&ledger.RequestToBuyOp{URI: shopURI, Consumer: bobby, Price: dct, RegionCodeFrom: ledger.RegionNone, PubKey: numberOf("bobby")},
		&ledger.RequestToBuyOp{URI: shopURI, Consumer: carol, Price: dct, RegionCodeFrom: ledger.RegionNone, PubKey: numberOf("carol")},
		&ledger.LeaveRatingAndCommentOp{URI: shopURI, Consumer: bobby, Rating: 5, Comment: "fine"},
		&ledger.WithdrawPermissionCreateOp{WithdrawFromAccount: alice, AuthorizedAccount: bobby, WithdrawalLimit: dct, WithdrawalPeriodSec: 3600,
			PeriodsUntilExpiration: 9, PeriodStartTime: head.Time + 60},
		&ledger.ReadyToPublishOp{Seeder: bobby, Space: 100, PricePerMByte: 1, PubKey: numberOf("bobby"), IPFSID: "a"},
		&ledger.ReadyToPublishOp{Seeder: carol, Space: 100, PricePerMByte: 1, PubKey: numberOf("carol"), IPFSID: "b"},
		kept,
		&ledger.RequestToBuyOp{URI: keptURI, Consumer: carol, Price: ledger.AssetAmount{Amount: 5_0000_0000}, RegionCodeFrom: ledger.RegionNone, PubKey: numberOf("carol")},
		&ledger.AccountUpdateOp{Account: bobby, Active: &ledger.Authority{WeightThreshold: 1, AccountAuths: []ledger.AccountWeight{{Account: alice, Weight: 1}},
			KeyAuths: []ledger.KeyWeight{{Key: testwallet.Key("bobby").Public(), Weight: 1}}}},
	} {
		_, err := w.Box.PushUnsigned(ledger.NewOperation(op))
		testwallet.Must(t, err)
		w.Mine()
	}
	return w, relay
}

// reading is a read of the ledger.
type reading func(context.Context, *ledgerview.View) (any, error)

// ledgerReads returns the reads whose answers the wallet decodes and puts together, and raws those that it passes on as the daemon wrote them.
func ledgerReads(w *testwallet.Wallet) (decoded, raws map[string]reading) {
	alice, bobby, carol := w.Account("alice").ID, w.Account("bobby").ID, w.Account("carol").ID
	type view = *ledgerview.View
	decoded = map[string]reading{
		"accounts.Get":   func(ctx context.Context, v view) (any, error) { return v.Accounts.Get(ctx, "carol") },
		"accounts.Named": func(ctx context.Context, v view) (any, error) { return v.Accounts.Named(ctx, "carol") },
		"accounts.Find":  func(ctx context.Context, v view) (any, error) { return v.Accounts.Find(ctx, "car", 10) },
		"accounts.List":  func(ctx context.Context, v view) (any, error) { return v.Accounts.List(ctx, "bob", 10) },
		"accounts.ByID": func(ctx context.Context, v view) (any, error) {
			return v.Accounts.ByID(ctx, []ledger.AccountID{alice, bobby})
		},
		"accounts.Search": func(ctx context.Context, v view) (any, error) {
			return v.Accounts.Search(ctx, ledgerview.AccountSearch{Term: "bob", Limit: 10})
		},
		"accounts.RawByID": func(ctx context.Context, v view) (any, error) {
			return v.Accounts.RawByID(ctx, []ledger.AccountID{alice, 99_999, bobby})
		},
		"accounts.ActsFor": func(ctx context.Context, v view) (any, error) { return v.Accounts.ActsFor(ctx, alice) },
		"accounts.OfKey": func(ctx context.Context, v view) (any, error) {
			return v.Accounts.OfKey(ctx, testwallet.Key("bobby").Public())
		},
		"accounts.Count": func(ctx context.Context, v view) (any, error) { return v.Accounts.Count(ctx) },
		"accounts.AuthorityTree": func(ctx context.Context, v view) (any, error) {
			return v.Accounts.AuthorityTree(ctx, ledger.Needs{Active: []ledger.AccountID{alice}, Owner: []ledger.AccountID{bobby}}, 2)
		},
		"accounts.AccountStates": func(ctx context.Context, v view) (any, error) {
			daemon, err := w.Client.Current()
			if err != nil {
				return nil, err
			}
			return v.Accounts.AccountStates(ctx, daemon, []ledger.AccountID{alice, bobby})
		},
		"MemoKeys": func(ctx context.Context, v view) (any, error) {
			return v.MemoKeys(ctx, []ledger.AccountID{alice, bobby})
		},
		"assets.Get":         func(ctx context.Context, v view) (any, error) { return v.Assets.Get(ctx, "ART") },
		"assets.List":        func(ctx context.Context, v view) (any, error) { return v.Assets.List(ctx, "A", 10) },
		"assets.Find":        func(ctx context.Context, v view) (any, error) { return v.Assets.Find(ctx, "a", 10) },
		"assets.Balances":    func(ctx context.Context, v view) (any, error) { return v.Assets.Balances(ctx, alice) },
		"assets.Holdings":    func(ctx context.Context, v view) (any, error) { return v.Assets.Holdings(ctx, alice) },
		"assets.Held":        func(ctx context.Context, v view) (any, error) { return v.Assets.Held(ctx, alice, 0, 1) },
		"PrettyBalances":     func(ctx context.Context, v view) (any, error) { return v.PrettyBalances(ctx, "alice") },
		"prices.InDCT":       func(ctx context.Context, v view) (any, error) { return v.Prices.InDCT(ctx, "2", "ART") },
		"contents.Get":       func(ctx context.Context, v view) (any, error) { return v.Contents.Get(ctx, shopURI) },
		"contents.Authors":   func(ctx context.Context, v view) (any, error) { return v.Contents.Authors(ctx, shopURI) },
		"contents.Seeder":    func(ctx context.Context, v view) (any, error) { return v.Contents.Seeder(ctx, bobby) },
		"purchases.History":  func(ctx context.Context, v view) (any, error) { return v.Purchases.History(ctx, "bobby") },
		"purchases.Of":       func(ctx context.Context, v view) (any, error) { return v.Purchases.Of(ctx, "bobby", shopURI) },
		"purchases.ByID":     func(ctx context.Context, v view) (any, error) { return v.Purchases.ByID(ctx, 0) },
		"purchases.Download": func(ctx context.Context, v view) (any, error) { return v.Purchases.Download(ctx, "bobby", shopURI) },
		"purchases.Search": func(ctx context.Context, v view) (any, error) {
			return v.Purchases.Search(ctx, ledgerview.PurchaseSearch{Consumer: "bobby", Count: 10})
		},
		"purchases.Feedback": func(ctx context.Context, v view) (any, error) {
			return v.Purchases.Feedback(ctx, ledgerview.FeedbackSearch{URI: shopURI, Count: 10})
		},
		"subscriptions.Active": func(ctx context.Context, v view) (any, error) { return v.Subscriptions.Active(ctx, alice, alice) },
		"subscriptions.Get":    func(ctx context.Context, v view) (any, error) { return v.Subscriptions.Get(ctx, 0) },
		"vesting.List, all":    func(ctx context.Context, v view) (any, error) { return v.Vesting.List(ctx, "alice") },
		"vesting.List, one":    func(ctx context.Context, v view) (any, error) { return v.Vesting.List(ctx, "1.9.0") },
		"Held":                 func(ctx context.Context, v view) (any, error) { return v.Held(ctx, carol) },
		"Permissions": func(ctx context.Context, v view) (any, error) {
			return v.Permissions(ctx, []ledger.ObjectID{ledger.WithdrawPermissionID(0).Object()})
		},
		"miners.SigningKey":       func(ctx context.Context, v view) (any, error) { return v.Miners.SigningKey(ctx, "pickaxe") },
		"nfts.Kind":               func(ctx context.Context, v view) (any, error) { return v.NFTs.Kind(ctx, "CARDS") },
		"nfts.Token":              func(ctx context.Context, v view) (any, error) { return v.NFTs.Token(ctx, 0) },
		"nfts.OwnedBy":            func(ctx context.Context, v view) (any, error) { return v.NFTs.OwnedBy(ctx, alice) },
		"chain.Head":              func(ctx context.Context, v view) (any, error) { return v.Chain.Head(ctx) },
		"chain.HeadTime":          func(ctx context.Context, v view) (any, error) { return v.Chain.HeadTime(ctx) },
		"quorum.Parameters":       func(ctx context.Context, v view) (any, error) { return v.Quorum.Parameters(ctx) },
		"quorum.WholeAsset":       func(ctx context.Context, v view) (any, error) { return v.Quorum.WholeAsset(ctx, 1) },
		"assets.ByID":             func(ctx context.Context, v view) (any, error) { return v.Assets.ByID(ctx, []ledger.AssetID{1}) },
		"chain.Parameters":        func(ctx context.Context, v view) (any, error) { return v.Chain.Parameters(ctx) },
		"quorum.Account":          func(ctx context.Context, v view) (any, error) { return v.Quorum.Account(ctx, "carol") },
		"quorum.Asset":            func(ctx context.Context, v view) (any, error) { return v.Quorum.Asset(ctx, "ART") },
		"quorum.Fees":             func(ctx context.Context, v view) (any, error) { return v.Quorum.Fees(ctx) },
		"quorum.Proposal":         func(ctx context.Context, v view) (any, error) { return v.Quorum.Proposal(ctx, 0) },
		"quorum.VestingOwner":     func(ctx context.Context, v view) (any, error) { return v.Quorum.VestingOwner(ctx, 0) },
		"quorum.Offer":            func(ctx context.Context, v view) (any, error) { return v.Quorum.Offer(ctx, shopURI) },
		"quorum.Seeder":           func(ctx context.Context, v view) (any, error) { return v.Quorum.Seeder(ctx, bobby) },
		"quorum.SubscribedUntil":  func(ctx context.Context, v view) (any, error) { return v.Quorum.SubscribedUntil(ctx, alice, alice) },
		"quorum.Subscription":     func(ctx context.Context, v view) (any, error) { return v.Quorum.Subscription(ctx, 0) },
		"quorum.Kind":             func(ctx context.Context, v view) (any, error) { return v.Quorum.Kind(ctx, "CARDS") },
		"quorum.Token":            func(ctx context.Context, v view) (any, error) { return v.Quorum.Token(ctx, 0) },
		"quorum.Miner by account": func(ctx context.Context, v view) (any, error) { return v.Quorum.Miner(ctx, "pickaxe") },
		"quorum.Miner by id":      func(ctx context.Context, v view) (any, error) { return v.Quorum.Miner(ctx, "1.4.1") },
		"quorum.ContentAuthor": func(ctx context.Context, v view) (any, error) {
			return v.Quorum.ContentAuthor(ctx, ledger.ContentID(0).Object())
		},
	}
	for name, object := range map[string]ledger.ObjectID{"account": alice.Object(), "asset": ledger.AssetID(1).Object(), "kind": ledger.NFTID(0).Object(),
		"miner": ledger.MinerID(1).Object()} {
		decoded["quorum.ObjectState of "+name] = func(ctx context.Context, v view) (any, error) {
			s, _, err := v.Quorum.ObjectState(ctx, object)
			return s, err
		}
	}
	raws = map[string]reading{
		"accounts.Raw":       func(ctx context.Context, v view) (any, error) { return v.Accounts.Raw(ctx, "carol") },
		"assets.Raw":         func(ctx context.Context, v view) (any, error) { return v.Assets.Raw(ctx, "ART") },
		"contents.Raw":       func(ctx context.Context, v view) (any, error) { return v.Contents.Raw(ctx, shopURI) },
		"contents.SeedersBy": func(ctx context.Context, v view) (any, error) { return v.Contents.SeedersBy(ctx, "price", 10) },
		"contents.SeedersIn": func(ctx context.Context, v view) (any, error) { return v.Contents.SeedersIn(ctx, "") },
		"contents.Search": func(ctx context.Context, v view) (any, error) {
			return v.Contents.Search(ctx, ledgerview.ContentSearch{Count: 10})
		},
		"purchases.Open":   func(ctx context.Context, v view) (any, error) { return v.Purchases.Open(ctx) },
		"purchases.OpenOf": func(ctx context.Context, v view) (any, error) { return v.Purchases.OpenOf(ctx, keptURI) },
		"purchases.OpenBy": func(ctx context.Context, v view) (any, error) { return v.Purchases.OpenBy(ctx, "carol") },
		"purchases.Raw":    func(ctx context.Context, v view) (any, error) { return v.Purchases.Raw(ctx, "carol", shopURI) },
		"subscriptions.By": func(ctx context.Context, v view) (any, error) { return v.Subscriptions.By(ctx, "alice", true, 10) },
		"subscriptions.To": func(ctx context.Context, v view) (any, error) { return v.Subscriptions.To(ctx, "alice", true, 10) },
		"miners.List":      func(ctx context.Context, v view) (any, error) { return v.Miners.List(ctx, "", 10) },
		"miners.Get":       func(ctx context.Context, v view) (any, error) { return v.Miners.Get(ctx, "pickaxe") },
		"miners.Search": func(ctx context.Context, v view) (any, error) {
			return v.Miners.Search(ctx, ledgerview.MinerSearch{Count: 10})
		},
		"nfts.List":          func(ctx context.Context, v view) (any, error) { return v.NFTs.List(ctx, "", 10) },
		"nfts.Get":           func(ctx context.Context, v view) (any, error) { return v.NFTs.Get(ctx, "1.10.0") },
		"nfts.Tokens":        func(ctx context.Context, v view) (any, error) { return v.NFTs.Tokens(ctx, "CARDS") },
		"nfts.Summary":       func(ctx context.Context, v view) (any, error) { return v.NFTs.Summary(ctx, "alice") },
		"nfts.Held":          func(ctx context.Context, v view) (any, error) { return v.NFTs.Held(ctx, "alice", []string{"CARDS"}) },
		"nfts.History":       func(ctx context.Context, v view) (any, error) { return v.NFTs.History(ctx, 0) },
		"accounts.Proposals": func(ctx context.Context, v view) (any, error) { return v.Accounts.Proposals(ctx, "alice") },
		"objects.Get": func(ctx context.Context, v view) (any, error) {
			return v.Objects.Get(ctx, []ledger.ObjectID{alice.Object(), ledger.AssetID(1).Object()})
		},
		"objects.Block":                   func(ctx context.Context, v view) (any, error) { return v.Objects.Block(ctx, 1) },
		"objects.Operations":              func(ctx context.Context, v view) (any, error) { return v.Objects.Operations(ctx) },
		"prices.Supply":                   func(ctx context.Context, v view) (any, error) { return v.Prices.Supply(ctx) },
		"objects.GlobalProperties":        func(ctx context.Context, v view) (any, error) { return v.Objects.GlobalProperties(ctx) },
		"objects.DynamicGlobalProperties": func(ctx context.Context, v view) (any, error) { return v.Objects.DynamicGlobalProperties(ctx) },
	}
	return decoded, raws
}

// Whichever call of the daemon fails, or is answered with something else than was asked for, a read is refused or it is the whole answer:
// nobody is shown a part of it as all there is.
func TestAReadIsWholeOrRefused(t *testing.T) {
	t.Parallel()
	w, relay := openFurnished(t)
	decoded, raws := ledgerReads(w)
	all := maps.Clone(decoded)
	maps.Copy(all, raws)
	read := func(name string) (any, error) {
		w.View.Chain.Forget()
		return all[name](w.Ctx, w.View)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		whole, err := read(name)
		if err != nil || whole == nil || reflect.ValueOf(whole).IsZero() || hasLen(whole) && reflect.ValueOf(whole).Len() == 0 {
			t.Errorf("%s: it answers %v, %v", name, whole, err)
			continue
		}
		check := func(how string, n int, got any, err error) {
			if err == nil && !reflect.DeepEqual(got, whole) {
				t.Errorf("%s: when call %d %s it answers %.300v without an error, not %.300v", name, n, how, got, whole)
			}
		}
		for n := 1; n < 20; n++ {
			relay.FailCall(n, testwallet.ErrorAnswered)
			got, err := read(name)
			failed := relay.MendCall()
			check("fails", n, got, err)
			if failed == "" {
				break
			}
		}
		if raws[name] != nil {
			continue
		}
		for _, nonsense := range []string{`"no"`, `["no"]`, `[["no"]]`} {
			for n := 1; n < 20; n++ {
				asked := 0
				relay.Set(func(r *testwallet.Relay) {
					r.Lie = func(_ testwallet.Question, result json.RawMessage) json.RawMessage {
						if asked++; asked == n {
							return json.RawMessage(nonsense)
						}
						return result
					}
				})
				got, err := read(name)
				relay.Set(func(r *testwallet.Relay) { r.Lie = nil })
				check("is answered "+nonsense, n, got, err)
				if asked < n {
					break
				}
			}
		}
	}
}

func hasLen(v any) bool {
	k := reflect.TypeOf(v).Kind()
	return k == reflect.Slice || k == reflect.Map
}

// What is put together of a purchase is all that its daemon says of it and of its content.
func TestAPurchaseIsShownWhole(t *testing.T) {
	t.Parallel()
	w, relay := openFurnished(t)
	found, err := w.View.Purchases.Search(w.Ctx, ledgerview.PurchaseSearch{Consumer: "bobby", Count: 10})
	testwallet.Must(t, err)
	if len(found) != 1 || found[0].Author != "alice" || found[0].Rating != 5000 || found[0].AverageRating != 5000 || found[0].TimesBought != 2 || found[0].URI != shopURI ||
		found[0].Hash != (ledger.Hash160{1}) || found[0].StatusText == "" {
		t.Errorf("the purchases of bobby are %+v", found)
	}
	bought, err := w.View.Purchases.History(w.Ctx, "bobby")
	testwallet.Must(t, err)
	if len(bought) != 1 || bought[0].Price.Amount != 1_0000_0000 || bought[0].Size != 1 || bought[0].Rating != 5000 || bought[0].Synopsis != "{}" {
		t.Errorf("what bobby bought is %+v", bought)
	}
	said, err := w.View.Purchases.Feedback(w.Ctx, ledgerview.FeedbackSearch{URI: shopURI, Count: 10})
	testwallet.Must(t, err)
	if len(said) != 1 || said[0].Author != "bobby" || said[0].Comment != "fine" {
		t.Errorf("what is said of it is %+v", said)
	}
	for name, search := range map[string]func(count uint32) error{
		"Search": func(count uint32) error {
			_, err := w.View.Purchases.Search(w.Ctx, ledgerview.PurchaseSearch{Consumer: "bobby", Count: count})
			return err
		},
		"Feedback": func(count uint32) error {
			_, err := w.View.Purchases.Feedback(w.Ctx, ledgerview.FeedbackSearch{URI: shopURI, Count: count})
			return err
		},
		"miners": func(count uint32) error {
			_, err := w.View.Miners.Search(w.Ctx, ledgerview.MinerSearch{Count: count})
			return err
		},
	} {
		testwallet.Must(t, search(1000))
		if err := search(1001); fault.CodeOf(err) != fault.LimitExceeded {
			t.Errorf("%s of more than a thousand: %v", name, err)
		}
	}
	download, err := w.View.Purchases.Download(w.Ctx, "carol", keptURI)
	testwallet.Must(t, err)
	if download.TotalKeyParts != 2 || download.ReceivedKeyParts != 0 {
		t.Errorf("of what carol waits for %+v have come", download)
	}
	mentions := func() *ledgerview.Mentions {
		return &ledgerview.Mentions{Kinds: []ledger.NFTID{0}, Tokens: []ledger.NFTDataID{0}}
	}
	for _, asked := range []bool{true, false} { // a symbol and a kind are read once
		calls, _ := relay.Calls(func() {
			n, err := w.View.Namer(w.Ctx, mentions())
			testwallet.Must(t, err)
			if n.KindName(0) != "CARDS (1.10.0)" || n.TokenName(0) != "CARDS (1.11.0)" || !n.Knows(mentions()) {
				t.Errorf("it is called %s, and %s", n.KindName(0), n.TokenName(0))
			}
		})
		if !asked && calls["get_non_fungible_tokens"]+calls["get_non_fungible_token_data"] > 0 {
			t.Errorf("it is asked for again: %v", calls)
		}
	}
	relay.HangUp(true)
	w.Until("the loss", func() bool { return !w.View.Chain.IsOnline() })
	n, err := w.View.Namer(w.Ctx, mentions())
	testwallet.Must(t, err)
	if n.KindName(0) != "CARDS (1.10.0)" || n.TokenName(0) != "CARDS (1.11.0)" {
		t.Errorf("without a daemon it is called %s, and %s", n.KindName(0), n.TokenName(0))
	}
}

// A daemon that names an account for a key which it does not have, or an object that is not there, is not believed.
func TestWhatADaemonNamesIsLookedAt(t *testing.T) {
	t.Parallel()
	w, relay := openFurnished(t)
	bobby, carol := w.Account("bobby").ID, w.Account("carol").ID
	relay.Set(func(r *testwallet.Relay) {
		r.Lie = func(q testwallet.Question, result json.RawMessage) json.RawMessage {
			if q.Method == "get_key_references" {
				return json.RawMessage(`[["` + carol.String() + `","` + bobby.String() + `"]]`)
			}
			return result
		}
	})
	uses, err := w.View.Accounts.OfKey(w.Ctx, testwallet.Key("bobby").Public())
	if err != nil || len(uses) != 1 || uses[0].Name != "bobby" {
		t.Errorf("%v: %+v", err, uses)
	}
	_, _, err = w.View.Quorum.ObjectState(w.Ctx, ledger.AssetID(999).Object())
	if e := faulttest.Refused(t, err, fault.DaemonGarbage); e.Message != "the daemon has no object 1.3.999" {
		t.Error(e)
	}
}

// Every read of the view is among those that are tried, by being there.
func TestEveryReadIsTried(t *testing.T) {
	decoded, raws := ledgerReads(testwallet.Open(t, "alice"))
	tried := map[string]bool{
		"chain.About": true, "chain.Info": true, // of the moment
		"node.Counters": true, "node.Peers": true, // the sandbox has none
		"objects.Transaction": true,                           // null is an answer
		"prices.FeedsBy":      true, "prices.Monitored": true, // nobody publishes prices here
		"pins.Changes": true, "pins.Doubts": true, "pins.FactChanges": true, "pins.FeeChanges": true, // TestPinsAreComparedAndKeptOrRefused
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(decoded)), slices.Collect(maps.Keys(raws))) {
		name, _, _ = strings.Cut(name, ",")
		name, _, _ = strings.Cut(name, " ")
		tried[name] = true
	}
	view := reflect.TypeFor[ledgerview.View]()
	for source := range view.NumField() {
		of := view.Field(source)
		if !of.IsExported() {
			continue
		}
		for i := range of.Type.NumMethod() {
			m := of.Type.Method(i)
			n := m.Type.NumOut()
			reads := m.Type.NumIn() > 1 && m.Type.In(1) == reflect.TypeFor[context.Context]() && n == 2 && m.Type.Out(n-1) == reflect.TypeFor[error]()
			if name := strings.ToLower(of.Name) + "." + m.Name; reads && !tried[name] {
				t.Errorf("%s is not tried", name)
			}
		}
	}
}

package ledger

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Amounts in operations that say what something costs or is worth, and take nothing.
var onlyStated = map[string]string{
	"account_create.options.price_per_subscribe":                                 "what subscribers of the account pay",
	"account_update.new_options.price_per_subscribe":                             "what subscribers of the account pay",
	"withdraw_permission_create.withdrawal_limit":                                "taken later; the right is reviewed by itself",
	"withdraw_permission_update.withdrawal_limit":                                "taken later; the right is reviewed by itself",
	"content_submit.price.price":                                                 "what buyers pay",
	"asset_create.options.core_exchange_rate.base":                               "a price",
	"asset_create.options.core_exchange_rate.quote":                              "a price",
	"asset_create.monitored_asset_opts.feeds.feed.feed.core_exchange_rate.base":  "a price",
	"asset_create.monitored_asset_opts.feeds.feed.feed.core_exchange_rate.quote": "a price",
	"asset_create.monitored_asset_opts.current_feed.core_exchange_rate.base":     "a price",
	"asset_create.monitored_asset_opts.current_feed.core_exchange_rate.quote":    "a price",
	"asset_publish_feed.feed.core_exchange_rate.base":                            "a price",
	"asset_publish_feed.feed.core_exchange_rate.quote":                           "a price",
	"update_user_issued_asset.core_exchange_rate.base":                           "a price",
	"update_user_issued_asset.core_exchange_rate.quote":                          "a price",
}

// Each amount in each operation is one that it moves, or one of those that it only states: what leaves an account is
// reviewed, judged, held back, and booked by what Moves says.
func TestEveryAmountOfAnOperationMovesOrIsOnlyStated(t *testing.T) {
	used := map[string]bool{}
	for code, d := range operations {
		body := NewBody(OpCode(code))
		next, accounts := AccountID(100), map[AccountID]string{}
		nameAccounts(reflect.ValueOf(body).Elem(), d.name, &next, accounts)
		drawn := map[AssetAmount]string{}
		drawAmounts(reflect.ValueOf(body).Elem(), d.name, drawn)
		moved := map[AssetAmount]bool{}
		for _, m := range NewOperation(body).Moves() {
			moved[m.Amount] = true
			if m.From == 0 && m.To == 0 {
				t.Errorf("%s moves %v from nobody to nobody", d.name, m.Amount)
			}
			if _, is := drawn[m.Amount]; !is {
				t.Errorf("%s moves %v, which is not in it", d.name, m.Amount)
			}
		}
		for a, path := range drawn {
			reason := onlyStated[path]
			used[path] = true
			if moved[a] == (reason != "") {
				t.Errorf("%s moves: %v; it does not because %q", path, moved[a], reason)
			}
		}
	}
	for path := range onlyStated {
		if !used[path] {
			t.Errorf("there is no %s", path)
		}
	}
}

// drawAmounts sets every amount below v but the fee to a value of its own.
func drawAmounts(v reflect.Value, path string, drawn map[AssetAmount]string) {
	if v.Type() == reflect.TypeFor[AssetAmount]() {
		a := AssetAmount{Amount: 1 + rand.Int64N(1<<50), AssetID: AssetID(len(drawn))}
		v.Set(reflect.ValueOf(a))
		drawn[a] = path
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct && !v.IsNil() {
			drawAmounts(v.Elem(), path, drawn)
		}
	case reflect.Slice:
		for i := range v.Len() {
			drawAmounts(v.Index(i), path, drawn)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if v.Type().Field(i).IsExported() && tag != "fee" && v.Type() != reflect.TypeFor[ProposedOperation]() {
				drawAmounts(v.Field(i), path+"."+tag, drawn)
			}
		}
	}
}

// plain names things by their ids, and knows nothing of how they were.
type plain struct{ issuer *Asset }

func (plain) AccountName(id AccountID) string { return id.String() }
func (plain) AssetName(id AssetID) string     { return id.String() }
func (plain) KindName(id NFTID) string        { return id.String() }
func (plain) AmountText(a AssetAmount) string { return a.AssetID.String() }
func (plain) Account(AccountID) *Account      { return nil }
func (p plain) Asset(AssetID) *Asset          { return p.issuer }
func (plain) Proposal(ProposalID) *Proposal   { return nil }
func (plain) Parameters() *ChainParameters    { return nil }
func (plain) VoteName(id VoteID) string       { return id.String() }
func (plain) Content(string, uint32) *Terms   { return nil }

func (plain) Subscription(AccountID, AccountID) *Terms { return nil }

// Whoever gets power by an operation is named, and warned of.
func TestPowerIsWarnedOf(t *testing.T) {
	next := AccountID(9)
	options := NewAccountOptions(PublicKey{})
	options.VotingAccount = next
	for _, body := range []Body{
		&AssetFundPoolsOp{FromAccount: 5, UIAAsset: AssetAmount{Amount: 1, AssetID: 3}, DCTAsset: AssetAmount{Amount: 13_000}},
		&UpdateUserIssuedAssetOp{Issuer: 5, AssetToUpdate: 3, NewIssuer: &next},
		&NFTUpdateDefinitionOp{CurrentIssuer: 5, Options: NFTOptions{Issuer: next}},
		&AccountUpdateOp{Account: 5, NewOptions: &options},
		&SetPublishingRightOp{From: 5, To: []AccountID{next}, IsPublisher: true},
		&SetPublishingManagerOp{From: 5, To: []AccountID{next}, CanCreatePublishers: true},
	} {
		is := plain{&Asset{Issuer: next}}
		warned := false
		for _, e := range Effects(NewOperation(body), is, is) {
			warned = warned || e.Careful != "" && strings.Contains(e.Careful, next.String()) && len(e.Whom) == 1 && e.Whom[0] == next
		}
		if !warned {
			t.Errorf("%T gives %s power unwarned", body, next)
		}
	}
	for _, body := range []Body{&AssetReserveOp{}, &NFTTransferOp{To: NullAccount}, &VestingBalanceCreateOp{},
		&UpdateUserIssuedAssetAdvancedOp{SetFixedMaxSupply: true}} {
		effects := Effects(NewOperation(body), plain{}, plain{})
		if !slices.ContainsFunc(effects, func(e Effect) bool { return e.Careful != "" }) {
			t.Errorf("%T is not warned of: %v", body, effects)
		}
	}
}

// What a precision is set to is compared with what it is, and nobody reads of a change where none is; accounts that sign data
// beside the payer are named.
func TestWhatASentenceLeavesOutIsAnEffect(t *testing.T) {
	five, unknown := plain{&Asset{Precision: 5}}, plain{}
	precision := func(to uint8) Body { return &UpdateUserIssuedAssetAdvancedOp{AssetToUpdate: 3, NewPrecision: to} }
	for _, c := range []struct {
		body   Body
		before plain
		want   []Effect
	}{
		{precision(0), five, []Effect{{What: "decimals of 1.3.3", Was: "5", Now: "0"}}},
		{precision(5), five, nil},
		{precision(5), unknown, []Effect{{What: "decimals of 1.3.3", Was: notKnown, Now: "5"}}},
		{&CustomOp{Payer: 5}, five, nil},
		{&CustomOp{Payer: 5, RequiredAuths: []AccountID{7, 9}}, five, []Effect{{What: "also signed by", Now: "1.2.7, 1.2.9"}}},
	} {
		if got := Effects(NewOperation(c.body), c.before, c.before); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v has the effects %+v, not %+v", c.body, got, c.want)
		}
	}
}

// held is a ledger on which every account is the same.
type held struct {
	plain
	is Account
}

func (h held) Account(AccountID) *Account { return &h.is }

// A new authority is said whole although the account is said to have it already, and one that needs nothing is told from one that needs
// its only key.
func TestANewAuthorityIsAlwaysSaid(t *testing.T) {
	own, zero := SingleKeyAuthority(PublicKey{2, 1}), SingleKeyAuthority(PublicKey{2, 1})
	zero.WeightThreshold = 0
	is := held{is: Account{Owner: own, Active: own}}
	for _, c := range []struct {
		next           Authority
		was, now, note string
	}{{own, "the same", own.KeyAuths[0].Key.String(), "it stays as it is; can act alone"},
		{zero, own.KeyAuths[0].Key.String(), "needs 0: ", "ANYBODY can act"}} {
		for _, op := range []*AccountUpdateOp{{Account: 5, Owner: &c.next}, {Account: 5, Active: &c.next}} {
			e := Effects(NewOperation(op), is, is)
			if len(e) != 1 || e[0].Was != c.was || !strings.HasPrefix(e[0].Now, c.now) || !strings.HasPrefix(e[0].Note, c.note) {
				t.Errorf("%+v", e)
			}
		}
	}
}

// asking is a ledger on which everybody asks the same.
type asking struct {
	plain
	is Terms
}

func (a asking) AmountText(x AssetAmount) string          { return FormatAmount(x.Amount, 8) + " DCT" }
func (a asking) Content(string, uint32) *Terms            { return &a.is }
func (a asking) Subscription(AccountID, AccountID) *Terms { return &a.is }

// What a subscription or content costs is said, and warned of where more is paid: the ledger keeps what is too much.
func TestWhoPaysMoreThanIsAskedIsWarned(t *testing.T) {
	five := Terms{Price: AssetAmount{Amount: 5_0000_0000}, Days: 30, Until: 86400}
	const asked = "5 DCT for 30 days (until 1970-01-02 00:00:00 UTC)"
	for paid, want := range map[int64]string{5_0000_0000: "", 50_0000_0000: "10 times that", 52_0000_0000: "more than 10 times that",
		6_0000_0000: "1 DCT more than that"} {
		effects := Effects(NewOperation(&SubscribeOp{From: 7, To: 9, Price: AssetAmount{Amount: paid}}), asking{is: five}, asking{})
		if len(effects) != 1 || effects[0].Now != asked || !strings.Contains(effects[0].What, "1.2.9") {
			t.Fatalf("%d: %+v", paid, effects)
		}
		if e := effects[0]; e.Overpaid != (want != "") || !strings.Contains(e.Careful, want) ||
			e.Overpaid && !strings.Contains(e.Careful, asked+"; "+want+" is paid,") {
			t.Errorf("%d: %+v, want %q", paid, e, want)
		}
	}
	free := asking{is: Terms{}}
	e := Effects(NewOperation(&RequestToBuyOp{Price: AssetAmount{Amount: 1_0000_0000}}), free, free)
	if len(e) != 2 || !e[0].Overpaid || !strings.Contains(e[0].Careful, "asks 0 DCT; 1 DCT more than that is paid") {
		t.Errorf("content that is free: %+v", e)
	}
	if e := Effects(NewOperation(&SubscribeOp{Price: AssetAmount{Amount: 5}}), plain{}, plain{}); len(e) != 1 || e[0].Overpaid {
		t.Errorf("where the price is not known: %+v", e)
	}
}

// A new asset is described in its own units.
func TestANewAssetIsToldInItsOwnUnits(t *testing.T) {
	rate := Price{Base: AssetAmount{Amount: 1}, Quote: AssetAmount{Amount: 1, AssetID: 1}}
	op := &AssetCreateOp{Symbol: "TOK", Precision: 4, Options: AssetOptions{MaxSupply: 1000_0000, CoreExchangeRate: rate}}
	e := Effects(NewOperation(op), asking{}, asking{})
	if len(e) != 3 || e[0].Now != "1000.0000 TOK" || e[1].Now != "0.00000001 DCT for 0.0001 TOK" || e[2].Now != "false" {
		t.Errorf("%+v", e)
	}
}

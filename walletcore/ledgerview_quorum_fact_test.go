package walletcore_test

import (
	"context"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

// fact is something that a review depends on, with a lie of one daemon about it.
type fact struct {
	ask func(context.Context, *ledgerview.Quorum) error
	lie func(string) string
}

// about returns a fact that is queried with one parameter.
func about[P, T any](ask func(*ledgerview.Quorum, context.Context, P) (T, error), p P, lie func(string) string) fact {
	return fact{func(ctx context.Context, q *ledgerview.Quorum) error { _, err := ask(q, ctx, p); return err }, lie}
}

// things creates on the ledger what the facts are about: a token of a kind, a subscription, a vesting balance, a proposal.
func things(s *testwallet.Wallet) {
	s.T.Helper()
	alice, bobby := s.Account("alice").ID, s.Account("bobby").ID
	head, err := s.View.Chain.Head(s.Ctx)
	testwallet.Must(s.T, err)
	for _, op := range []ledger.Body{
		&ledger.NFTCreateDefinitionOp{Symbol: "CARDS", Transferable: true, Options: ledger.NFTOptions{Issuer: alice, MaxSupply: 3, Description: "cards"}},
		&ledger.NFTIssueOp{Issuer: alice, To: alice},
		&ledger.SubscribeByAuthorOp{From: alice, To: bobby},
		&ledger.VestingBalanceCreateOp{Creator: alice, Owner: alice, Amount: ledger.AssetAmount{Amount: 7},
			Policy: ledger.VestingPolicy{CoinDays: &ledger.CoinDaysVesting{VestingSeconds: 60}}},
		&ledger.ProposalCreateOp{FeePayingAccount: alice, ExpirationTime: head.Time + 3600,
			ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(&ledger.TransferObsoleteOp{From: alice, To: bobby,
				Fee: ledger.AssetAmount{Amount: 500_000}, Amount: ledger.AssetAmount{Amount: 6000_0000_0000}})}}},
	} {
		if bobbys, is := op.(*ledger.SubscribeByAuthorOp); is {
			open := s.Account("bobby").Options
			open.AllowSubscription, open.SubscriptionPeriod, open.PricePerSubscribe.Amount = true, 30, 5
			_, err := s.Box.PushUnsigned(ledger.NewOperation(&ledger.AccountUpdateOp{Account: bobbys.To, NewOptions: &open}))
			testwallet.Must(s.T, err)
			s.Mine()
		}
		if _, err := s.Box.PushUnsigned(ledger.NewOperation(op)); err != nil {
			s.T.Fatalf("%T: %v", op, err)
		}
		s.Mine()
	}
}

// previous matches the link in a block's header, with the block number apart from the rest.
var previous = regexp.MustCompile(`("previous":"[0-9a-f]{8})[0-9a-f]{8}`)

// offer returns a lie in which one daemon invents content.
func offer(t *testing.T, author ledger.AccountID) func(string) string {
	text, err := codec.Marshal(ledger.Content{ID: 5, Author: author, URI: "ipfs:film",
		Price: ledger.RegionalPrices{Prices: []ledger.PriceInRegion{{Region: 1, Price: ledger.AssetAmount{Amount: 1}}}}})
	testwallet.Must(t, err)
	return replace(`"result":null`, `"result":null`, `"result":`+string(text))
}

// seeder returns a lie in which one daemon invents a seeder.
func seeder(t *testing.T, account ledger.AccountID) func(string) string {
	text, err := codec.Marshal(ledger.Seeder{Seeder: account, PubKey: ledger.BigInteger{S: "3."}})
	testwallet.Must(t, err)
	return replace(`"result":null`, `"result":null`, `"result":`+string(text))
}

// Every fact that a review depends on is queried from as many daemons as must agree. A fact added to Quorum must be added here.
func TestDaemonsAgreeOnEveryFactOfAReview(t *testing.T) {
	s, r := testwallet.OpenOnTwo(t, 2, nil, "alice")
	things(s)
	alice, bobby, carol := s.Account("alice").ID, s.Account("bobby").ID, s.Account("carol").ID
	gold, err := s.View.Assets.Get(s.Ctx, "ALX.GOLD")
	testwallet.Must(t, err)
	miner, err := s.View.Quorum.Miner(s.Ctx, "1.4.1")
	testwallet.Must(t, err)
	type quorum = *ledgerview.Quorum
	owned := `"owner":"` + alice.String() + `"`
	block := func(ctx context.Context, q quorum) error { return q.Block(ctx, 1, ledger.BlockID{}) }
	until := func(ctx context.Context, q quorum) error { _, err := q.SubscribedUntil(ctx, alice, bobby); return err }
	issued := func(ctx context.Context, q quorum) error { _, _, err := q.IssuedAsset(ctx, "ALX.GOLD"); return err }
	certain := func(ctx context.Context, q quorum) error { return q.CheckCertain(ctx, []ledger.AssetID{gold.ID}) }
	confirm := func(m ledgerview.Mentions) func(context.Context, quorum) error {
		return func(ctx context.Context, q quorum) error { return q.ConfirmNames(ctx, &m) }
	}
	agree, agreeOnAsset := confirm(ledgerview.Mentions{Accounts: []ledger.AccountID{bobby}}), confirm(ledgerview.Mentions{Assets: []ledger.AssetID{0, gold.ID}})
	agreeOnKind := confirm(ledgerview.Mentions{Kinds: []ledger.NFTID{0}})
	facts := map[string]fact{
		"Account":       about(quorum.Account, "bobby", replace(`"name":"bobby"`, `"subscription_period":30`, `"subscription_period":3`)),
		"ConfirmNames":  {agree, replace(`"name":"bobby"`, `"name":"bobby"`, `"name":"bobbi"`)},
		"an asset":      {agreeOnAsset, replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`)},
		"a kind":        {agreeOnKind, replace(`"symbol":"CARDS"`, `"symbol":"CARDS"`, `"symbol":"CARTS"`)},
		"Asset":         about(quorum.Asset, "ALX.GOLD", replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`)),
		"Block":         {block, func(answer string) string { return previous.ReplaceAllString(answer, "${1}deadbeef") }},
		"CheckCertain":  {certain, replace(`"symbol":"ALX.GOLD"`, `"precision":4`, `"precision":6`)},
		"ContentAuthor": about(quorum.ContentAuthor, ledger.ContentID(5).Object(), replace(`[null]`, `[null]`, `[{"id":"2.13.5","author":"1.2.17"}]`)),
		"Fees":          about(func(q quorum, ctx context.Context, _ int) (any, error) { return q.Fees(ctx) }, 0, replace(`"current_fees"`, `[0,{"fee":100000}]`, `[0,{"fee":100001}]`)),
		"IssuedAsset":   {issued, replace(`"symbol":"ALX.GOLD"`, `"issuer":"`+gold.Issuer.String()+`"`, `"issuer":"`+carol.String()+`"`)},
		"Kind":          about(quorum.Kind, "CARDS", replace(`"symbol":"CARDS"`, `"issuer":"`+alice.String()+`"`, `"issuer":"`+carol.String()+`"`)),
		"Miner":         about(quorum.Miner, "1.4.1", replace(`"vote_id"`, `"vote_id":"`+miner.VoteID.String()+`"`, `"vote_id":"1:0"`)),
		"ObjectState": about(func(q quorum, ctx context.Context, object ledger.ObjectID) (any, error) {
			s, _, err := q.ObjectState(ctx, object)
			return s, err
		}, alice.Object(), replace(`"name":"alice"`, `"subscription_period":`, `"subscription_period":3`)),
		"Offer":           about(quorum.Offer, "ipfs:film", offer(t, carol)),
		"Parameters":      about(func(q quorum, ctx context.Context, _ int) (any, error) { return q.Parameters(ctx) }, 0, replace(`"parameters"`, `"maximum_transaction_size":`, `"maximum_transaction_size":1`)),
		"Proposal":        about(quorum.Proposal, 0, replace(`"proposed_transaction"`, `600000000000`, `700000000000`)),
		"Seeder":          about(quorum.Seeder, carol, seeder(t, carol)),
		"Subscription":    about(quorum.Subscription, 0, replace(`"automatic_renewal"`, `"to":"`+bobby.String()+`"`, `"to":"`+carol.String()+`"`)),
		"SubscribedUntil": {until, replace(`"automatic_renewal"`, `"to":"`+bobby.String()+`"`, `"to":"`+carol.String()+`"`)},
		"Token":           about(quorum.Token, 0, replace(`"nft_id"`, owned, `"owner":"`+carol.String()+`"`)),
		"VestingOwner":    about(quorum.VestingOwner, 0, replace(`"policy"`, owned, `"owner":"`+carol.String()+`"`)),
		"WholeAsset":      about(quorum.WholeAsset, gold.ID, replace(`"symbol":"ALX.GOLD"`, `"is_exchangeable":true`, `"is_exchangeable":false`)),
	}
	for m := range reflect.TypeFor[quorum]().Methods() {
		if _, listed := facts[m.Name]; !listed && !slices.Contains([]string{"Gather", "Size"}, m.Name) {
			t.Errorf("no lie is told about %s", m.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		f := facts[name]
		lied := false
		r.Set(func(r *testwallet.Relay) {
			r.Swap = func(answer string) string {
				now := f.lie(answer)
				lied = lied || now != answer
				return now
			}
		})
		s.View.Chain.Forget()
		err := f.ask(s.Ctx, s.View.Quorum)
		r.Set(func(r *testwallet.Relay) { r.Swap = nil })
		if !lied || fault.CodeOf(err) != fault.DaemonsDisagree || !strings.Contains(err.Error(), r.URL) {
			t.Errorf("%s: a lie was told: %v; it says %v", name, lied, err)
		}
		s.View.Chain.Forget()
		if err := f.ask(s.Ctx, s.View.Quorum); fault.CodeOf(err) == fault.DaemonsDisagree {
			t.Errorf("%s: when they agree it says %v", name, err)
		}
	}
	if _, err := s.View.Quorum.Account(s.Ctx, ""); fault.CodeOf(err) != fault.EmptyAccount {
		t.Errorf("of an account without a name they say %v", err)
	}
	if _, err := s.View.Quorum.Asset(s.Ctx, ""); fault.CodeOf(err) != fault.EmptyAsset {
		t.Errorf("of an asset without a symbol they say %v", err)
	}
	nothing := ledgerview.Mentions{Accounts: []ledger.AccountID{9999}, Assets: []ledger.AssetID{9999}, Kinds: []ledger.NFTID{9999}}
	if err := confirm(nothing)(s.Ctx, s.View.Quorum); err != nil {
		t.Errorf("of what there is not they say alike that it is not there: %v", err)
	}
}

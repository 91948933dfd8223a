package chain

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"billfold/content/custody"
	"billfold/content/share"
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

const (
	contentURI = "ipfs:QmContent"
	dct        = 1_0000_0000
)

// shop is a bank with content of nathan's, which init0 and init1 seed, and a buyer.
type shop struct {
	*bank
	pkg, signatures []byte
	key             share.Key
	seeders         map[ledger.AccountID]ledger.ElGamalKey
	buyer           ledger.AccountID
	buyerKey        ledger.PrivateKey
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{bank: newBank(t), pkg: bytes.Repeat([]byte("content "), 100), buyerKey: keyOf("buyer"), seeders: map[ledger.AccountID]ledger.ElGamalKey{
		init0ID: keyOf("seeder 0").ElGamal(), init1ID: keyOf("seeder 1").ElGamal(),
	}}
	s.buyer = s.register("buyer", ledger.SingleKeyAuthority(s.buyerKey.Public()))
	s.by(s.nathan, pay(nathanID, s.buyer, 100*dct), gold("GOLDX", false))
	for id, pair := range s.seeders {
		region := "SK"
		s.by(s.init, &ledger.ReadyToPublishOp{
			Seeder: id, Space: 10, PubKey: numberOf(pair), PricePerMByte: 1000 * uint32(id), IPFSID: "peer", RegionCode: &region,
		})
	}
	s.mine()
	return s
}

func numberOf(pair ledger.ElGamalKey) ledger.BigInteger {
	return ledger.BigInteger{S: ledger.BigText(pair.Public)}
}

// offer is content of two megabytes for ten days, at 9000 units a megabyte and day, for 3 DCT, 40 % of which are init2's.
func (s *shop) offer() *ledger.ContentSubmitOp {
	s.t.Helper()
	var err error
	if s.key, err = share.NewKey(); err != nil {
		s.t.Fatal(err)
	}
	parts, err := share.Parts(s.key, []ledger.BigInteger{numberOf(s.seeders[init1ID]), numberOf(s.seeders[init0ID])}, 2)
	if err != nil {
		s.t.Fatal(err)
	}
	secret, err := custody.NewSecret()
	if err != nil {
		s.t.Fatal(err)
	}
	var signatures bytes.Buffer
	data, err := secret.Sign(context.Background(), bytes.NewReader(s.pkg), int64(len(s.pkg)), 0, &signatures, custody.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.signatures = signatures.Bytes()
	return &ledger.ContentSubmitOp{
		Author: nathanID, CoAuthors: []ledger.CoAuthor{{Account: init1ID + 1, Split: 4000}}, URI: contentURI, Size: 2, Quorum: 2,
		Price:   []ledger.RegionalPrice{{Region: ledger.RegionDefault, Price: amount(3*dct, 0)}},
		Seeders: []ledger.AccountID{init1ID, init0ID}, KeyParts: parts, Expiration: s.now() + 10*86400 + 60,
		PublishingFee: amount(2*9000*10, 0), Synopsis: `{"title":"A song"}`, CustodyData: &data,
	}
}

func (s *shop) prove(seeder ledger.AccountID) *ledger.ProofOfCustodyOp {
	s.t.Helper()
	content := s.content()
	var head ledger.Hash160
	s.c.View(func(st *state.State) { head = ledger.Hash160(st.Dynamic().HeadBlockID) })
	proof, err := custody.Prove(*content.CustodyData, bytes.NewReader(s.pkg), int64(len(s.pkg)), bytes.NewReader(s.signatures), head)
	if err != nil {
		s.t.Fatal(err)
	}
	return &ledger.ProofOfCustodyOp{Seeder: seeder, URI: contentURI, Proof: &proof}
}

func (s *shop) deliver(seeder ledger.AccountID, id ledger.BuyingID) *ledger.DeliverKeysOp {
	s.t.Helper()
	for _, part := range s.content().KeyParts {
		if part.Seeder == seeder {
			key, proof, err := share.Deliver(s.seeders[seeder], part.Part, s.purchase(id).PubKey)
			if err != nil {
				s.t.Fatal(err)
			}
			return &ledger.DeliverKeysOp{Seeder: seeder, Proof: proof, Key: key, Buying: id}
		}
	}
	s.t.Fatalf("%s is no seeder", seeder)
	return nil
}

func (s *shop) buy(units int64) *ledger.RequestToBuyOp {
	return &ledger.RequestToBuyOp{
		Consumer: s.buyer, URI: contentURI, Price: amount(units, 0), RegionCodeFrom: 5, PubKey: numberOf(s.buyerKey.ElGamal()),
	}
}

func (s *shop) content() (c *ledger.Content) {
	s.c.View(func(st *state.State) { c = st.Contents.Of(contentURI) })
	return c
}

func (s *shop) purchase(id ledger.BuyingID) (p *ledger.Buying) {
	s.c.View(func(st *state.State) { p = st.Purchases.Get(id) })
	return p
}

// newest returns the newest operation in the history of an account as text, without its fee.
func (s *shop) newest(id ledger.AccountID) string {
	var op ledger.Operation
	s.c.View(func(st *state.State) { op = st.History.Page(id, 0, 1, 0)[0].Op })
	return fmt.Sprintf("%d %s", op.Code, marshal(s.t, op.Body))
}

func TestContentIsSeededPaidForAndDelivered(t *testing.T) {
	s := newShop(t)
	had := map[ledger.AccountID]int64{}
	for _, id := range []ledger.AccountID{nathanID, init0ID, init1ID, init1ID + 1, s.buyer} {
		had[id] = s.balance(id)
	}
	s.by(s.nathan, s.offer())
	s.mine()
	s.by(s.init, s.prove(init0ID), s.prove(init1ID))
	first := s.mine().Timestamp
	s.mineAt(first + 86400 - 1) // head time of the next proof: all but a second of a day later than that of the first
	s.by(s.init, s.prove(init0ID))
	s.mine()
	reward := s.balance(init0ID) - had[init0ID]
	if whole := int64(2 * 4 * 1000); reward > whole || reward < whole-8 {
		t.Errorf("a day of two megabytes at 4000 pays %d", reward)
	}
	if got, want := s.newest(init0ID), fmt.Sprintf(`49 {"fee":{"amount":0,"asset_id":"1.3.0"},"payout":{"amount":%d,"asset_id":"1.3.0"},"author":"1.2.16","seeder":"1.2.4"}`,
		reward); got != want {
		t.Errorf("the history of the seeder is %s, want %s", got, want)
	}
	if c := s.content(); c.PublishingFeeEscrow.Amount != 180000-reward || len(c.LastProof) != 2 {
		t.Errorf("the content is %+v", c)
	}
	s.mineAt(s.content().LastProof[0].Time + 43200)
	half := s.balance(init0ID)
	s.by(s.init, s.prove(init0ID))
	s.mine()
	if got := s.balance(init0ID) - half; got != 8000*4375/10000 { // half of it, less a quarter of the half day that lacks
		t.Errorf("a proof after half a day pays %d", got)
	}
	s.by(s.buyerKey, s.buy(3*dct))
	s.mine()
	if p := s.purchase(0); p.Price.Amount != 3*dct || s.balance(s.buyer) != had[s.buyer]-3*dct {
		t.Errorf("the price is not held: %+v", p)
	}
	checkBooks(t, s.bank, 0)
	s.by(s.init, s.deliver(init1ID, 0))
	s.mine()
	if p := s.purchase(0); p.Delivered || len(p.SeedersAnswered) != 1 {
		t.Errorf("one of two parts delivers: %+v", p)
	}
	s.by(s.init, s.deliver(init1ID, 0), s.deliver(init0ID, 0)) // a part that is there already counts once
	s.mine()
	p := s.purchase(0)
	if !p.Delivered || p.Price.Amount != 0 || len(p.KeyParticles) != 2 || s.content().TimesBought != 1 {
		t.Errorf("the purchase is %+v", p)
	}
	if got := s.balance(init1ID+1) - had[init1ID+1]; got != 12*dct/10 {
		t.Errorf("the co-author got %d of 3 DCT", got)
	}
	if got := s.balance(nathanID) - had[nathanID]; got != 18*dct/10-180000 {
		t.Errorf("the author got %d", got)
	}
	if got := s.newest(s.buyer); got != `50 {"fee":{"amount":0,"asset_id":"1.3.0"},"payout":{"amount":180000000,"asset_id":"1.3.0"},"author":"1.2.16",`+
		`"co_authors":[["1.2.6",4000]],"buying":"2.12.0","consumer":"1.2.17"}` {
		t.Errorf("the history of the buyer is %s", got)
	}
	if key, err := share.ContentKey(s.buyerKey.ElGamal(), p.KeyParticles, 2); err != nil || !key.Equal(s.key) {
		t.Errorf("the buyer restores another key (%v)", err)
	}
	s.by(s.buyerKey, &ledger.LeaveRatingAndCommentOp{URI: contentURI, Consumer: s.buyer, Rating: 4, Comment: "good"})
	s.mine()
	if c := s.content(); c.AverageRating != 4000 || c.NumOfRatings != 1 || !s.purchase(0).IsRatedOrCommented {
		t.Errorf("the content is %+v", c)
	}
	checkBooks(t, s.bank, 0)
}

func TestUndeliveredContentIsRefundedAndExpiredContentReturnsItsEscrow(t *testing.T) {
	s := newShop(t)
	s.by(s.nathan, s.offer())
	s.mine()
	had, author := s.balance(s.buyer), s.balance(nathanID)
	s.by(s.buyerKey, s.buy(3*dct))
	bought := s.mine().Timestamp
	for s.now() < bought+86400 {
		if p := s.purchase(0); p.Expired {
			t.Fatalf("expired at %s: %+v", s.now(), p)
		}
		s.maintenance()
	}
	if p := s.purchase(0); !p.Expired || p.Price.Amount != 0 || s.balance(s.buyer) != had {
		t.Errorf("no refund: %+v", p)
	}
	if got := s.newest(s.buyer); got != `48 {"fee":{"amount":0,"asset_id":"1.3.0"},"consumer":"1.2.17","escrow":{"amount":300000000,"asset_id":"1.3.0"},"buying":"2.12.0"}` {
		t.Errorf("the history of the buyer is %s", got)
	}
	s.by(s.buyerKey, s.buy(4*dct)) // more than is asked is paid, and an expired purchase does not stand in the way
	s.by(s.nathan, &ledger.ContentCancellationOp{Author: nathanID, URI: contentURI})
	s.mine()
	s.by(s.init, s.deliver(init0ID, 1), s.deliver(init1ID, 1)) // what was bought before is still delivered
	s.by(s.init, s.deliver(init0ID, 0), s.deliver(init1ID, 0))
	s.mine()
	if p := s.purchase(1); !p.Delivered || p.PaidAfterExchange.Amount != 4*dct {
		t.Errorf("the purchase is %+v", p)
	}
	if p := s.purchase(0); p.Delivered || s.content().TimesBought != 1 {
		t.Errorf("an expired purchase is paid: %+v", p)
	}
	for s.now() < s.content().Expiration {
		s.maintenance()
	}
	if s.content().PublishingFeeEscrow.Amount != 0 || s.balance(nathanID) < author+180000 {
		t.Errorf("the escrow does not come back: %+v", s.content())
	}
	if got := s.newest(nathanID); got != `47 {"fee":{"amount":0,"asset_id":"1.3.0"},"author":"1.2.16","escrow":{"amount":180000,"asset_id":"1.3.0"},"content":"2.13.0"}` {
		t.Errorf("the history of the author is %s", got)
	}
	operations := func() (n uint32) {
		s.c.View(func(st *state.State) { n = st.Accounts.Statistics(ledger.AccountStatisticsID(nathanID)).TotalOps })
		return n
	}
	had = s.balance(nathanID)
	count := operations()
	s.maintenance()
	if s.balance(nathanID) != had || operations() != count {
		t.Error("the escrow comes back twice")
	}
	checkBooks(t, s.bank, 0)
}

func TestContentIsResubmittedAndSubscribersPayNothing(t *testing.T) {
	s := newShop(t)
	op := s.offer()
	s.by(s.nathan, op)
	s.mine()
	again := *op
	again.Price, again.Synopsis, again.CoAuthors = []ledger.RegionalPrice{{Region: 5, Price: amount(7, 0)}, {Region: 9, Price: amount(8, 0)}}, "{}", nil
	again.Fee = ledger.AssetAmount{}
	s.by(s.nathan, &again)
	s.mine()
	if c := s.content(); len(c.Price.Prices) != 2 || c.Synopsis != "{}" || c.CoAuthors != nil || c.PublishingFeeEscrow.Amount != 2*180000 {
		t.Errorf("the content is %+v", c)
	}
	s.by(s.nathan, offer(5*dct, 1))
	s.mine()
	s.by(s.buyerKey, &ledger.SubscribeOp{From: s.buyer, To: nathanID, Price: amount(5*dct, 0)})
	s.mine()
	had := s.balance(s.buyer)
	s.by(s.buyerKey, s.buy(0))
	s.mine()
	if p := s.purchase(0); p.PaidBeforeExchange.Amount != 0 || s.balance(s.buyer) != had {
		t.Errorf("a subscriber pays: %+v", p)
	}
	checkBooks(t, s.bank, 0)
}

// The price in an exchangeable asset is paid in DCT through that asset's pools, and the other way round; what is held and paid is in the asset of
// the price.
func TestContentIsPaidInAnotherAssetThroughItsPools(t *testing.T) {
	s := newShop(t)
	s.by(s.nathan, &ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(50_0000, 1), IssueToAccount: s.buyer},
		&ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(10_0000, 1), IssueToAccount: nathanID})
	s.by(s.nathan, &ledger.AssetFundPoolsOp{FromAccount: nathanID, UIAAsset: amount(5_0000, 1), DCTAsset: amount(10*dct, 0)})
	offer := func(uri string, price ledger.AssetAmount) *ledger.ContentSubmitOp {
		return &ledger.ContentSubmitOp{Author: nathanID, URI: uri, Size: 1, Expiration: s.now() + 5*86400,
			Price: []ledger.RegionalPrice{{Region: 1, Price: price}}}
	}
	s.by(s.nathan, offer("http://a.b/gold", amount(1_0000, 1)), offer("http://a.b/dct", amount(2*dct, 0)))
	s.mine()
	buy := func(uri string, price ledger.AssetAmount) *ledger.RequestToBuyOp {
		return &ledger.RequestToBuyOp{Consumer: s.buyer, URI: uri, Price: price, RegionCodeFrom: 1, PubKey: numberOf(s.buyerKey.ElGamal())}
	}
	s.refuses(t, []refusal{
		{"too little", []ledger.PrivateKey{s.buyerKey}, buy("http://a.b/gold", amount(2*dct-1, 0)), nodeerr.CodeAssert, "is_price_sufficient"},
		{"more than the pool has", []ledger.PrivateKey{s.buyerKey}, buy("http://a.b/gold", amount(11*dct, 0)), nodeerr.CodeAssert, "pool: "},
		{"more DCT than the pool has", []ledger.PrivateKey{s.buyerKey}, buy("http://a.b/dct", amount(6_0000, 1)), nodeerr.CodeAssert, "pool: "},
	})
	_, had := s.asset(1)
	s.by(s.buyerKey, buy("http://a.b/gold", amount(2*dct, 0)), buy("http://a.b/dct", amount(1_0000, 1)))
	s.mine()
	if p := s.purchase(0); p.PaidBeforeExchange != amount(2*dct, 0) || p.PaidAfterExchange != amount(1_0000, 1) {
		t.Errorf("the purchase is %+v", p)
	}
	if p := s.purchase(1); p.PaidBeforeExchange != amount(1_0000, 1) || p.PaidAfterExchange != amount(2*dct, 0) {
		t.Errorf("the purchase is %+v", p)
	}
	if _, now := s.asset(1); now.AssetPool != had.AssetPool || now.CorePool != had.CorePool {
		t.Errorf("the pools are %+v, were %+v", now, had)
	}
	checkBooks(t, s.bank, 0)
}

func TestContentOperationsAreRefusedAsByTheNode(t *testing.T) {
	s := newShop(t)
	offered := s.offer()
	s.by(s.nathan, offered)
	s.mine()
	s.by(s.buyerKey, s.buy(3*dct))
	for range 8 {
		s.mine()
	}
	old := s.prove(init0ID)
	s.by(s.init, old)
	for range 7 {
		s.mine()
	}
	nathan, buyer, init := []ledger.PrivateKey{s.nathan}, []ledger.PrivateKey{s.buyerKey}, []ledger.PrivateKey{s.init}
	submit := func(edit func(*ledger.ContentSubmitOp)) *ledger.ContentSubmitOp {
		op := *offered
		op.URI, op.Fee = "ipfs:QmOther", ledger.AssetAmount{}
		edit(&op)
		return &op
	}
	strange := s.deliver(init0ID, 0)
	strange.Seeder = init1ID
	foreign := s.prove(init0ID)
	other := foreign.Proof.Seed
	other[19] ^= 1 // the block of another chain at the same height
	otherProof, err := custody.Prove(*s.content().CustodyData, bytes.NewReader(s.pkg), int64(len(s.pkg)), bytes.NewReader(s.signatures), other)
	if err != nil {
		t.Fatal(err)
	}
	foreign.Proof = &otherProof
	unproven := s.prove(init0ID)
	unproven.Proof = nil
	s.refuses(t, []refusal{
		{"scheme", nathan, submit(func(op *ledger.ContentSubmitOp) { op.URI = "ftp:x" }), nodeerr.CodeValidate, ""},
		{"no price", nathan, submit(func(op *ledger.ContentSubmitOp) { op.Price = nil }), nodeerr.CodeValidate, ""},
		{"parts", nathan, submit(func(op *ledger.ContentSubmitOp) { op.KeyParts = op.KeyParts[:1] }), nodeerr.CodeValidate, ""},
		{"negative escrow", nathan, submit(func(op *ledger.ContentSubmitOp) { op.PublishingFee.Amount = -1 }), nodeerr.CodeValidate, ""},
		{"co-author", nathan, submit(func(op *ledger.ContentSubmitOp) { op.CoAuthors = []ledger.CoAuthor{{Account: 999, Split: 1}} }),
			nodeerr.CodeAssert, "itr != idx.end(): Account 1.2.999 doesn't exist."},
		{"region", nathan, submit(func(op *ledger.ContentSubmitOp) {
			op.Price = []ledger.RegionalPrice{{Region: 252, Price: amount(1, 0)}}
		}), nodeerr.CodeAssert, "region: Invalid region code"},
		{"asset", nathan, submit(func(op *ledger.ContentSubmitOp) {
			op.Price = []ledger.RegionalPrice{{Region: 1, Price: amount(1, 99)}}
		}), nodeerr.CodeAssert, "itr_asset != idx_asset.end()"},
		{"too short", nathan, submit(func(op *ledger.ContentSubmitOp) { op.Expiration = s.now() + 86399 }), nodeerr.CodeAssert,
			"days != 0: time to expiration has to be at least one day"},
		{"quorum", nathan, submit(func(op *ledger.ContentSubmitOp) { op.Quorum = 1 }), nodeerr.CodeAssert, "quorum: "},
		{"large quorum", nathan, submit(func(op *ledger.ContentSubmitOp) { op.Quorum = 3 }), nodeerr.CodeAssert, "quorum: "},
		{"no seeder", nathan, submit(func(op *ledger.ContentSubmitOp) { op.Seeders = []ledger.AccountID{nathanID, init0ID} }),
			nodeerr.CodeAssert, "itr != idx.end(): seeder does not exist"},
		{"no space", nathan, submit(func(op *ledger.ContentSubmitOp) { op.Size, op.PublishingFee.Amount = 8, 1e9 }), nodeerr.CodeAssert,
			"itr->free_space > o.size"},
		{"little pay", nathan, submit(func(op *ledger.ContentSubmitOp) { op.PublishingFee.Amount = 180000 - 1 }), nodeerr.CodeAssert,
			"days * total_price_per_day <= o.publishing_fee"},
		{"another's URI", init, submit(func(op *ledger.ContentSubmitOp) { op.URI, op.Author, op.CoAuthors = contentURI, init0ID, nil }),
			nodeerr.CodeAssert, "content_itr->author == o.author"},
		{"another size", nathan, submit(func(op *ledger.ContentSubmitOp) { op.URI, op.Size = contentURI, 1 }), nodeerr.CodeAssert,
			"content_itr->size == o.size"},
		{"another hash", nathan, submit(func(op *ledger.ContentSubmitOp) { op.URI, op.Hash = contentURI, ledger.Hash160{1} }),
			nodeerr.CodeAssert, "content_itr->_hash == o.hash"},
		{"another end", nathan, submit(func(op *ledger.ContentSubmitOp) { op.URI, op.Expiration = contentURI, op.Expiration+1 }),
			nodeerr.CodeAssert, "content_itr->expiration == o.expiration"},
		{"buy nothing", buyer, &ledger.RequestToBuyOp{Consumer: s.buyer, URI: "ipfs:nope"}, nodeerr.CodeAssert,
			"content != idx.end(): there is no content ipfs:nope"},
		{"buy twice", buyer, s.buy(3 * dct), nodeerr.CodeAssert, "insert: the consumer has bought this content already"},
		{"buy cheap", init, &ledger.RequestToBuyOp{Consumer: init0ID, URI: contentURI, Price: amount(0, 0), RegionCodeFrom: 2},
			nodeerr.CodeAssert, "is_price_sufficient"},
		{"buy poor", init, &ledger.RequestToBuyOp{Consumer: init0ID, URI: contentURI, Price: amount(3*dct, 0), RegionCodeFrom: 2},
			nodeerr.CodeAssert, "o.price <= get_balance"},
		{"rate badly", buyer, &ledger.LeaveRatingAndCommentOp{Consumer: s.buyer, URI: contentURI, Rating: 6}, nodeerr.CodeValidate, ""},
		{"rate early", buyer, &ledger.LeaveRatingAndCommentOp{Consumer: s.buyer, URI: contentURI, Rating: 5}, nodeerr.CodeAssert,
			"bo->delivered: not delivered"},
		{"rate unbought", nathan, &ledger.LeaveRatingAndCommentOp{Consumer: nathanID, URI: contentURI, Rating: 5}, nodeerr.CodeAssert,
			"bo != bidx.end()"},
		{"cancel another's", buyer, &ledger.ContentCancellationOp{Author: s.buyer, URI: contentURI}, nodeerr.CodeAssert,
			"o.author == content_itr->author"},
		{"deliver nothing", init, &ledger.DeliverKeysOp{Seeder: init0ID, Buying: 9}, nodeerr.CodeObjectNotFound, "Object ID: 2.12.9"},
		{"deliver another's part", init, strange, nodeerr.CodeAssert, "verify_delivery_proof"},
		{"deliver unasked", nathan, &ledger.DeliverKeysOp{Seeder: nathanID}, nodeerr.CodeAssert, "key_parts.at( o.seeder )"},
		{"old proof", init, old, nodeerr.CodeAssert, "head_block_num() <= proof.reference_block + 6"},
		{"proof for another chain", init, foreign, nodeerr.CodeAssert, "bid._hash[i] == proof.seed.data[i]"},
		{"no proof", init, unproven, nodeerr.CodeAssert, "content->cd.valid() == o.proof.valid()"},
		{"prove unasked", nathan, &ledger.ProofOfCustodyOp{Seeder: nathanID, URI: contentURI}, nodeerr.CodeAssert, "sitr != sidx.end()"},
		{"report of nobody", buyer, &ledger.ReportStatsOp{Consumer: s.buyer, Stats: []ledger.SeederStat{{Account: nathanID, Amount: 1}}},
			nodeerr.CodeAssert, "so != idx.end()"},
	})
}

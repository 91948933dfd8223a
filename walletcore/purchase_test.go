package walletcore_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

const songURI = "http://songs.example/one"

// buyer is a wallet of alice and carol on a ledger where bobby offers a song for 5 DCT. Wallet and ledger use the clock.
type buyer struct {
	*testwallet.Wallet
	clock *testwallet.Clock
}

func newBuyer(t *testing.T) *buyer {
	b := &buyer{clock: testwallet.NewClock()}
	box := testwallet.Ledger(t, sandbox.Options{Now: b.clock.Now})
	b.Wallet = b.another(t, box)
	b.push(&ledger.ReadyToPublishOp{Seeder: 17, Space: 100, PricePerMByte: 1, PubKey: numberOf("bobby"), IPFSID: "a"},
		&ledger.ReadyToPublishOp{Seeder: 18, Space: 100, PricePerMByte: 1, PubKey: numberOf("carol"), IPFSID: "b"})
	b.push(song(b.clock, 5, nil))
	return b
}

// another returns another wallet of alice and carol, on the same ledger.
func (b *buyer) another(t *testing.T, box *sandbox.Sandbox) *testwallet.Wallet {
	w := testwallet.On(t, box, box.URL(), func(cfg *walletcore.Config) { cfg.Now = b.clock.Now })
	w.Hold("alice", "carol")
	return w
}

func numberOf(name string) ledger.BigInteger {
	return ledger.BigInteger{S: ledger.BigText(testwallet.Key(name).ElGamal().Public)}
}

// song is the offer of a song for so many DCT. Seeders, if there are any, never deliver its key.
func song(clock *testwallet.Clock, price int64, seeders []ledger.AccountID) *ledger.ContentSubmitOp {
	op := &ledger.ContentSubmitOp{Author: 17, URI: songURI, Size: 1, Synopsis: `{"title":"A song"}`, Seeders: seeders,
		Price:      []ledger.RegionalPrice{{Region: ledger.RegionNone, Price: ledger.AssetAmount{Amount: price * 1_0000_0000}}},
		Expiration: ledger.TimeOf(clock.Now()) + 5*86400}
	for range seeders {
		op.KeyParts = append(op.KeyParts, ledger.Ciphertext{C1: ledger.BigInteger{S: "5."}, D1: ledger.BigInteger{S: "7."}})
	}
	if len(seeders) > 0 {
		op.Quorum, op.PublishingFee = 2, ledger.AssetAmount{Amount: 1000}
		op.CustodyData = &ledger.CustodyData{N: 1, PubKey: [33]byte{1}}
	}
	return op
}

// push has the ledger take operations that others signed.
func (b *buyer) push(bodies ...ledger.Body) {
	b.T.Helper()
	for _, body := range bodies {
		_, err := b.Box.PushUnsigned(ledger.NewOperation(body))
		testwallet.Must(b.T, err)
	}
	b.Mine()
}

func download(by string) txbuild.Request {
	return txbuild.NewRequest("download_content", txbuild.BuyContentParams{Consumer: by, URI: songURI}, txbuild.BuyContent)
}

// byPrice is request_to_buy, whose caller names the price.
func byPrice(by string) txbuild.Request {
	return txbuild.NewRequest("request_to_buy", txbuild.RequestToBuyParams{Consumer: by, URI: songURI, Asset: "DCT", Price: "5"}, txbuild.RequestToBuy)
}

// What happens to an offer between the review and the signature is noticed before anything is signed, where there is time for it; else the
// ledger refuses the purchase. Both is said in words, and nothing is paid.
func TestOffersThatChangeWhileTheyAreRead(t *testing.T) {
	for name, trial := range map[string]struct {
		change       func(b *buyer)
		late, quick  string // what is said when the change was noticed, and when the ledger noticed it
		code         fault.Code
		itself, free bool // the account itself bought it; it costs nothing more
	}{
		"the price rose": {func(b *buyer) { b.push(song(b.clock, 6, nil)) },
			"the offer was changed meanwhile, so it would not cost what you have read", "it costs 6 DCT now, not 5", fault.StateChanged, false, false},
		"the price fell": {func(b *buyer) { b.push(song(b.clock, 4, nil)) },
			"the offer was changed meanwhile, so it would not cost what you have read", "", fault.StateChanged, false, false},
		"withdrawn": {func(b *buyer) { b.push(&ledger.ContentCancellationOp{Author: 17, URI: songURI}) },
			`"http://songs.example/one" was taken off sale by its author`, "was taken off sale by its author", fault.NoSuchContent, false, false},
		"over": {func(b *buyer) {
			b.clock.Forward(6 * 24 * time.Hour)
			b.Mine()
		}, `"http://songs.example/one" was on offer until `, "was on offer until ", fault.NoSuchContent, false, false},
		"bought by another wallet of the account": {func(b *buyer) {
			_, err := b.another(t, b.Box).Payments.Spend(b.Ctx, download("alice"), payment.Sending{Broadcast: true})
			testwallet.Must(t, err)
			b.Mine()
		}, "the account alice has bought it already, as 2.12.0", "the account alice has bought it already, as 2.12.0", fault.BoughtAlready, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, late := range []bool{true, false} {
				b := newBuyer(t)
				made, err := b.Payments.Prepare(b.Ctx, download("alice"))
				testwallet.Must(t, err)
				trial.change(b)
				had := b.DCT("alice")
				want := trial.quick
				if late {
					b.clock.Forward(time.Second)
					want = trial.late
				}
				if want == "" {
					continue
				}
				_, err = b.Payments.Send(b.Ctx, made)
				code := trial.code
				if !late && name != "over" { // whose time the clock has passed
					code = fault.DaemonRefused
				}
				if e := faulttest.Refused(t, err, code); !strings.Contains(e.Message, want) {
					t.Errorf("late %v: %q, want %q", late, e.Message, want)
				}
				b.Mine()
				if now := b.DCT("alice"); now != had {
					t.Errorf("late %v: %d was paid", late, had-now)
				}
			}
		})
	}
}

// What cannot be bought any more is refused before it is signed, for a program that names the price as well.
func TestPurchasesThatTheLedgerWouldRefuse(t *testing.T) {
	b := newBuyer(t)
	refused := func(code fault.Code, want string) {
		t.Helper()
		for _, r := range []txbuild.Request{download("alice"), byPrice("alice")} {
			_, err := b.Payments.Spend(b.Ctx, r, payment.Sending{Broadcast: true})
			if e := faulttest.Refused(t, err, code); !strings.Contains(e.Message, want) {
				t.Errorf("%s: %q, want %q", r.Op, e.Message, want)
			}
		}
	}
	_, err := b.Payments.Spend(b.Ctx, byPrice("carol"), payment.Sending{Broadcast: true})
	testwallet.Must(t, err)
	b.Mine()
	_, err = b.Payments.Spend(b.Ctx, byPrice("alice"), payment.Sending{Broadcast: true}) // another account of the same wallet
	testwallet.Must(t, err)
	b.Mine()
	refused(fault.BoughtAlready, "the account alice has bought it already, as 2.12.1")
	b.push(&ledger.ContentCancellationOp{Author: 17, URI: songURI})
	refused(fault.BoughtAlready, "the account alice has bought it already, as 2.12.1") // it is still hers
	b = newBuyer(t)
	b.push(song(b.clock, 6, nil))
	_, err = b.Payments.Spend(b.Ctx, byPrice("alice"), payment.Sending{Broadcast: true})
	if e := faulttest.Refused(t, err, fault.StateChanged); e.Message != "it costs 6 DCT now, not 5" {
		t.Error(e.Message)
	}
	b.push(&ledger.ContentCancellationOp{Author: 17, URI: songURI})
	refused(fault.NoSuchContent, "was taken off sale by its author")
	if list, err := b.Payments.List(b.Ctx, 10); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// Of several that buy one thing for one account at once, each under its own key or none, one pays. The others are told so.
func TestOnePurchaseAtATime(t *testing.T) {
	b := newBuyer(t)
	had := b.DCT("alice")
	errs := make([]error, 6)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			r := download("alice")
			if i%2 == 0 {
				r = byPrice("alice")
			}
			_, errs[i] = b.Payments.Spend(b.Ctx, r, payment.Sending{Broadcast: true})
		})
	}
	all.Wait()
	paid := 0
	for _, err := range errs {
		if err == nil {
			paid++
			continue
		}
		if e := faulttest.Refused(t, err, fault.BoughtAlready); !strings.Contains(e.Message, "bought already") && !strings.Contains(e.Message, "has bought it already") {
			t.Error(e.Message)
		}
	}
	b.Mine()
	if price := int64(5_0000_0000); paid != 1 || had-b.DCT("alice") < price || had-b.DCT("alice") > price+1_0000_0000 {
		t.Errorf("%d paid, %d in all", paid, had-b.DCT("alice"))
	}
}

// A price that the seeders' silence gave back can be paid again, and is paid once more only then.
func TestPurchasesThatLapse(t *testing.T) {
	b := newBuyer(t)
	b.push(&ledger.ContentCancellationOp{Author: 17, URI: songURI})
	offer := song(b.clock, 5, []ledger.AccountID{17, 18})
	offer.URI += "/kept"
	b.push(offer)
	buy := func() error {
		_, err := b.Payments.Spend(b.Ctx, txbuild.NewRequest("download_content", txbuild.BuyContentParams{Consumer: "alice", URI: offer.URI}, txbuild.BuyContent),
			payment.Sending{Broadcast: true})
		return err
	}
	had := b.DCT("alice")
	testwallet.Must(t, buy())
	b.Mine()
	b.Until("the block", func() bool {
		return !slices.ContainsFunc(b.Payments.Recent(), func(p payment.Payment) bool { return p.State != payment.InBlock && p.State != payment.Irreversible })
	})
	held := had - b.DCT("alice")
	faulttest.Refused(t, buy(), fault.BoughtAlready)
	b.Box.Jump(25 * time.Hour)
	b.clock.Forward(25 * time.Hour)
	b.Mine()
	if held < 5_0000_0000 || had-b.DCT("alice") >= 1_0000_0000 {
		t.Fatalf("%d of %d were held, and %d of them stay paid", held, had, had-b.DCT("alice"))
	}
	testwallet.Must(t, buy())
	b.Mine()
	faulttest.Refused(t, buy(), fault.BoughtAlready)
}

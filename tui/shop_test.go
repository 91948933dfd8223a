package tui_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/content/archive"
	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/advice"
	"billfold/tui/page/content"
	corecontent "billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// What is sold in single countries only stands under Published as well, once, and the newest is the first.
func TestOffersOfSingleCountriesArePublished(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	w.Mine()
	regions := [][]string{{""}, {"AT"}, {"AT", "DE"}}
	var want []string
	for i, sold := range regions {
		uri := fmt.Sprintf("ipfs:%d", i)
		p := txbuild.SubmitContentParams{Author: "alice", URI: uri, Size: 1, Hash: ledger.Hash160{byte(i + 1)}, Expiration: 4_000_000_000,
			FeeAsset: "DCT", FeeAmount: "0", Synopsis: "{}", Secret: "6."}
		for _, region := range sold {
			p.Prices = append(p.Prices, txbuild.PriceText{Region: region, Amount: json.RawMessage(`"2"`), Symbol: "DCT"})
		}
		_, err := w.Payments.Spend(w.Ctx, txbuild.NewRequest("submit_content", p, txbuild.SubmitContent), payment.Sending{Broadcast: true, Key: corecontent.SubmitKeys + uri})
		testwallet.Must(t, err)
		w.Mine()
		want = append([]string{uri}, want...)
	}
	items, err := tui.ContentOf(w.Wallet).List(w.Ctx, content.Published, ledgerview.AccountRef{ID: w.Account("alice").ID, Name: "alice"}, "")
	testwallet.Must(t, err)
	var got []string
	for _, i := range items {
		got = append(got, i.URI)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed are %v, want %v", got, want)
	}
}

// Content that was paid and does not open is told with the words of billfold content buy, with whose fault it is; a folder that is not free, and content
// whose author hands the key out, are told as that.
func TestWhatWasBoughtAndDoesNotOpen(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	w.Mine()
	shop := tui.ContentOf(w.Wallet)
	public, err := w.Vault.ElGamalPublic("test", testwallet.Key("alice").Public())
	testwallet.Must(t, err)
	bought := &ledger.Buying{ID: 7, PubKey: public, KeyParticles: []ledger.Ciphertext{{}, {}}}
	what, next := advice.Of(shop.Extract(w.Ctx, bought, ledger.Hash160{}, 2, t.TempDir()))
	if !strings.HasPrefix(what, "the content was bought and paid, as 2.12.7, and cannot be opened: ") || next != "What its seeders delivered, or its author published, is no key, and nothing gives the price back; ask the author." {
		t.Errorf("junk parts of a key: %s | %s", what, next)
	}
	for _, code := range []fault.Code{fault.BadValue, fault.PackageState, fault.NoSuchPackage} {
		err := error(&fault.Error{Code: code, Message: "the folder is taken"})
		if got := corecontent.OpenFault(bought, err); !errors.Is(got, err) || fault.CodeOf(got) != code || got.Error() != err.Error() {
			t.Errorf("%s became %v", code, got)
		}
	}
	err = corecontent.OpenFault(bought, &fault.Error{Code: fault.BadValue, Message: "the key does not open this package", Err: archive.ErrKey})
	if what, next := advice.Of(err); !strings.HasSuffix(what, "cannot be opened: the key does not open this package") || !strings.HasPrefix(next, "The key that its seeders delivered does not fit") {
		t.Errorf("a wrong key: %s | %s", what, next)
	}
	if what, _ := advice.Of(shop.Extract(w.Ctx, &ledger.Buying{ID: 7}, ledger.Hash160{}, 0, t.TempDir())); strings.Contains(what, "paid") {
		t.Errorf("content without parts of a key: %s", what)
	}
}

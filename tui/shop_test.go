package tui_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/content"
	corecontent "billfold/walletcore/content"
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

package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
)

// The rows of a shop: row n is the n-th operation of alice, and has the id 1.7.n-1. Four are
// in a block, and a block comes each 20 h. The last four are not final when the UI starts.
const (
	shopRows = 1204
	atOnce   = 4
)

// shop is the ledger with all rows that are final, and a wallet that has indexed them.
var shop = &uitest.Past{Index: true, Ledger: func(w *uitest.World) {
	const blocks = shopRows/atOnce - 1
	for n := range blocks {
		w.Ago(time.Duration(blocks-n) * 20 * time.Hour)
		sell(w, atOnce*n+1, atOnce)
	}
}}

// ofShop is the scene of a shop.
func ofShop() uitest.Scene {
	return uitest.Scene{Past: shop, Wallet: func(w *uitest.World) {
		w.Ago(12 * time.Second)
		sell(w, shopRows-atOnce+1, atOnce)
	}}
}

// newShop is the scene of a shop whose rows the index does not have yet: the node takes 3 s
// for each answer.
func newShop() uitest.Scene {
	scene := ofShop()
	sells := scene.Wallet
	scene.Wallet = func(w *uitest.World) {
		sells(w)
		w.Until(uitest.Start.Add(-500 * time.Millisecond))
		w.Ledger.DelayMethod("get_relative_account_history", 3*time.Second)
		w.Reopen(func(dir string) { uitest.Must(w.T, os.Remove(filepath.Join(dir, "history.db"))) })
	}
	return scene
}

// sell brings rows first, first+1 … into a block.
func sell(w *uitest.World, first, rows int) {
	for n := first; n < first+rows; n++ {
		w.Push(row(n).Body())
	}
	w.Mine()
}

func row(n int) uitest.Transfer {
	with := [...]ledgerview.AccountRef{uitest.Carol, uitest.Caro1, uitest.Bob, uitest.Merchant}[n*2654435761%4]
	t := uitest.Transfer{From: uitest.Alice, To: with, Asset: uitest.DCT, Amount: int64(n*40503%100_000_000) * 500}
	if isIn(n) {
		t.From, t.To, t.Amount = with, uitest.Alice, 2*t.Amount
	}
	if isPoints(n) {
		t.Asset, t.Amount = uitest.Points, int64(n%5000)+1
	}
	if hasMemo(n) {
		t.Memo = uitest.Plain(fmt.Sprint("invoice ", n))
	}
	return t
}

func isIn(n int) bool     { return n%2 == 0 }
func isPoints(n int) bool { return n%10 == 0 }
func hasMemo(n int) bool  { return n%3 == 0 }

package send_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
)

// shared is a ledger on which two of the key of alice, carol and bob act for alice.
var shared = &uitest.Past{Ledger: func(w *uitest.World) {
	team := ledger.Authority{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{{Key: uitest.KeyOf(uitest.Alice.Name).Public(), Weight: 1}}}
	for _, a := range []ledgerview.AccountRef{uitest.Bob, uitest.Carol} {
		team.AccountAuths = append(team.AccountAuths, ledger.AccountWeight{Account: a.ID, Weight: 1})
	}
	slices.SortFunc(team.AccountAuths, func(a, b ledger.AccountWeight) int { return cmp.Compare(a.Account, b.Account) })
	w.Ago(time.Hour)
	w.Push(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Alice.ID, Owner: &team, Active: &team})
	w.Mine()
}}

// A wallet whose only account others sign for as well can pay for no proposal: it leaves as a file that they sign.
func TestAPaymentOfASharedAccountLeavesAsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Play(t, 100, 30, uitest.Scene{Past: shared}, func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5")
		d.Until("✓ carol", "Fee  ")
		d.Press("ctrl+s")
		d.Until("becomes a file")
		d.Wait(time.Second)
		d.Shows("Missing", "the active authority of alice 1.2.34", "May sign", "w  Save unsigned", "can pay the fee of a proposal")
		d.Hides("sign and send", "Sign and send", "propose instead")
		d.Press("S p")
		if w.Paid() != 0 {
			t.Fatal("something was sent")
		}
		d.Sure("w")
		d.Until("✓ ", "transfer-", "to be sent by")
		d.Wait(time.Minute)
		d.Shows("Saved ", "transfer-")
		found, err := filepath.Glob("transfer-*.json")
		if uitest.Must(t, err); len(found) != 1 {
			t.Fatalf("the files are %q", found)
		}
		_, err = os.Stat(found[0])
		uitest.Must(t, err)
		d.Press("esc")
		d.Shows("carol", "ctrl+s review")
	})
}

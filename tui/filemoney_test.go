package tui_test

import (
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// Who loses more than half of an asset by a file types the amount, whoever gets it and whatever stands beside it.
func TestAFileThatTakesMostIsAskedAbout(t *testing.T) {
	w := testwallet.Open(t, "alice")
	w.Furnish()
	w.Mine()
	art, err := w.View.Assets.Get(w.Ctx, "ART")
	testwallet.Must(t, err)
	alice, carol := w.Account("alice").ID, w.Account("carol").ID
	pay := func(amount int64, of ledger.AssetID) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferOp{From: alice, To: carol.Object(),
			Amount: ledger.AssetAmount{Amount: amount, AssetID: of}})
	}
	w.Send(pay(1_0000, 0))
	w.Mine()
	destroy := ledger.NewOperation(&ledger.AssetReserveOp{Payer: alice,
		AmountToReserve: ledger.AssetAmount{Amount: 2_5001, AssetID: art.ID}})
	for name, ops := range map[string][]ledger.Operation{
		"paid":        {pay(2_5001, art.ID)},
		"destroyed":   {destroy},
		"among dust":  {pay(1, 0), pay(2_5001, art.ID), pay(2, 0)},
		"in portions": {pay(1_2500, art.ID), pay(1_2501, art.ID)},
	} {
		page := reviewed(w, ops...)
		if said := sheet(page.Shown); !slices.Contains(wants(page), "2.5001") || !strings.Contains(said, "of 5.0000 ART") {
			t.Errorf("%s: asked %q\n%s", name, wants(page), said)
		}
	}
	if got := wants(reviewed(w, pay(2_5000, art.ID))); len(got) != 0 {
		t.Errorf("half of it: asked %q", got)
	}
}

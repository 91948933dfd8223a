package page_test

import (
	"testing"

	"billfold/ledger"
	"billfold/tui/uitest"
)

// withToken is alice with a token that says something about itself.
var withToken = &uitest.Past{Ledger: func(w *uitest.World) {
	title, edition := "title", "edition"
	w.Push(&ledger.NFTCreateDefinitionOp{
		Symbol: "ARTWORKS", Transferable: true,
		Options:     ledger.NFTOptions{Issuer: uitest.Alice.ID, MaxSupply: 100, Description: "prints"},
		Definitions: []ledger.NFTDataDefinition{{Name: &title}, {Type: 1, Name: &edition}},
	})
	w.Mine()
	w.Push(&ledger.NFTIssueOp{
		Issuer: uitest.Alice.ID, To: uitest.Alice.ID,
		Data: []ledger.Variant{{Value: "Ticket \u202eXYZ"}, {Value: int64(4)}},
	})
	w.Mine()
}}

func TestAssetsLookAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: withToken}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("9")
		d.Until("Max supply", "ARTWORKS")
		d.GoldenMeanings("assets/assets80x24")
		d.GoldenSizes("assets/assets", uitest.Sizes())
		d.Resize(80, 24)
		d.Press("tab")
		d.Until("Data of 1.11.0", "edition")
		d.GoldenSizes("assets/assets-token", [][2]int{{80, 24}, {140, 40}})
		d.Resize(80, 24)
		d.Press("tab /")
		d.Type("alx")
		d.Until("found", "ALX.GOLD")
		d.GoldenSizes("assets/assets-find", [][2]int{{80, 24}, {50, 16}})
		d.Type("nosuch")
		d.Until("No asset begins with that.")
		d.Press("esc")
		d.Until("DCT")
	})
}

// What is done with the asset in focus begins on the page that does it, with the asset filled in.
func TestAnAssetLeadsToItsPages(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("9 down")
		d.Until("ALX.GOLD", "Issuer")
		d.Press("s")
		d.Until("Send", "ALX.GOLD")
		d.Press("esc esc 9 v")
		d.Until("History", "asset:ALX.GOLD")
	})
}

func TestWithoutANodeItSaysSo(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		w.Cut()
		d.Press("9")
		d.Until("away")
	})
}

// A token and content stand in an operation by an id alone; what is signed says of which kind the token is. Content that
// nobody offers has no seller.
func TestATokenIsSaidWithItsKind(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: withToken}, func(_ *uitest.Driver, w *uitest.World) {
		for want, op := range map[string]ledger.Body{
			"alice 1.2.34 gives the token 1.11.0 to carol 1.2.57, a token of ARTWORKS (1.10.0)": &ledger.NFTTransferOp{From: uitest.Alice.ID, To: uitest.Carol.ID},
			"alice 1.2.34 gives the token 1.11.7 to carol 1.2.57":                               &ledger.NFTTransferOp{From: uitest.Alice.ID, To: uitest.Carol.ID, NFTDataID: 7},
			"alice 1.2.34 buys ipfs:Qm for 0.00000000 DCT":                                      &ledger.RequestToBuyOp{Consumer: uitest.Alice.ID, URI: "ipfs:Qm"},
		} {
			r, err := w.Wallet.Build.Explain(w.Ctx, ledger.NewOperation(op))
			if uitest.Must(t, err); len(r.Intents) != 1 || r.Intents[0] != want {
				t.Errorf("%q, want %q", r.Intents, want)
			}
		}
	})
}

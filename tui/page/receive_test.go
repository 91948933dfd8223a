package page_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
)

func TestReceiveLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4")
		d.GoldenMeanings("receive/receive80x24")
		d.GoldenSizes("receive/receive", uitest.Sizes())
		d.Resize(140, 40)
		d.Press("e shift+tab")
		d.Type("dct")
		d.Press("tab")
		d.Type("12.5")
		d.Press("tab")
		d.Type("rent november")
		d.GoldenSizes("receive/receive-request", [][2]int{{80, 24}, {140, 40}})
		d.Press("enter o")
		d.GoldenSizes("receive/receive-code", [][2]int{{80, 24}, {140, 40}, {50, 16}})
	})
}

// What is typed is in the link as the ledger would read it, and only once it is right.
func TestTheLinkHoldsTheRequest(t *testing.T) {
	var copied []string
	scene := uitest.Scene{Options: tui.Options{Clipboard: func(text string) error { copied = append(copied, text); return nil }}}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4")
		d.Until("dcore:alice", "1.2.", "this wallet can spend what arrives")
		d.Press("e")
		d.Type("1,5")
		d.Shows("Amount: ")
		d.Hides("amount=")
		d.Press("ctrl+x")
		d.Type("5 dct")
		d.Until("dcore:alice?amount=5&asset=DCT")
		d.Press("tab")
		d.Type("a&b")
		d.Press("enter y 1")
		if len(copied) != 1 || copied[0] != "dcore:alice?amount=5&asset=DCT&memo=a%26b" {
			t.Errorf("copied: %q", copied)
		}
		d.Shows("Copied: Link")
		d.Press("e ctrl+x shift+tab")
		d.Type("NOSUCH")
		d.Until("the ledger has no asset NOSUCH")
		d.Hides("asset=")
	})
}

// A payment that arrives shows without a key, and is marked when it was asked for.
func TestPaymentsArriveLive(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("4")
		d.Until("Incoming")
		d.Press("e")
		d.Type("7")
		d.Press("esc")
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
		d.Until("bob-trade 1.2.110", "7.00000000", "✓ asked for")
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 8_00000000})
		d.Until("8.00000000", "◐ block")
	})
}

// The code is saved as a picture, and no file is written over.
func TestTheCodeIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4 s")
		d.Until("receive-alice.svg")
		d.Wait(5 * time.Second)
		d.Press("s")
		d.Until("receive-alice-2.svg")
	})
	svg, err := os.ReadFile("receive-alice-2.svg")
	if err != nil || !strings.Contains(string(svg), "<title>dcore:alice</title>") {
		t.Errorf("%v: %.200s", err, svg)
	}
}

func TestReceiveWithoutAnAccount(t *testing.T) {
	scene := uitest.Scene{Unmade: true, Wallet: func(w *uitest.World) { uitest.Must(t, w.Wallet.Vault.Create(w.Ctx, uitest.Password)) }}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4")
		d.Shows("This wallet has no account yet")
		d.Press("y")
		d.Shows("nothing to copy")
		d.Press("s")
		d.Shows("no account yet")
	})
}

// In a small window what is wrong, the link and whether this wallet can spend go before advice.
func TestASmallWindowShowsWhatIsWrongWhole(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4")
		d.Shows("Give the name and the id", "this wallet can spend")
		d.Press("e")
		d.Type("1,250.5")
		d.Shows("a comma can mean", "write 1250.5", "dcore:alice", "can spend what", "arrives")
		d.Hides("Give the name and the id")
	})
}

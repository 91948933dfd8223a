package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore/cosign"
)

// ofTeam has two of the key of alice, carol and bob act for alice, and leaves another account without money.
var ofTeam = &uitest.Past{Ledger: func(w *uitest.World) {
	team := ledger.Authority{WeightThreshold: 2, KeyAuths: []ledger.KeyWeight{{Key: uitest.KeyOf(uitest.Alice.Name).Public(), Weight: 1}},
		AccountAuths: []ledger.AccountWeight{{Account: uitest.Carol.ID, Weight: 1}, {Account: uitest.Bob.ID, Weight: 1}}}
	const fee = 100_000
	w.Ago(time.Hour)
	w.Push(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Alice.ID, Owner: &team, Active: &team})
	w.Push(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: fee}, From: uitest.Longest.ID, To: uitest.Merchant.ID,
		Amount: ledger.AssetAmount{Amount: 1_000_000_00000000 - fee - 1}})
	w.Mine()
}}

// written is the only file of a name.
func written(t *testing.T, pattern string) *cosign.File {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if uitest.Must(t, err); len(found) != 1 {
		t.Fatalf("the files are %q", found)
	}
	text, err := os.ReadFile(found[0])
	uitest.Must(t, err)
	file, err := cosign.Parse(text)
	uitest.Must(t, err)
	return file
}

// A change of signers that others sign too opens its review although nobody here can pay for a proposal, and is saved.
func TestAChangeOfSignersLeavesAsAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Play(t, 100, 40, uitest.Scene{Past: ofTeam}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice")
		d.Press("c")
		fillFields(d, "=", "new", "=")
		d.Until("What it comes to")
		d.Press("enter")
		if d.Wait(time.Second); strings.Contains(d.Screen(), "You would lose control") {
			d.Type("alice")
			d.Press("enter")
		}
		d.Until("becomes a file", "Missing", "authority of alice 1.2.34")
		d.Wait(time.Second)
		d.Press("G")
		d.Shows("can pay the fee of a proposal", "w  Save unsigned")
		d.Press("S p")
		typeAsked(d)
		d.Sure("w")
		d.Until("account-update-")
		if file := written(t, "account-update-*.json"); w.Paid() != 0 || file.Transaction.Operations[0].Code != ledger.CodeAccountUpdate {
			t.Errorf("%d payments; the file holds %v", w.Paid(), file.Transaction.Operations)
		}
		d.Press("esc")
		d.Until("What it comes to")
	})
}

// typeAsked types what a review asks for.
func typeAsked(d *uitest.Driver) {
	for range 5 {
		if d.Wait(time.Second); strings.Contains(d.Screen(), "name of the account:") {
			d.Type("alice")
		}
	}
}

// What is typed in the console for an account that others sign for as well opens its review: as a file, or as a proposal where
// another account can pay for it. One that cannot afford that is named.
func TestALineOfTheConsoleLeavesAsAFile(t *testing.T) {
	for _, name := range []string{"nobody", "poor", "rich"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := consoleScene()
			wallet := s.Wallet
			s.Past = ofTeam
			s.Wallet = func(w *uitest.World) {
				wallet(w)
				switch name {
				case "poor":
					w.Hold(uitest.Longest, uitest.KeyOf(uitest.Longest.Name))
				case "rich":
					w.Hold(uitest.Merchant, uitest.KeyOf(uitest.Merchant.Name))
				}
			}
			uitest.Play(t, 100, 40, s, func(d *uitest.Driver, w *uitest.World) {
				d.Press("0")
				d.Type(`transfer alice carol 1.9 DCT "" true`)
				d.Press("enter")
				d.Until("becomes a file", "Missing", "the active authority of alice 1.2.34")
				d.Wait(time.Second)
				switch name {
				case "nobody":
					d.Shows("none: no account of this wallet can pay the fee of a proposal")
				case "poor":
					d.Sure("p")
					d.Until("but the fee is")
				default:
					d.Shows("p makes it a proposal instead")
					d.Sure("p")
				}
				if name == "rich" {
					d.Until("proposal create", "Paid by     merchant-7")
					d.Press("esc")
					d.Until("> transfer alice")
					return
				}
				d.Sure("w")
				d.Until("Saved", "to be sent by")
				file := written(t, "transfer-*.json")
				if w.Paid() != 0 || file.Transaction.Operations[0].Code != ledger.CodeTransferObsolete {
					t.Errorf("%d payments; the file holds %v", w.Paid(), file.Transaction.Operations)
				}
				d.Press("esc")
				d.Until("> transfer alice")
			})
		})
	}
}

// subscribers is a team whose money carol is paid with for a subscription that costs less.
func subscribers(w *uitest.World) {
	ofTeam.Ledger(w)
	options := ledger.NewAccountOptions(uitest.KeyOf(uitest.Carol.Name).Public())
	options.AllowSubscription, options.SubscriptionPeriod = true, 30
	options.PricePerSubscribe = ledger.AssetAmount{Amount: 2_00000000}
	w.Push(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Carol.ID, NewOptions: &options})
	w.Mine()
	w.Push(&ledger.ProposalCreateOp{FeePayingAccount: uitest.Bob.ID, ExpirationTime: ledger.TimeOf(uitest.Start.Add(20 * time.Hour)),
		ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(&ledger.SubscribeOp{From: uitest.Alice.ID, To: uitest.Carol.ID,
			Price: ledger.AssetAmount{Amount: 30_00000000}})}}})
	w.Mine()
}

// Who proposes to pay more than is asked types the amount, as who pays it does; so does who approves that.
func TestMoreThanIsAskedIsTypedForAProposal(t *testing.T) {
	s := consoleScene()
	wallet := s.Wallet
	s.Past = &uitest.Past{Ledger: subscribers}
	s.Wallet = func(w *uitest.World) {
		wallet(w)
		w.Hold(uitest.Merchant, uitest.KeyOf(uitest.Merchant.Name))
	}
	uitest.Play(t, 100, 40, s, func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type(`subscribe_to_author alice carol 20 DCT true`)
		d.Press("enter")
		d.Until("becomes a file", "10 times that is paid")
		d.Press("tab")
		d.Sure("p")
		d.Until("proposal create", "10 times that is paid", "type the amount that is proposed")
		d.Wait(time.Second)
		d.Type("20")
		d.Shows("✓ amount that is proposed matches")
		d.Press("esc")
		d.Until("> subscribe_to_author")
		d.Press("esc 8")
		d.Until("1.6.0")
		d.Press("a")
		d.Until("Review", "15 times that is paid", "type the amount")
		d.Wait(time.Second)
		d.Type("30")
		d.Shows("✓ amount")
	})
}

// A payment is a file where the other account of the wallet cannot afford a proposal, and the review names it.
func TestAPoorAccountPaysForNoProposal(t *testing.T) {
	t.Chdir(t.TempDir())
	s := uitest.Scene{Past: ofTeam,
		Wallet: func(w *uitest.World) { w.Hold(uitest.Longest, uitest.KeyOf(uitest.Longest.Name)) }}
	uitest.Play(t, 100, 40, s, func(d *uitest.Driver, w *uitest.World) {
		d.Press("@")
		d.Until("Switch account")
		d.Press("home enter")
		d.Until("alice 1.2.34 ▾")
		d.FillForm("carol", "5")
		d.Until("✓ carol", "Fee  ")
		d.Press("ctrl+s")
		d.Until("becomes a file", "none: the account "+uitest.Longest.Name[:20], "but the fee is")
		d.Sure("w")
		d.Until("Saved", "to be sent by")
		written(t, "transfer-*.json")
	})
}

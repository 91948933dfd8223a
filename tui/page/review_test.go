package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/tui"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// Of several payments in one transaction, the review says which one repeats an earlier one.
func TestAReviewSaysWhichOfSeveralRepeats(t *testing.T) {
	uitest.Play(t, 100, 40, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		both := func(ctx context.Context, b *txbuild.Builder, first txbuild.TransferParams) ([]ledger.Operation, error) {
			again, err := txbuild.Transfer(ctx, b, txbuild.TransferParams{From: "alice", To: "carol", Amount: "240", Asset: "DCT"})
			if err != nil {
				return nil, err
			}
			other, err := txbuild.Transfer(ctx, b, first)
			return append(other, again...), err
		}
		p := txbuild.TransferParams{From: "alice", To: "bob-trade", Amount: "3", Asset: "DCT"}
		made, err := w.Wallet.Payments.Prepare(w.Ctx, txbuild.NewRequest("two", p, both))
		uitest.Must(t, err)
		d.Send(screen.Navigate{To: screen.Send, With: screen.Spend{Built: toSee{made}, Back: screen.Home}})
		d.Until("Review", "alice 1.2.34 pays 3.00000000 DCT to bob-trade 1.2.110")
		d.Until("▲ same as 1 h ago (1.7.", "240.00000000 DCT")
		_, same, _ := strings.Cut(d.Screen(), "▲ same as")
		same, _, _ = strings.Cut(same, "┃\n┃  Fee")
		if !strings.Contains(same, "240.00000000 DCT") || strings.Contains(same, "bob-trade") {
			t.Errorf("it does not say which: %q", same)
		}
	})
}

// reviewed remembers the review of what was built last.
type reviewed struct {
	send.Payer
	send.Proposer
	last *txbuild.Review
}

func (r reviewed) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	return r.keep(r.Payer.Prepare(ctx, req))
}

func (r reviewed) Propose(ctx context.Context, req txbuild.ProposedPayment) (screen.Built, error) {
	return r.keep(r.Proposer.Propose(ctx, req))
}

func (r reviewed) keep(built screen.Built, err error) (screen.Built, error) {
	if err == nil {
		*r.last = built.Review()
	}
	return built, err
}

// What w saves is exactly the operations of the review that is shown, on every way to a review; elsewhere it is off.
func TestAFileHoldsWhatItsReviewShows(t *testing.T) {
	proposal, pays := txbuild.Title(ledger.CodeProposalCreate), txbuild.Title(ledger.CodeTransferObsolete)
	scene := func(past *uitest.Past, shown *txbuild.Review) uitest.Scene {
		return uitest.Scene{Past: past, Core: func(c *tui.Core) {
			by := reviewed{c.Send.Payer, c.Send.Propose, shown}
			c.Send.Payer, c.Send.Propose = by, by
		}, Wallet: func(w *uitest.World) {
			if past == familyProposals {
				w.Hold(ledgerview.AccountRef{ID: familyFund, Name: "family-fund"}, uitest.KeyOf("nobody"))
			}
		}}
	}
	for name, c := range map[string]struct {
		past            *uitest.Past
		open, then, has string
	}{
		"payment":                           {familyProposals, "3", "", pays},
		"proposal":                          {familyProposals, "8 n", "", proposal},
		"propose instead":                   {familyProposals, "3", "p", proposal},
		"proposal, as others sign":          {familyProposals, "1 @ G enter 3", "", proposal},
		"file, as others sign":              {ofTeam, "1 @ home enter 3", "", pays},
		"proposal, as nobody here can sign": {familyProposals, "1 @ G enter 8 n", "", proposal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var shown txbuild.Review
			uitest.Play(t, 100, 90, scene(c.past, &shown), func(d *uitest.Driver, w *uitest.World) {
				for _, keys := range strings.Fields(c.open) {
					d.Press(keys)
					d.Wait(time.Second)
				}
				d.Type("carol")
				d.Press("tab")
				d.Type("5")
				d.Press("ctrl+s")
				d.Until("Review")
				d.Wait(time.Second)
				d.Press("tab")
				if c.then != "" {
					d.Sure(c.then)
					d.Until("Review · " + c.has)
				}
				d.Wait(time.Second)
				d.Press("v")
				d.Shows("Review · "+c.has, `"operations": [`)
				d.Press("v")
				d.Wait(time.Second)
				d.Press("w")
				d.Until("Saved unsigned")
				var want struct{ Operations json.RawMessage }
				var compact bytes.Buffer
				uitest.Must(t, json.Unmarshal([]byte(shown.JSON), &want))
				uitest.Must(t, json.Compact(&compact, want.Operations))
				got, err := codec.Marshal(written(t, "*.json").Transaction.Operations)
				if uitest.Must(t, err); string(got) != compact.String() || shown.Operation != c.has {
					t.Errorf("%s was shown: %s\nthe file has %s", shown.Operation, compact.String(), got)
				}
				if c.then == "p" { // who goes back to change it does not pay at once
					d.Press("esc")
					d.Until("New proposal · " + c.has)
				}
			})
		})
	}
}

// A file whose signature was given is not asked about again: what was typed for it stays.
func TestASignedFileIsNotAskedAboutAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Play(t, 100, 40, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		own, err := w.Wallet.View.Accounts.Named(w.Ctx, "alice")
		uitest.Must(t, err)
		gives := func(context.Context, *txbuild.Builder, struct{}) ([]ledger.Operation, error) {
			key := uitest.KeyOf("a new one").Public()
			options := ledger.NewAccountOptions(key)
			return []ledger.Operation{ledger.NewOperation(&ledger.AccountUpdateOp{Account: own.ID, NewOptions: &options})}, nil
		}
		file, err := w.Wallet.FileOf(w.Ctx, txbuild.NewRequest("update", struct{}{}, gives), 3600, payment.Sending{})
		uitest.Must(t, err)
		text, err := file.Bytes()
		uitest.Must(t, err)
		uitest.Must(t, os.WriteFile("memo-key.json", text, 0o600))
		d.Press("8 f")
		d.Type("memo-key.json")
		d.Press("enter")
		d.Until("Transaction file", "1 check left", "type the name of the account")
		d.Wait(time.Second)
		d.Type("alice")
		d.Wait(time.Second)
		d.Press("G")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("It has all signatures: b sends it")
		d.Hides("type the name", "check left")
	})
}

// A file that pays somebody whose name resembles a contact's is asked about, whoever made it.
func TestAFileIsComparedWithTheHistory(t *testing.T) {
	t.Chdir(t.TempDir())
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		_, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "")
		uitest.Must(w.T, err)
	}
	uitest.Play(t, 100, 40, scene, func(d *uitest.Driver, w *uitest.World) {
		p := txbuild.TransferParams{From: "alice", To: "caro1", Amount: "60", Asset: "DCT"}
		file, err := w.Wallet.FileOf(w.Ctx, txbuild.NewRequest("transfer", p, txbuild.Transfer), 3600, payment.Sending{})
		uitest.Must(t, err)
		text, err := file.Bytes()
		uitest.Must(t, err)
		uitest.Must(t, os.WriteFile("payment.json", text, 0o600))
		d.Press("8 f")
		d.Type("payment.json")
		d.Press("enter")
		d.Until("Transaction file", "looks like", "carol 1.2.57", "2 checks left", "easily mistaken")
	})
}

// toSee is a built transaction that is not sent here.
type toSee struct{ *txbuild.Prepared }

// Send implements screen.Built.
func (toSee) Send(context.Context) (payment.Payment, error) {
	return payment.Payment{}, errors.New("it is only looked at")
}

// What a smaller window hides of a review that was read is read again before S works.
func TestASmallerWindowIsReadAgain(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		made, err := w.Wallet.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer",
			txbuild.TransferParams{From: "alice", To: "carol", Amount: "3", Asset: "DCT"}, txbuild.Transfer))
		uitest.Must(t, err)
		d.Send(screen.Navigate{To: screen.Send, With: screen.Spend{Built: toSee{made}, Back: screen.Home}})
		d.Until("Review", "3.00000000 DCT")
		d.Press("G")
		d.Wait(time.Second)
		d.Hides("S is off")
		for _, size := range [][2]int{{80, 16}, {50, 18}} {
			d.Resize(size[0], size[1])
			d.Wait(time.Second)
			d.Shows("Operation   transfer", "S is off: scroll to the last line first")
			d.Sure("S")
			d.Shows("Review")
			d.Resize(80, 24)
			d.Wait(5 * time.Second)
			d.Hides("S is off") // it was read as it stands here
		}
		d.Resize(80, 16)
		d.Wait(time.Second)
		d.Press("G")
		d.Wait(time.Second)
		d.Hides("S is off")
		d.Resize(100, 40)
		d.Shows("S is off: read it first") // the window is another
		d.Wait(time.Second)
		d.Hides("S is off")
		d.Press("S")
		d.Until("it is only looked at")
	})
}

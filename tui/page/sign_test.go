package page_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/page/sign"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/proposal"
	"billfold/walletcore/txbuild"
)

// Ids of the accounts that familyProposals registers: the first after those of the genesis.
const familyFund = ledger.AccountID(114)

// team is an authority of accounts with a weight of one each.
func team(threshold uint32, members ...ledger.AccountID) ledger.Authority {
	a := ledger.Authority{WeightThreshold: threshold}
	for _, id := range members {
		a.AccountAuths = append(a.AccountAuths, ledger.AccountWeight{Account: id, Weight: 1})
	}
	return a
}

// familyProposals is a ledger on which two of alice, carol and bob own an account, and three proposals wait: one for
// alice, one for the others, and one for the end of its review period.
var familyProposals = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(40 * time.Hour)
	owners := team(2, uitest.Alice.ID, uitest.Carol.ID, uitest.Bob.ID)
	w.Push(&ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: "family-fund", Owner: owners, Active: owners,
		Options: ledger.NewAccountOptions(uitest.KeyOf(uitest.Carol.Name).Public())})
	w.Mine()
	w.Pay(uitest.Transfer{From: uitest.Carol, To: ledgerview.AccountRef{ID: familyFund, Name: "family-fund"}, Amount: 900_00000000})
	w.Ago(20 * time.Hour)
	review := uint32(3600)
	pay := func(amount int64, memo string) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: 500_000}, From: familyFund,
			To: uitest.Merchant.ID, Amount: ledger.AssetAmount{Amount: amount}, Memo: uitest.Plain(memo)})
	}
	propose := func(last time.Duration, review *uint32, ops ...ledger.Operation) {
		op := &ledger.ProposalCreateOp{FeePayingAccount: uitest.Carol.ID, ExpirationTime: ledger.TimeOf(uitest.Start.Add(last)),
			ReviewPeriodSeconds: review}
		for _, each := range ops {
			op.ProposedOps = append(op.ProposedOps, ledger.ProposedOperation{Op: each})
		}
		w.Push(op)
		w.Mine()
	}
	approve := func(id ledger.ProposalID, by ...ledger.AccountID) {
		w.Push(&ledger.ProposalUpdateOp{FeePayingAccount: by[0], Proposal: id, ActiveApprovalsToAdd: by})
		w.Mine()
	}
	propose(52*time.Hour, nil, pay(400_00000000, "winter tyres"))
	propose(5*24*time.Hour, &review, pay(1_00000000, "a"), pay(2_00000000, "b\u202e"))
	propose(40*time.Minute, nil, ledger.NewOperation(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000},
		Account: familyFund, Active: authority(team(1, uitest.Alice.ID))}))
	approve(0, uitest.Carol.ID)
	approve(1, uitest.Carol.ID, uitest.Bob.ID)
	approve(2, uitest.Alice.ID)
}}

func authority(a ledger.Authority) *ledger.Authority { return &a }

func TestSignLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: familyProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("1.6.0", "▲ you", "◐ review")
		d.Press("down")
		d.GoldenMeanings("sign/sign80x24")
		d.GoldenSizes("sign/sign", uitest.Sizes())
		d.Resize(140, 40)
		d.Press("u")
		d.GoldenSizes("sign/sign-xray", [][2]int{{140, 40}})
		d.Resize(80, 24)
		d.Press("v")
		d.Shows(`"expiration"`)
		d.Press("v tab")
		d.GoldenSizes("sign/sign-detail", [][2]int{{80, 24}, {60, 20}, {50, 16}})
		for width := 40; width <= 240; width += 7 {
			for height := 12; height <= 70; height += 6 {
				d.Resize(width, height)
				d.Screen() // holds the frame to its size
			}
		}
		w.Look(80, 24, func(d *uitest.Driver) {
			w.Cut()
			d.Press("8")
			d.Until("away")
		})
	})
}

// An approval goes through the review and S like every payment, is taken back, and is given again; with that of another
// it happens.
func TestAnApprovalIsReviewedSignedAndTakenBack(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{Past: familyProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("1.6.0", "▲ you")
		d.Press("down")
		d.Shows("With your approval it happens at once", "▏“winter tyres”", "yours, its keys are here")
		d.Press("d")
		d.Shows("there is no approval of yours")
		d.Press("a")
		d.Until("Review", "alice 1.2.34 approves the proposal 1.6.0", "Amount      400.00000000 DCT", "To          merchant-7 1.2.111")
		d.Press("esc")
		d.Until("Detail", "1.6.0")
		d.Press("a")
		d.Until("Review")
		d.Press("enter")
		d.Wait(time.Second)
		d.Type("1.2.111") // as for a payment of one's own: the first to this account
		d.Press("G")
		d.Shows("Then", "▲ With your approval it happens at once", " S sign and approve  esc back", "[ S  Sign and approve ]")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block")
		d.Press("esc")
		d.Until("Proposals that name your accounts", "1.6.1")
		d.Hides("1.6.0")
		if w.Paid() != 1 {
			t.Errorf("%d transactions were sent", w.Paid())
		}
		d.Press("up up")
		d.Shows("1.6.2", "You have approved it")
		d.Press("d")
		d.Until("Review", "taken back", " S sign and withdraw  esc back", "[ S  Sign and withdraw ]")
		d.Press("G")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block")
		d.Press("esc")
		d.Until("▲ you", "Weight 1 more is needed for family-fund 1.2.114.")
	})
}

// What a hostile proposer puts before alice: a large payment, and a takeover behind dust.
var hostileProposals = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(20 * time.Hour)
	w.Mine()
	pay := func(amount int64) ledger.ProposedOperation {
		return ledger.ProposedOperation{Op: ledger.NewOperation(&ledger.TransferObsoleteOp{
			Fee: ledger.AssetAmount{Amount: 500_000}, From: uitest.Alice.ID,
			To: uitest.Bob.ID, Amount: ledger.AssetAmount{Amount: amount}, Memo: uitest.Plain("for the boat")})}
	}
	propose := func(ops ...ledger.ProposedOperation) {
		w.Push(&ledger.ProposalCreateOp{FeePayingAccount: uitest.Bob.ID, ProposedOps: ops,
			ExpirationTime: ledger.TimeOf(uitest.Start.Add(20 * time.Hour))})
		w.Mine()
	}
	propose(pay(5000_00000000))
	taken := ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: uitest.KeyOf("bob-trade").Public(), Weight: 1}}}
	propose(append(slices.Repeat([]ledger.ProposedOperation{pay(1)}, 12), ledger.ProposedOperation{Op: ledger.NewOperation(
		&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Alice.ID, Active: &taken})})...)
}}

// What the last approval brings about is not promised where the payer lacks what it takes.
func TestAnApprovalOfWhatCannotBePaidSaysSo(t *testing.T) {
	poor := &uitest.Past{Ledger: func(w *uitest.World) {
		w.Ago(20 * time.Hour)
		w.Mine()
		w.Push(&ledger.ProposalCreateOp{FeePayingAccount: uitest.Bob.ID, ExpirationTime: ledger.TimeOf(uitest.Start.Add(20 * time.Hour)),
			ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: 500_000},
				From: uitest.Alice.ID, To: uitest.Bob.ID, Amount: ledger.AssetAmount{Amount: 50_000_000_00000000}})}}})
		w.Mine()
	}}
	uitest.Play(t, 120, 40, uitest.Scene{Past: poor}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("1.6.0", "▲ you", "it cannot happen yet: alice 1.2.34 has", "tried again when it ends")
		d.Hides("it happens at once")
		d.Press("a")
		d.Until("Review", "cannot happen yet")
	})
}

// An approval is as dear as what it sets off: the same is typed for it as for a payment of one's own.
func TestALargeProposalIsReadAndTypedAsAPayment(t *testing.T) {
	uitest.Play(t, 100, 40, uitest.Scene{Past: hostileProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("1.6.0", "▲ you")
		d.Press("a")
		d.Until("Review", "From        alice 1.2.34", "To          bob-trade 1.2.110", "FIRST PAYMENT", "5,000.00000000 DCT", "After this",
			"for the boat", "2 checks left")
		d.Press("tab G")
		d.Shows("it happens at once")
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("S is off: type the amount first")
		d.Press("tab")
		d.Type("5000")
		d.Type("1.2.110")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block")
		if w.Paid() != 1 {
			t.Errorf("%d transactions were sent", w.Paid())
		}
	})
}

// Dust hides nothing: who takes the account over stands first, and its name is typed.
func TestATakeoverBehindDustIsNamedFirst(t *testing.T) {
	uitest.Play(t, 100, 40, uitest.Scene{Past: hostileProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("▲ changes the active key +12")
		d.Press("down")
		d.Shows("Operation 13 of 13")
		d.Press("a")
		d.Until("Review", "▲ changes the active authority of alice 1.2.34; OTHERS could act without the keys", "13 of 13  account update")
		d.Press("tab end")
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("S is off: type the name of the account first")
		if w.Paid() != 0 {
			t.Error("it was approved")
		}
	})
}

// What lets others act beside alice, or reads her memos in her place, harms her as well.
var subtleProposals = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(20 * time.Hour)
	w.Mine()
	push := func(op ledger.Body) {
		ops := []ledger.ProposedOperation{{Op: ledger.NewOperation(op)}}
		w.Push(&ledger.ProposalCreateOp{FeePayingAccount: uitest.Bob.ID, ProposedOps: ops,
			ExpirationTime: ledger.TimeOf(uitest.Start.Add(20 * time.Hour))})
		w.Mine()
	}
	propose := func(op *ledger.AccountUpdateOp) {
		op.Fee, op.Account = ledger.AssetAmount{Amount: 500_000}, uitest.Alice.ID
		push(op)
	}
	propose(&ledger.AccountUpdateOp{Owner: &ledger.Authority{WeightThreshold: 1,
		AccountAuths: []ledger.AccountWeight{{Account: uitest.Bob.ID, Weight: 1}},
		KeyAuths:     []ledger.KeyWeight{{Key: uitest.KeyOf(uitest.Alice.Name).Public(), Weight: 1}}}})
	memo := ledger.NewAccountOptions(uitest.KeyOf("bob-trade").Public())
	propose(&ledger.AccountUpdateOp{NewOptions: &memo})
	push(&ledger.WithdrawPermissionCreateOp{Fee: ledger.AssetAmount{Amount: 500_000}, WithdrawFromAccount: uitest.Alice.ID,
		AuthorizedAccount: uitest.Bob.ID, WithdrawalLimit: ledger.AssetAmount{Amount: 5000_00000000}, WithdrawalPeriodSec: 86400,
		PeriodsUntilExpiration: 30, PeriodStartTime: ledger.TimeOf(uitest.Start.Add(24 * time.Hour))})
}}

func TestWhatOthersCouldDoFromThenOnIsTyped(t *testing.T) {
	uitest.Play(t, 100, 40, uitest.Scene{Past: subtleProposals}, func(_ *uitest.Driver, w *uitest.World) {
		for keys, said := range map[string][2]string{
			"8 a":           {"OTHERS could act without", "▲ changes the owner key"},
			"8 down a":      {"▲ sets a memo key of alice 1.2.34 that is not in this wallet", "▲ changes the memo key"},
			"8 down down a": {"lets somebody withdraw from alice", "▲ lets somebody withdraw"},
		} {
			w.Look(100, 40, func(d *uitest.Driver) {
				d.Press("8")
				d.Until(said[1])
				d.Press(keys)
				d.Until("Review", said[0])
				d.Press("tab end")
				d.Wait(time.Second)
				d.Press("S")
				d.Shows("S is off: type the name of the account first")
			})
		}
	})
}

func TestNoProposalsSaySo(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("8")
		d.Until("No proposals name your accounts. n starts one")
		d.Press("a")
		d.Shows("there is no proposal")
		d.Press("n")
		d.Until("New proposal · proposal create (9)", "New proposal › To")
	})
}

func TestTheFilterFindsAProposal(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: familyProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("1.6.0")
		d.Press("/")
		d.Type("400")
		d.Shows("1 of 3", "1.6.0")
		d.Hides("1.6.2")
		d.Type("x")
		d.Shows("No proposal matches")
		d.Press("esc o")
		d.Shows("1.6.2", "3")
		w.Wallet.Vault.Lock()
		d.Press("8 down")
		d.Press("a")
		d.Until("Unlock")
	})
}

// A payment from an account that others sign for as well becomes a proposal, and p makes one of any payment.
func TestAPaymentBecomesAProposal(t *testing.T) {
	scene := uitest.Scene{Past: familyProposals, Wallet: func(w *uitest.World) {
		w.Hold(ledgerview.AccountRef{ID: familyFund, Name: "family-fund"}, uitest.KeyOf("nobody"))
	}}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.ToReview()
		d.Until("Review", "Total out")
		d.Press("tab")
		d.Sure("p")
		d.Until("alice 1.2.34 proposes", "approval needed from")
		d.Press("p")
		d.Shows("it is a proposal already")
		d.Press("down")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block")
		d.Press("esc 8")
		d.Until("1.6.3", "alice 1.2.34", "250.00000000 DCT → carol 1.2.57")
		d.Press("1 @ G enter")
		d.Until("family-fund 1.2.114 ▾")
		d.FillForm("bob-trade", "2")
		d.Press("ctrl+s")
		d.Until("Review", "alice 1.2.34 proposes: family-fund 1.2.114 pays 2.00000000 DCT to")
	})
}

// What a proposal would buy is said as not bought yet.
func TestAProposalThatBuysSaysWhatItWouldDo(t *testing.T) {
	is := proposal.Proposal{Operations: []txbuild.Review{{Operation: "request_to_buy (21)", Amount: 6000_00000000,
		Sentence: "alice bought ipfs:x for 6000 DCT",
		Intents:  []string{"alice 1.2.34 buys ipfs:x for 6000 DCT, which bobby 1.2.17 sells"}}}}
	if got := sign.Summary(screen.Env{}, is).String(); got != is.Operations[0].Intents[0] {
		t.Errorf("it says %q", got)
	}
}

// A payment leaves as a file, is signed there, and is sent when it has its signatures. Nothing is sent before, and what
// several have to sign says so.
func TestATransactionTravelsAsAFile(t *testing.T) {
	drawings, err := filepath.Abs("sign")
	uitest.Must(t, err)
	t.Chdir(t.TempDir())
	uitest.Must(t, os.Symlink(drawings, "sign"))
	uitest.Play(t, 100, 40, uitest.Scene{Past: familyProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Until("Review", "Total out")
		d.Press("tab")
		d.Sure("w")
		d.Until("Saved unsigned: transfer-")
		found, err := filepath.Glob("transfer-*.json")
		if uitest.Must(t, err); len(found) != 1 {
			t.Fatalf("the files are %q", found)
		}
		d.Press("esc esc 8")
		d.Until("1.6.0")
		d.Press("f")
		d.Type("nowhere.json")
		d.Press("enter")
		d.Until("there is no transaction file nowhere.json. Check its path.")
		d.Press("ctrl+u")
		d.Type(found[0])
		d.Press("enter")
		d.Until("Transaction file", "alice 1.2.34 pays 250.00000000 DCT to carol 1.2.57", "With your signature it can be sent", "weight 1")
		d.Wait(10 * time.Second) // the toasts are gone
		d.GoldenSizes("sign/sign-file", [][2]int{{80, 24}, {140, 40}, {50, 16}})
		d.Resize(100, 40)
		d.Wait(time.Second) // a window of another size is read first
		d.Shows("▲ never paid before: carol 1.2.57", "1 check left")
		d.Type("1.2.57") // as for a payment of one's own: the first to this account
		d.Press("b")
		d.Shows("it lacks signatures")
		d.Press("S")
		d.Shows("S is off")
		d.Press("down down")
		d.Wait(time.Second)
		d.Press("S")
		folder, err := os.Getwd()
		uitest.Must(t, err)
		d.Until("It has all signatures: b sends it", "-signed.json")
		if w.Paid() != 0 {
			t.Error("a file was sent")
		}
		d.Press("b")
		d.Until("Review", "signed already", "▲ never paid before: carol 1.2.57")
		d.Wait(time.Second)
		d.Type("1.2.57") // signing sent nothing: it is asked again before it does
		d.Shows("Send as it is signed")
		d.Wait(time.Second)
		d.Press("down down")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("In a block", "esc leave")
		d.Press("esc")
		d.Until("Transaction file")
		d.Press("esc")
		d.Until("Proposals that name your accounts")
		d.Press("~")
		d.Until("Past notices")
		flat := "" // what stands in the pop-up
		for line := range strings.SplitSeq(d.Screen(), "\n") {
			if parts := strings.Split(line, "┃"); len(parts) > 2 {
				flat += strings.ReplaceAll(parts[1], " ", "")
			}
		}
		if where := "Signed,inanewfile:" + folder + "/transfer-"; !strings.Contains(flat, where) {
			t.Errorf("no notice says %q:\n%s", where, d.Screen())
		}
		d.Press("esc f")
		d.Hides(found[0]) // the next path is not typed behind it
		d.Press("esc")
		if w.Paid() != 1 {
			t.Errorf("%d were sent", w.Paid())
		}
	})
}

// A key of an account that others sign for as well cannot pay for its approval: the page says so as long as it is true, and
// what to do instead.
func TestAnApprovalThatNobodyCanPayForSaysTheWayOut(t *testing.T) {
	past := &uitest.Past{Ledger: func(w *uitest.World) {
		both := team(2, uitest.Carol.ID)
		both.KeyAuths = []ledger.KeyWeight{{Key: uitest.KeyOf(uitest.Alice.Name).Public(), Weight: 1}}
		w.Ago(time.Hour)
		w.Push(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Alice.ID, Owner: &both, Active: &both})
		w.Mine()
		pay := ledger.NewOperation(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: 500_000}, From: uitest.Alice.ID,
			To: uitest.Merchant.ID, Amount: ledger.AssetAmount{Amount: 7_00000000}})
		w.Push(&ledger.ProposalCreateOp{FeePayingAccount: uitest.Carol.ID, ExpirationTime: ledger.TimeOf(uitest.Start.Add(50 * time.Hour)),
			ProposedOps: []ledger.ProposedOperation{{Op: pay}}})
		w.Mine()
	}}
	uitest.Play(t, 140, 40, uitest.Scene{Past: past}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("8")
		d.Until("▲ you", "your key is here", "Your key is here, but no account of this wallet can pay the fee")
		d.Press("a")
		d.Until("Not now: no account of this wallet can pay the fee", "w in its review")
		d.Wait(time.Minute)
		d.Shows("Not now: no account of this wallet can pay the fee", "w in its review")
		d.Press("n")
		d.Until("Send · ", "its review saves it as a file that others sign")
	})
}

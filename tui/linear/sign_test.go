package linear_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/tui/linear"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paylink"
	"billfold/walletcore/walletapi"
)

// fund is an account that any two of alice, carol and bob can act for: the first one after those of the genesis.
var fund = ledgerview.AccountRef{ID: 114, Name: "family-fund"}

// waiting is a ledger with a proposed payment of the fund that carol approved and that needs one more approval.
var waiting = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(40 * time.Hour)
	team := ledger.Authority{WeightThreshold: 2}
	for _, a := range []ledgerview.AccountRef{uitest.Alice, uitest.Carol, uitest.Bob} {
		team.AccountAuths = append(team.AccountAuths, ledger.AccountWeight{Account: a.ID, Weight: 1})
	}
	w.Push(&ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: fund.Name, Owner: team, Active: team,
		Options: ledger.NewAccountOptions(uitest.KeyOf(uitest.Carol.Name).Public())})
	w.Mine()
	w.Pay(uitest.Transfer{From: uitest.Carol, To: fund, Amount: 900_00000000})
	pay := ledger.NewOperation(&ledger.TransferObsoleteOp{Fee: ledger.AssetAmount{Amount: 500_000}, From: fund.ID, To: uitest.Merchant.ID,
		Amount: ledger.AssetAmount{Amount: 400_00000000}, Memo: uitest.Plain("winter\ntyres")})
	w.Push(&ledger.ProposalCreateOp{FeePayingAccount: uitest.Carol.ID, ExpirationTime: ledger.TimeOf(uitest.Start.Add(52 * time.Hour)),
		ProposedOps: []ledger.ProposedOperation{{Op: pay}}})
	w.Mine()
	w.Push(
		&ledger.ProposalUpdateOp{
			FeePayingAccount:     uitest.Carol.ID,
			Proposal:             0,
			ActiveApprovalsToAdd: []ledger.AccountID{uitest.Carol.ID},
		},
	)
	w.Mine()
}}

// A proposal of two of three is printed, approved by its word, and executed.
func TestAProposalIsApproved(t *testing.T) {
	uitest.Live(t, uitest.Scene{Past: waiting}, func(w *uitest.World) {
		output, _ := runSession(
			w,
			nil,
			"sign",
			"1",
			"withdraw 1",
			"find tyres",
			"find merchant",
			"1 approve",
			"",
			"approve",
			"1.2.111",
			"approve",
			"sign",
			pause(10*time.Second),
			"sign",
			"json 1",
			"approve 1",
			"send bob-trade 3",
			"",
			"propose",
			"sign",
			pause(10*time.Second),
			"sign",
			"json 1",
			"withdraw 1",
			"stop",
			"quit",
			"quit",
		)
		golden(t, "proposal", output)
		if w.Paid() != 2 {
			t.Errorf("%d transactions were sent", w.Paid())
		}
	})
}

// A payment is written to a file, signed in it by its word, and sent by somebody else; nothing is sent earlier.
func TestAFileIsSignedAndSent(t *testing.T) {
	drawings, err := filepath.Abs("testdata")
	uitest.Must(t, err)
	t.Chdir(t.TempDir())
	uitest.Must(t, os.Symlink(drawings, "testdata"))
	here, err := os.Getwd()
	uitest.Must(t, err)
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		unsigned := reads(func(output string) string {
			return "file " + regexp.MustCompile(`transfer-\w+\.json`).FindString(output)
		})
		output, _ := runSession(
			w,
			nil,
			"send",
			"1.2.57",
			"2",
			"",
			"save",
			"sign",
			"file nothing.json",
			unsigned,
			"",
			"send",
			"sign",
			"",
			"sign",
			"send",
			"quit",
			"quit",
		)
		output = strings.ReplaceAll(output, here+"/", "")
		golden(t, "file", regexp.MustCompile(`(?s)Saved unsigned:\s+\S+`).ReplaceAllString(output, "Saved unsigned: transfer.json"))
		if w.Paid() != 1 {
			t.Errorf("%d transactions were sent", w.Paid())
		}
	})
}

// A lock in the middle of a payment signs nothing and keeps the answers, whether by the word or by the auto-lock; the
// password is asked for then, and stop drops the answers.
func TestLockKeepsThePaymentForm(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send", "carol", "5", "", "lock", "sign", "lock", uitest.Password, "lock", "stop",
			"send", uitest.Password, "carol", "5", "", "hide",
			nap(w), "sign", "wrong", uitest.Password, "", "stop", "home", "hide", "quit", "quit")
		golden(t, "lock", output)
	})
}

// The QR code is saved to a new file only.
func TestQRCodeIsSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "alice.svg")
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, code := runSession(w, func(o *linear.Options) { o.Script = true }, "receive", "request 5", "save qr "+path, "save qr "+path)
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "<svg") || code != linear.Refused {
			t.Errorf("%v, code %d:\n%s", err, code, output)
		}
	})
}

// Quotes around a whole memo are left out, those in it stay; a number with a blank in it is no amount.
func TestQuotesInARequestedMemo(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		memos := map[string]string{`say "hi"`: `say "hi"`, `"hi" there`: `"hi" there`, `"a" and "b"`: `"a" and "b"`, `6"`: `6"`, `"all of it"`: "all of it", `""`: "", `"`: `"`}
		for typed, want := range memos {
			output, _ := runSession(w, nil, "receive", "request 2.5 DCT "+typed, "quit")
			if link := (paylink.Link{To: uitest.Alice.Name, Amount: "2.5", Asset: "DCT", Memo: want}).String(); !strings.Contains(strings.ReplaceAll(output, "\n   ", ""), "Link: "+link+"\n") {
				t.Errorf("%s is not %s:\n%s", typed, link, output)
			}
		}
		for _, line := range []string{"request 1 000 DCT", "request 1 000 DCT rent", "request 1 000,50 DCT"} {
			if output, _ := runSession(w, nil, "receive", line, "quit"); !strings.Contains(output, "The number has blanks in it.") {
				t.Errorf("%s:\n%s", line, output)
			}
		}
	})
}

// An export says how many rows it has and is written only by its word.
func TestExport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.csv")
	uitest.Live(t, indexed(), func(w *uitest.World) {
		output, _ := runSession(
			w,
			nil,
			"history type:transfer",
			"export xml "+path,
			"export csv "+path,
			"",
			"yes",
			"back",
			"export csv "+path,
			"write",
			"export hledger "+path,
			"last month",
			"month",
			"memos",
			"labels",
			"ids",
			"all",
			"write",
			"export jsonl",
			"lock",
			"export",
			"labels",
			"quit",
		)
		text, err := os.ReadFile(path)
		uitest.Must(t, err)
		if n := strings.Count(string(text), "\n"); n != 6 {
			t.Errorf("the file has %d lines", n)
		}
		golden(t, "export", strings.ReplaceAll(strings.ReplaceAll(output, "\n   "+path, " "+path), path, "all.csv"))
	})
}

// shared is a ledger on which alice's account also needs carol's signature.
var shared = &uitest.Past{Ledger: func(w *uitest.World) {
	both := ledger.Authority{WeightThreshold: 2, AccountAuths: []ledger.AccountWeight{{Account: uitest.Carol.ID, Weight: 1}},
		KeyAuths: []ledger.KeyWeight{{Key: uitest.KeyOf(uitest.Alice.Name).Public(), Weight: 1}}}
	w.Ago(time.Hour)
	w.Push(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Alice.ID, Owner: &both, Active: &both})
	w.Mine()
}}

// A payment that the keys here may not sign alone, and that no account of the wallet can propose, becomes a file.
func TestPaymentOfASharedAccountBecomesAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Live(t, uitest.Scene{Past: shared}, func(w *uitest.World) {
		output, _ := runSession(w, nil, "send carol 5", "", "save", "quit")
		for _, want := range []string{"becomes a file that others sign",
			"Missing: warning: the active authority of alice", "Saved unsigned: "} {
			if !strings.Contains(strings.Join(strings.Fields(output), " "), want) {
				t.Errorf("%q is not printed:\n%s", want, output)
			}
		}
		if found, err := filepath.Glob("transfer-*.json"); err != nil || len(found) != 1 || w.Paid() != 0 {
			t.Errorf("the files are %q, %v; %d payments were sent", found, err, w.Paid())
		}
	})
}

// A review of a proposal shows what the review of the payment would: how often its recipient was paid, and its memo in clear.
func TestAProposalIsReviewedAsItsPayment(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send bob-trade 5", "rent of may", "1", "propose", "quit")
		_, review, found := strings.Cut(output, "Operation: proposal create")
		if !found || !strings.Contains(review, "To: bob-trade 1.2.110, paid once before") || !strings.Contains(review, "rent of may") {
			t.Errorf("the review of the proposal:\n%s", review)
		}
	})
}

// A review of a proposal saves the proposal, not the payment that it proposes.
func TestSaveWritesTheProposalThatIsReviewed(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "send carol 5", "", "propose", "save", "quit")
		if found, err := filepath.Glob("*.json"); err != nil || len(found) != 1 || !strings.HasPrefix(found[0], "proposal-create-") {
			t.Errorf("the files are %q, %v:\n%s", found, err, output)
		}
	})
}

// The same holds for a change of its signers and for a line of the console.
func TestChangeOfASharedAccountBecomesAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	uitest.Live(t, uitest.Scene{Past: shared}, func(w *uitest.World) {
		console := func(o *linear.Options) {
			o.Core.Console = shell.Page{Wallet: walletapi.New(walletapi.Core{Wallet: w.Wallet})}
		}
		output, _ := runSession(w, console, "keys", "change 1", "same", "new", "same", "alice", "save", "stop",
			`console transfer alice carol 2 DCT "" true`, "save", "quit")
		for _, want := range []string{"Operation: account update (2)", "Proposal: none: no account of this wallet can pay",
			"Missing: warning: the active authority of alice", "Operation: transfer (0)"} {
			if !strings.Contains(strings.Join(strings.Fields(output), " "), want) {
				t.Errorf("%q is not printed:\n%s", want, output)
			}
		}
		for _, name := range []string{"account-update-*.json", "transfer-*.json"} {
			if found, err := filepath.Glob(name); err != nil || len(found) != 1 || w.Paid() != 0 {
				t.Errorf("the files are %q, %v; %d payments were sent\n%s", found, err, w.Paid(), output)
			}
		}
	})
}

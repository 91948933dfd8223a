package tui_test

import (
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui"
	"billfold/walletcore/cosign"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// If a file takes more than half of an asset, the amount must be typed, whoever gets it and whatever else is in the file.
func TestFileThatTakesMostNeedsConfirmation(t *testing.T) {
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
		page := reviewFile(w, ops...)
		if text := sheet(page.Shown); !slices.Contains(wants(page), "2.5001") || !strings.Contains(text, "of 5.0000 ART") {
			t.Errorf("%s: asked %q\n%s", name, wants(page), text)
		}
	}
	if got := wants(reviewFile(w, pay(2_5000, art.ID))); len(got) != 0 {
		t.Errorf("half of it: asked %q", got)
	}
}

// A file that approves a proposal with a fee for which an own transaction would be refused is shown but not signed.
func TestFileThatApprovesAnExcessiveFeeIsNotSigned(t *testing.T) {
	w := testwallet.Open(t, "alice", "bobby")
	alice, bobby := w.Account("alice").ID, w.Account("bobby").ID
	propose := func(fee int64) {
		is := ledger.NewOperation(&ledger.ProposalCreateOp{FeePayingAccount: bobby, Fee: ledger.AssetAmount{Amount: 1000_0000},
			ExpirationTime: ledger.TimeOf(w.Build.Now()) + 7200,
			ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(&ledger.TransferOp{From: alice, To: bobby.Object(),
				Amount: ledger.AssetAmount{Amount: 1}, Fee: ledger.AssetAmount{Amount: fee}})}}})
		given := txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: []ledger.Operation{is}}, txbuild.Operations)
		_, err := w.Payments.Spend(w.Ctx, given, payment.Sending{Broadcast: true})
		testwallet.Must(t, err)
		w.Mine()
	}
	propose(100_000)
	propose(500_0000_0000)
	for id, want := range []string{"", "the proposal 1.6.1 has alice pay fees of 500.00000000 DCT, but the wallet pays at most"} {
		file, is := fileOf(w, approvalOf(alice, ledger.ProposalID(id))), w.Account("alice")
		file.Unchecked.Accounts = []cosign.AccountHint{{ID: alice, Name: is.Name, Owner: &is.Owner, Active: &is.Active}}
		why, err := tui.WhyNoSigning(w.Ctx, w.Wallet, file)
		if testwallet.Must(t, err); !strings.HasPrefix(why, want) || want == "" && why != "" {
			t.Errorf("the proposal %d: %q", id, why)
		}
	}
}

// Everything that describes a file shows its messages and plain memos as text, even if each recipient gets a different one.
func TestFileReviewShowsMessageText(t *testing.T) {
	w := testwallet.Open(t, "alice")
	alice, bobby, carol := w.Account("alice").ID, w.Account("bobby").ID, w.Account("carol").ID
	message, err := ledger.NewMessage(alice, ledger.PrivateKey{}, "I owe bobby 1000 DCT",
		map[ledger.AccountID]ledger.PublicKey{bobby: {}, carol: {}}, 0)
	testwallet.Must(t, err)
	message.Receivers[1].Data = ledger.PlainMemo("nothing").Message
	data, err := message.Bytes()
	testwallet.Must(t, err)
	memo := ledger.PlainMemo("for the bread")
	file := fileOf(w, ledger.NewOperation(&ledger.CustomOp{Payer: alice, ID: ledger.MessageID, Data: data}),
		ledger.NewOperation(&ledger.TransferOp{From: alice, To: carol.Object(), Amount: ledger.AssetAmount{Amount: 1}, Memo: &memo}))
	for name, known := range map[string]func() (cosign.Known, error){
		"without a wallet": func() (cosign.Known, error) { return cosign.Known{}, nil },
		"by a wallet":      func() (cosign.Known, error) { return w.KnownOf(w.Ctx, file) },
	} {
		by, err := known()
		testwallet.Must(t, err)
		in, err := file.Inspect(by, w.Build.Now())
		testwallet.Must(t, err)
		for _, want := range []string{`message      "I owe bobby 1000 DCT"`, `message      "nothing"`, `memo         "for the bread"`} {
			if !strings.Contains(in.Text(), want) {
				t.Errorf("%s: no %s in\n%s", name, want, in.Text())
			}
		}
	}
}

// A proposal that is approved twice in one transaction runs once, and what it takes counts once.
func TestAProposalApprovedTwiceCountsOnce(t *testing.T) {
	w := testwallet.Open(t, "alice")
	alice, carol := w.Account("alice").ID, w.Account("carol").ID
	id := createProposal(w, ledger.NewOperation(&ledger.TransferOp{From: alice, To: carol.Object(),
		Amount: ledger.AssetAmount{Amount: 600_0000_0000}}))
	again := approvalOf(alice, id)
	again.Body.(*ledger.ProposalUpdateOp).OwnerApprovalsToAdd = []ledger.AccountID{alice}
	once, twice := reviewFile(w, approvalOf(alice, id)), reviewFile(w, approvalOf(alice, id), again)
	if got, want := twice.Shown.Approves.Outgoing, once.Shown.Approves.Outgoing; !slices.Equal(got, want) {
		t.Errorf("twice takes %+v, once %+v", got, want)
	}
}

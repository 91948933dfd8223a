package walletcore_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// asGiven returns a request for operations with the fees that they have.
func asGiven(ops ...ledger.Operation) txbuild.Request {
	return txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: ops}, txbuild.Operations)
}

// Fees that are too high in a transaction are also too high in a proposal that is approved, unless somebody else pays them.
func TestFeesInApprovedProposalsAreChecked(t *testing.T) {
	w := testwallet.Open(t, "alice")
	w.Furnish()
	w.Mine()
	art, err := w.View.Assets.Get(w.Ctx, "ART")
	testwallet.Must(t, err)
	his := testwallet.On(t, w.Box, w.Box.URL(), nil)
	his.Hold("bobby")
	alice, bobby := w.Account("alice").ID, w.Account("bobby").ID
	pays := func(from, to ledger.AccountID, fee int64, of ledger.AssetID) ledger.Operation {
		return ledger.NewOperation(&ledger.TransferOp{From: from, To: to.Object(), Amount: ledger.AssetAmount{Amount: 1},
			Fee: ledger.AssetAmount{Amount: fee, AssetID: of}})
	}
	next := ledger.ProposalID(1) // Furnish created one
	propose := func(ops ...ledger.Operation) ledger.ProposalID {
		is := &ledger.ProposalCreateOp{FeePayingAccount: bobby, ExpirationTime: ledger.TimeOf(w.Build.Now()) + 7200}
		for _, op := range ops {
			is.ProposedOps = append(is.ProposedOps, ledger.ProposedOperation{Op: op})
		}
		is.Fee.Amount = 1000_0000
		_, err := his.Payments.Spend(his.Ctx, asGiven(ledger.NewOperation(is)), payment.Sending{Broadcast: true})
		testwallet.Must(t, err)
		w.Mine()
		next++
		return next - 1
	}
	try := func(id ledger.ProposalID) error {
		approves := &ledger.ProposalUpdateOp{FeePayingAccount: alice, Proposal: id, ActiveApprovalsToAdd: []ledger.AccountID{alice}}
		_, err := w.Payments.Spend(w.Ctx, testwallet.Ready(ledger.NewOperation(approves)), payment.Sending{})
		return err
	}
	for name, one := range map[string]struct {
		id   ledger.ProposalID
		says string
	}{
		"high": {propose(pays(alice, bobby, 500_0000_0000, 0)),
			"has alice pay fees of 500.00000000 DCT, but the wallet pays at most 1.00000000 DCT (--max-fee)"},
		"together": {propose(pays(alice, bobby, 6000_0000, 0), pays(alice, bobby, 6000_0000, 0)), "fees of 1.20000000 DCT"},
		"in ART":   {propose(pays(alice, bobby, 1_5000, art.ID)), "has alice pay a fee of 1.5000 ART; fees are paid in DCT"},
	} {
		if text := faulttest.Refused(t, try(one.id), fault.FeeTooHigh).Error(); !strings.Contains(text, one.says) {
			t.Errorf("%s: %s", name, text)
		}
	}
	testwallet.Must(t, try(propose(pays(alice, bobby, 100_000, 0), pays(bobby, alice, 500_0000_0000, 0))))
}

package walletcore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// Only a person moves the accepted fee: what a policy allows is signed and not kept, so that lies do not add up, and a leap is not signed
// by a policy at all.
func TestAnAcceptedFeeMovesOnlyByAPerson(t *testing.T) {
	l := openMisled(t, nil)
	pay := func(fee int64, how payment.Sending) error {
		t.Helper()
		l.lie(func(answer string) string {
			return strings.ReplaceAll(answer, `[0,{"fee":100000}]`, fmt.Sprintf(`[0,{"fee":%d}]`, fee))
		})
		_, err := l.transfer(testwallet.OneDCT(), how)
		return err
	}
	testwallet.Must(t, pay(100_000, payment.Sending{}))
	faulttest.Refused(t, pay(100_001, payment.Sending{}), fault.StateChanged)
	faulttest.Refused(t, pay(99_999, payment.Sending{}), fault.StateChanged)
	faulttest.Refused(t, pay(1_000_001, payment.Sending{}), fault.FeeTooHigh)

	l.Build.AcceptChanges = true
	for _, fee := range []int64{200_000, 400_000, 800_000, 1_000_000} {
		testwallet.Must(t, pay(fee, payment.Sending{}))
	}
	text := faulttest.Refused(t, pay(1_000_001, payment.Sending{}), fault.FeeTooHigh).Error()
	if !strings.Contains(text, "0.00100000 DCT that were accepted") {
		t.Error(text)
	}
	l.Build.AcceptChanges = false
	faulttest.Refused(t, pay(200_000, payment.Sending{}), fault.StateChanged)

	var shown []txbuild.Review
	person := payment.Sending{Approve: func(_ context.Context, r txbuild.Review) error {
		shown = append(shown, r)
		return nil
	}}
	testwallet.Must(t, pay(2_000_000, person))
	if r := shown[0]; len(r.Changed) != 1 || r.Changed[0].What != "fee" || r.Changed[0].Was != "0.00100000 DCT" ||
		r.Changed[0].Now != "0.02000000 DCT" || !r.FeeLeaps {
		t.Errorf("the review shows %+v, %v", r.Changed, r.FeeLeaps)
	}
	testwallet.Must(t, pay(2_000_000, payment.Sending{}))
	faulttest.Refused(t, pay(100_000, payment.Sending{}), fault.StateChanged) // now the true one is the changed one
}

// A fee that several daemons agree on needs nobody to accept it; one daemon alone does.
func TestAQuorumConfirmsAnotherFee(t *testing.T) {
	for quorum, refused := range map[int]bool{1: true, 2: false} {
		w, _ := testwallet.OpenOnTwo(t, quorum, nil, "alice")
		before := &ledger.FeeSchedule{Scale: 10_000, Parameters: []ledger.FeeParameters{{Code: 0, Fee: 50_000}}}
		testwallet.Must(t, w.View.Pins.CheckFacts(w.Ctx, ledgerview.ScheduleFacts(before), ledgerview.AcceptedByPerson))
		_, err := w.Transfer(testwallet.OneDCT(), payment.Sending{})
		if refused != (fault.CodeOf(err) == fault.StateChanged) || !refused && err != nil {
			t.Errorf("with %d daemons: %v", quorum, err)
		}
	}
}

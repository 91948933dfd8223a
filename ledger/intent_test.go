package ledger

import (
	"strings"
	"testing"
)

// What a person signs has not happened yet: every operation that can be signed has words for it.
func TestEveryOperationIsSaidInThePresent(t *testing.T) {
	for _, d := range operations {
		op := Operation{Code: d.code, Body: NewBody(d.code)}
		done, now := Sentence(op, plainNames{}), Intent(op, plainNames{})
		if d.virtual || strings.Contains(done, "no longer allows") {
			continue
		}
		if done == now || len(now) < 10 {
			t.Errorf("%s: %q stays in the past: %q", d.name, done, now)
		}
	}
	paid := NewOperation(&TransferObsoleteOp{From: 16, To: 17, Amount: AssetAmount{Amount: 5}})
	for _, c := range []struct {
		body Body
		want string
	}{
		{&TransferObsoleteOp{From: 16, To: 17, Amount: AssetAmount{Amount: 1225000000}}, "alice pays 12.25000000 DCT to bobby"},
		{&SetPublishingRightOp{From: 16, To: []AccountID{17}}, "alice dismisses publishers: bobby"},
		{&ProposalCreateOp{FeePayingAccount: 17, ProposedOps: []ProposedOperation{{paid}}},
			"bobby proposes: alice pays 0.00000005 DCT to bobby"},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "a rated commented", Rating: 4, Comment: "good"},
			"alice rates a rated commented with 4 and comments"},
		{&LeaveRatingAndCommentOp{Consumer: 16, URI: "ipfs:x", Comment: "good"}, "alice comments on ipfs:x"},
	} {
		if got := Intent(NewOperation(c.body), plainNames{}); got != c.want {
			t.Errorf("%T: %q, want %q", c.body, got, c.want)
		}
	}
	if got := Intent(Operation{Code: 99}, plainNames{}); got != "operation 99 of a newer ledger" {
		t.Error(got)
	}
}

// markedNames say of a name that it is not checked, and one account is called as a verb is.
type markedNames struct{ plainNames }

func (markedNames) AccountName(id AccountID) string {
	return map[AccountID]string{16: "paid", 17: "bobby"}[id] + " (" + id.String() + ", unchecked)"
}

func TestAnIntentKeepsNamesAsTheyAre(t *testing.T) {
	for want, body := range map[string]Body{
		"paid (1.2.16, unchecked) pays 0.00000001 DCT to bobby (1.2.17, unchecked)": &TransferObsoleteOp{From: 16, To: 17, Amount: AssetAmount{Amount: 1}},
		"bobby (1.2.17, unchecked) no longer allows paid (1.2.16, unchecked) to withdraw": &WithdrawPermissionDeleteOp{
			WithdrawFromAccount: 17, AuthorizedAccount: 16},
	} {
		if got := Intent(NewOperation(body), markedNames{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

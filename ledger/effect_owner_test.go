package ledger

import (
	"strings"
	"testing"
)

// nothingKnown is the ledger where no node answers.
type nothingKnown struct{ Before }

func (nothingKnown) Account(AccountID) *Account { return nil }

// Where the owner authority is not known, nothing is said of who can act as if there were none.
func TestAnUnknownOwnerIsSaidToBeUnknown(t *testing.T) {
	one := Authority{WeightThreshold: 1, AccountAuths: []AccountWeight{{Account: 17, Weight: 1}}}
	two := Authority{WeightThreshold: 2, AccountAuths: []AccountWeight{{Account: 17, Weight: 1}, {Account: 18, Weight: 1}}}
	for _, c := range []struct {
		op      AccountUpdateOp
		unknown bool
	}{
		{AccountUpdateOp{Account: 16, Active: &one}, true},
		{AccountUpdateOp{Account: 16, Active: &two}, true},
		{AccountUpdateOp{Account: 16, Active: &one, Owner: &two}, false},
	} {
		said := ""
		for _, e := range Effects(NewOperation(&c.op), nothingKnown{}, plainNames{}) {
			said += e.Note + "; "
		}
		if strings.Contains(said, unknownOwner) != c.unknown || !strings.Contains(said, "alone") {
			t.Errorf("%+v: %q", c.op, said)
		}
	}
}

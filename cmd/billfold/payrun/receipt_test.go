package payrun

import (
	"os"
	"path/filepath"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payout"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A file that was edited after its payout began is refused until that one is through; one that was begun on
// another chain, and other files with such a name, stand in nobody's way.
func TestAnEditedFileIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "may.csv")
	plan := payout.Plan{Chain: ledger.ChainID{1}, Payer: 17, Rows: []payout.Row{{Line: 2, Account: "bobby", Amount: "1", Asset: "DCT"}}}
	edited := plan
	edited.Rows = []payout.Row{{Line: 2, Account: "bobby", Amount: "2", Asset: "DCT"}}
	first, second := receiptFile{file, plan.ID()}, receiptFile{file, edited.ID()}
	must(t, second.checkEarlier(edited.Chain))
	must(t, first.begin(&plan, "alice"))
	must(t, first.checkEarlier(plan.Chain))
	if err := second.checkEarlier(edited.Chain); fault.CodeOf(err) != fault.Denied {
		t.Errorf("the edited file is answered %v", err)
	}
	must(t, second.checkEarlier(ledger.ChainID{2}))
	must(t, os.WriteFile(file+receiptMark+"notes.txt", []byte("mine"), 0o600))
	key := ledger.DeriveKey("alice", 0)
	whole := payout.Receipt{Head: payout.NewHead(&plan, "alice"), Rows: []payout.ReceiptRow{{Row: 1}}}
	text, err := whole.Sign(key.Public(), func(b []byte) (ledger.Signature, error) { return key.SignBuffer(b), nil })
	must(t, err)
	must(t, replace(first.path(), []byte(text)))
	must(t, second.checkEarlier(edited.Chain))
	must(t, first.begin(&plan, "alice")) // a whole receipt stays
	kept, err := os.ReadFile(first.path())
	must(t, err)
	if string(kept) != text {
		t.Error("the receipt was begun anew")
	}
}

// What stands in the way of the first line stops the payout before it pays.
func TestAReceiptThatCannotBeBegun(t *testing.T) {
	plan := payout.Plan{Payer: 17}
	none := receiptFile{filepath.Join(t.TempDir(), "gone", "may.csv"), plan.ID()}
	if err := none.begin(&plan, "alice"); fault.CodeOf(err) != fault.File {
		t.Errorf("a folder that is not there is answered %v", err)
	}
}

package linear

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// A row of the history says in words what the row of the page shows in columns and signs, whatever it is of: what moved and which way, that only a
// fee was paid, and with whom.
func TestHistoryRowsSayWhatThePageShows(t *testing.T) {
	own, other := ledgerview.AccountRef{ID: 34, Name: "alice"}, ledgerview.AccountRef{ID: 57, Name: "carol"}
	dct, gold := ledgerview.AssetRef{Symbol: "DCT", Precision: 8}, ledgerview.AssetRef{ID: 7, Symbol: "GOLD", Precision: 2}
	env := screen.Env{Account: own}
	for _, code := range []ledger.OpCode{ledger.CodeTransfer, ledger.CodeProposalCreate, ledger.CodeAccountUpdate, ledger.CodeAssetIssue, ledger.CodeCustom} {
		for direction := history.Other; direction <= history.Self; direction++ {
			for _, amount := range []int64{0, 5_00000000} {
				for _, with := range []ledgerview.AccountRef{other, {}} {
					e := history.Entry{Code: code, Name: history.OperationName(code), Direction: direction, From: own, With: with, To: other, Asset: dct, Amount: amount,
						FeeAsset: dct, Fee: 100000}
					if direction == history.In {
						e.From, e.To = other, own
					}
					if amount != 0 && !e.Pays() {
						e.Also = []history.Part{{Asset: gold, Amount: 125}}
					}
					if with == (ledgerview.AccountRef{}) && e.Pays() {
						continue
					}
					said, cells := rowLine(env, e).String(), ""
					for _, line := range rows.New(env, []history.Entry{e}, 140, false).Row(e) {
						cells += line.String() + " "
					}
					for shown, word := range map[string]string{"+5.0": "in 5.0", "-5.0": "out 5.0", "fee only": "fee only", "-0.001": "out 0.001", "→ carol": "to carol",
						"← carol": "from carol", " carol": "carol", "the ledger": "the ledger", "1.25 GOLD": "1.25 GOLD"} {
						if strings.Contains(cells, shown) && !strings.Contains(said, word) {
							t.Errorf("%s, direction %d, amount %d: the page shows %q of %q, and the line is %q", e.Name, direction, amount, shown, cells, said)
						}
					}
				}
			}
		}
	}
}

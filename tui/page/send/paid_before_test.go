package send_test

import (
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// How often somebody was paid is not said lower than it may be, where the history goes on behind what was read.
func TestHowOftenSomebodyWasPaidIsNotSaidTooLow(t *testing.T) {
	carol := ledgerview.AccountRef{ID: 57, Name: "carol"}
	row := history.Entry{Code: ledger.CodeTransfer, Name: "transfer", Direction: history.Out, Amount: 5, To: carol}
	for most, want := range map[int]string{3: "paid 2 times, last", 2: "paid at least 2 times, last"} {
		known := send.KnownRecipientsFrom([]history.Entry{row, row}, most)
		if got := known.Relation(screen.Env{}, carol); !strings.HasPrefix(got, want) {
			t.Errorf("of %d rows: %q, want %q", most, got, want)
		}
	}
}

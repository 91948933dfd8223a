package build

import (
	"testing"
	"time"

	"billfold/ledger"
)

// Payments that are alike differ in their expiration, as far as it may go.
func TestAlikePaymentsStayInTheWindow(t *testing.T) {
	f := New(Config{Now: time.Now})
	in := window{1000, 1003}
	seen := map[ledger.Time]bool{}
	tx := &Signed{}
	for range 4 + 15 {
		made, err := f.takeStamp(tx, in)
		if err != nil || !made || seen[tx.Expiration] || tx.Expiration > in.bound || tx.Expiration < in.first-15 {
			t.Fatalf("made %v at %d, seen %v", made, tx.Expiration, seen[tx.Expiration])
		}
		seen[tx.Expiration] = true
	}
	if made, err := f.takeStamp(tx, in); made || err != nil {
		t.Error("one more was made at", tx.Expiration, err)
	}
}

package build

import (
	"testing"
	"time"

	"billfold/ledger"
)

// Forgetting old ids once took a walk through all of them with each transaction.
func TestRecentIDsAreForgottenInTime(t *testing.T) {
	var r recentIDs
	id := func(n int) (id ledger.TransactionID) {
		id[0], id[1] = byte(n), byte(n>>8)
		return id
	}
	start := time.Unix(1_800_000_000, 0)
	for n := range 5000 {
		if !r.take(id(n), start.Add(time.Duration(n)*time.Millisecond)) {
			t.Fatalf("id %d was taken for another", n)
		}
	}
	if r.take(id(1), start.Add(recentLife)) || r.take(id(4999), start.Add(recentLife)) {
		t.Error("an id was made again while it may still count")
	}
	if !r.take(id(1), start.Add(3*recentLife)) || len(r.young)+len(r.old) > 5001 {
		t.Errorf("%d ids are held for ever", len(r.young)+len(r.old))
	}
}

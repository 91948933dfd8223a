package send

import "testing"

func TestNamesThatAPersonConfuses(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"carol", "caro1", true}, {"carol", "carrol", true}, {"carol", "caroline-k", false}, {"bob-trade", "bobtrade", true},
		{"modern", "modem", true}, {"wallet-w", "wallet-vv", true}, {"alice", "bobby", false}, {"carol", "carol", false},
		{"merchant-7", "merchant-1", true}, {"miner-eu1", "miner-eu11", true}, {"alice", "", false},
	} {
		if got := confusable(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}

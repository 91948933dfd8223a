package send

import (
	"testing"

	"billfold/tui/screen"
	"billfold/walletcore"
)

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

func TestLimitsOfConfirmation(t *testing.T) {
	dct := walletcore.AssetRef{Symbol: "DCT", Precision: 8}
	for amount, want := range map[int64]bool{1000_00000000: false, 1000_00000001: true} {
		if got := amountWhy(walletcore.Review{Asset: dct, Amount: amount, Available: 1 << 60}) != ""; got != want {
			t.Errorf("an amount of %d asks: %v", amount, got)
		}
	}
	for amount, want := range map[int64]bool{50_00000000: false, 50_00000001: true} {
		r := walletcore.Review{Asset: dct, Amount: amount, FirstTime: true, To: walletcore.AccountRef{ID: 9, Name: "x"}}
		if got := recipientWhy(emptyEnv(), r) != ""; got != want {
			t.Errorf("a first payment of %d asks for the id: %v", amount, got)
		}
	}
}

func emptyEnv() (e screen.Env) { return e }

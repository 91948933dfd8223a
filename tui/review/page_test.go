package review

import (
	"testing"

	"billfold/tui/screen"
	"billfold/walletcore"
)

func TestLimitsOfConfirmation(t *testing.T) {
	dct := walletcore.AssetRef{Symbol: "DCT", Precision: 8}
	for amount, want := range map[int64]bool{1000_00000000: false, 1000_00000001: true} {
		if got := amountWhy(walletcore.Review{Asset: dct, Amount: amount, Available: 1 << 60}) != ""; got != want {
			t.Errorf("an amount of %d asks: %v", amount, got)
		}
	}
	for amount, want := range map[int64]bool{50_00000000: false, 50_00000001: true} {
		r := walletcore.Review{Asset: dct, Amount: amount, FirstTime: true, To: walletcore.AccountRef{ID: 9, Name: "x"}}
		if got := recipientWhy(screen.Env{}, r) != ""; got != want {
			t.Errorf("a first payment of %d asks for the id: %v", amount, got)
		}
	}
}

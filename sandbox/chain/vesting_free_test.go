package chain_test

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/state"

	"pgregory.net/rapid"
)

// Whatever is taken when, what is free is never negative nor more than there is.
func TestFreeNeverExceedsTheBalance(t *testing.T) {
	for range 5 { // a draw costs next to nothing, so there are more of them
		rapid.Check(t, takeWhatIsFree)
	}
}

func takeWhatIsFree(r *rapid.T) {
	const start = 1_600_000_000
	amount := rapid.Int64Range(1, ledger.MaxShareSupply).Draw(r, "amount")
	cliff, length := rapid.Uint32().Draw(r, "cliff"), rapid.Uint32().Draw(r, "length")
	v := &state.VestingBalance{Balance: ledger.AssetAmount{Amount: amount}}
	if rapid.Bool().Draw(r, "linear") {
		v.Policy.Linear = &state.LinearPolicy{
			BeginTimestamp: start, VestingCliffSeconds: cliff, VestingDurationSeconds: length, BeginBalance: amount,
		}
	} else {
		v.Policy.CoinDays = &state.CoinDaysPolicy{
			VestingSeconds: length, StartClaim: start + ledger.Time(cliff%1000), CoinSecondsEarned: "0", LastUpdate: start,
		}
	}
	now := ledger.Time(start)
	for range 6 {
		now += ledger.Time(rapid.Uint32Range(0, 400_000_000).Draw(r, "wait"))
		free := v.Free(now)
		if free < 0 || free > v.Balance.Amount {
			r.Fatalf("%d of %d are free", free, v.Balance.Amount)
		}
		v.Withdraw(rapid.Int64Range(0, free).Draw(r, "taken"), now)
		if v.Balance.Amount < 0 {
			r.Fatalf("%d are left", v.Balance.Amount)
		}
	}
}

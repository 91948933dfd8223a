package ledger

import (
	"errors"
	"math/big"
)

// VestingBalance is the object 1.9.N: an amount that becomes free over time.
type VestingBalance struct {
	ID      VestingBalanceID `json:"id"`
	Owner   AccountID        `json:"owner"`
	Balance AssetAmount      `json:"balance"`
	Policy  VestingState     `json:"policy"`
}

// VestingState is how a balance becomes free, and how much has: type 0 linear, type 1 by coin days.
type VestingState struct {
	_        struct{}       `fc:"variant"`
	Linear   *LinearState   `json:"linear"`
	CoinDays *CoinDaysState `json:"cdd"`
}

// LinearState frees BeginBalance evenly over the duration, but none of it before the cliff.
type LinearState struct {
	BeginTimestamp         Time   `json:"begin_timestamp"`
	VestingCliffSeconds    uint32 `json:"vesting_cliff_seconds"`
	VestingDurationSeconds uint32 `json:"vesting_duration_seconds"`
	BeginBalance           int64  `json:"begin_balance"` // smallest unit
}

// CoinDaysState frees a unit after it has been held for VestingSeconds.
type CoinDaysState struct {
	VestingSeconds    uint32 `json:"vesting_seconds"`
	StartClaim        Time   `json:"start_claim"`         // nothing is free until then
	CoinSecondsEarned string `json:"coin_seconds_earned"` // a number of 128 bits
	LastUpdate        Time   `json:"coin_seconds_earned_last_update"`
}

// Free returns how much may be withdrawn at time now, in smallest units (protocol/ledger.md).
func (v *VestingBalance) Free(now Time) (int64, error) {
	switch p := v.Policy; {
	case p.Linear != nil:
		return p.Linear.free(v.Balance.Amount, now), nil
	case p.CoinDays != nil:
		return p.CoinDays.free(v.Balance.Amount, now)
	}
	return 0, errors.New("a vesting balance without a policy")
}

func (p *LinearState) free(balance int64, now Time) int64 {
	if now <= p.BeginTimestamp || uint32(now-p.BeginTimestamp) < p.VestingCliffSeconds {
		return 0
	}
	elapsed, vested := uint32(now-p.BeginTimestamp), p.BeginBalance
	if elapsed < p.VestingDurationSeconds {
		n := new(big.Int).Mul(big.NewInt(vested), big.NewInt(int64(elapsed)))
		vested = n.Quo(n, big.NewInt(int64(p.VestingDurationSeconds))).Int64()
	}
	return vested - (p.BeginBalance - balance)
}

// free returns the coin seconds earned, divided by the vesting period. A balance earns at most what frees all of it.
func (p *CoinDaysState) free(balance int64, now Time) (int64, error) {
	earned, ok := new(big.Int).SetString(p.CoinSecondsEarned, 10)
	if !ok {
		return 0, errors.New("the coin seconds earned are not a number")
	}
	if now <= p.StartClaim {
		return 0, nil
	}
	period := big.NewInt(int64(max(p.VestingSeconds, 1)))
	amount := big.NewInt(balance)
	earned.Add(earned, new(big.Int).Mul(amount, big.NewInt(int64(now)-int64(p.LastUpdate))))
	if most := new(big.Int).Mul(amount, period); earned.Cmp(most) > 0 {
		earned = most
	}
	return earned.Quo(earned, period).Int64(), nil
}

package state

import (
	"math/big"

	"billfold/ledger"
)

// VestingBalance is the object 1.9.N: an amount that becomes free over time.
type VestingBalance struct {
	ID      ledger.VestingBalanceID `json:"id"`
	Owner   ledger.AccountID        `json:"owner"`
	Balance ledger.AssetAmount      `json:"balance"`
	Policy  VestingPolicy           `json:"policy"`
}

// VestingPolicy is a variant: type 0 linear, type 1 by coin days.
type VestingPolicy struct {
	_        struct{}        `fc:"variant"`
	Linear   *LinearPolicy   `json:"linear"`
	CoinDays *CoinDaysPolicy `json:"cdd"`
}

// LinearPolicy frees BeginBalance evenly over the duration, but none of it before
// the cliff.
type LinearPolicy struct {
	BeginTimestamp         ledger.Time `json:"begin_timestamp"`
	VestingCliffSeconds    uint32      `json:"vesting_cliff_seconds"`
	VestingDurationSeconds uint32      `json:"vesting_duration_seconds"`
	BeginBalance           int64       `json:"begin_balance"` // smallest unit
}

// CoinDaysPolicy frees a unit after it has been held for VestingSeconds.
// CoinSecondsEarned is a number of 128 bits.
type CoinDaysPolicy struct {
	VestingSeconds    uint32      `json:"vesting_seconds"`
	StartClaim        ledger.Time `json:"start_claim"` // nothing is free until then
	CoinSecondsEarned string      `json:"coin_seconds_earned"`
	LastUpdate        ledger.Time `json:"coin_seconds_earned_last_update"`
}

// Vesting are the objects 1.9.N.
type Vesting struct {
	table[ledger.VestingBalanceID, VestingBalance]
	byOwner lists[ledger.AccountID, ledger.VestingBalanceID]
}

func newVesting(j *journal) Vesting {
	v := Vesting{byOwner: newLists[ledger.AccountID, ledger.VestingBalanceID](j)}
	v.table.j = j
	return v
}

// OfAccount returns the balances of an account, oldest first, empty ones included.
func (v *Vesting) OfAccount(owner ledger.AccountID) []*VestingBalance {
	return v.pick(v.byOwner.of(owner))
}

// Add inserts a balance under the next id.
func (v *Vesting) Add(balance VestingBalance) ledger.VestingBalanceID {
	balance.ID = v.Next()
	v.insert(&balance)
	v.byOwner.add(balance.Owner, balance.ID)
	return balance.ID
}

// Free returns how much may be withdrawn at time now, in smallest units.
func (v *VestingBalance) Free(now ledger.Time) int64 {
	if v.Policy.Linear != nil {
		return v.Policy.Linear.free(v.Balance.Amount, now)
	}
	p := v.Policy.CoinDays
	if now <= p.StartClaim {
		return 0
	}
	earned := p.earned(v.Balance.Amount, now)
	return earned.Quo(earned, p.period()).Int64()
}

func (p *LinearPolicy) free(balance int64, now ledger.Time) int64 {
	if now <= p.BeginTimestamp {
		return 0
	}
	elapsed := uint32(now - p.BeginTimestamp)
	if elapsed < p.VestingCliffSeconds {
		return 0
	}
	vested := p.BeginBalance
	if elapsed < p.VestingDurationSeconds {
		n := new(big.Int).Mul(big.NewInt(vested), big.NewInt(int64(elapsed)))
		vested = n.Quo(n, big.NewInt(int64(p.VestingDurationSeconds))).Int64()
	}
	return vested - (p.BeginBalance - balance)
}

// period returns the vesting period in seconds, at least 1, so that it can be a divisor.
func (p *CoinDaysPolicy) period() *big.Int { return big.NewInt(int64(max(p.VestingSeconds, 1))) }

// earned returns the coin seconds at time now. A balance earns at most what frees all of it.
func (p *CoinDaysPolicy) earned(balance int64, now ledger.Time) *big.Int {
	earned, _ := new(big.Int).SetString(p.CoinSecondsEarned, 10)
	amount := big.NewInt(balance)
	earned.Add(earned, new(big.Int).Mul(amount, big.NewInt(int64(now)-int64(p.LastUpdate))))
	if most := amount.Mul(amount, p.period()); earned.Cmp(most) > 0 {
		return most
	}
	return earned
}

// Withdraw takes an amount, which must be free, out of the balance.
func (v *VestingBalance) Withdraw(amount int64, now ledger.Time) {
	if old := v.Policy.CoinDays; old != nil {
		next := *old
		earned := old.earned(v.Balance.Amount, now)
		earned.Sub(earned, new(big.Int).Mul(big.NewInt(amount), old.period()))
		next.CoinSecondsEarned, next.LastUpdate = earned.String(), now
		v.Policy.CoinDays = &next
	}
	v.Balance.Amount -= amount
}

// Deposit adds an amount to a balance by coin days, after recording the coin seconds earned until now.
func (v *VestingBalance) Deposit(amount int64, now ledger.Time) {
	p := *v.Policy.CoinDays
	p.CoinSecondsEarned, p.LastUpdate = p.earned(v.Balance.Amount, now).String(), now
	v.Policy.CoinDays = &p
	v.Balance.Amount += amount
}

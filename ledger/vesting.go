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

// VestingState is the rule by which a balance becomes free, and its progress: type 0 linear, type 1 by coin days.
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

// Codes of the operations on vesting balances.
const (
	CodeVestingBalanceCreate   OpCode = 16 // vesting_balance_create
	CodeVestingBalanceWithdraw OpCode = 17 // vesting_balance_withdraw
)

// VestingBalanceCreateOp sets aside an amount that becomes free over time.
type VestingBalanceCreateOp struct {
	Fee     AssetAmount   `json:"fee,omitempty"`
	Creator AccountID     `json:"creator"`
	Owner   AccountID     `json:"owner"`
	Amount  AssetAmount   `json:"amount"`
	Policy  VestingPolicy `json:"policy"`
}

// FeePayer returns the creator.
func (op *VestingBalanceCreateOp) FeePayer() AccountID { return op.Creator }

func (*VestingBalanceCreateOp) declared() *declaration { return &vestingBalanceCreateDeclaration }

var vestingBalanceCreateDeclaration = declaration{
	code: CodeVestingBalanceCreate, name: "vesting_balance_create", new: empty[VestingBalanceCreateOp],
	fee:     flatFee(100_000),
	rules:   rules((*VestingBalanceCreateOp).valid),
	signs:   payerSigns,
	touches: touches(func(op *VestingBalanceCreateOp) []AccountID { return []AccountID{op.Owner} }),
	moves: moves(func(op *VestingBalanceCreateOp) []Movement {
		return []Movement{{From: op.Creator.Object(), Amount: op.Amount}}
	}),
	gives:    gives(func(op *VestingBalanceCreateOp) []AccountID { return []AccountID{op.Owner} }),
	sentence: words((*VestingBalanceCreateOp).sentence),
}

// effects warns that an amount is locked up.
func (op *VestingBalanceCreateOp) effects(_ Before, n Namer) []Effect {
	amount, free := grouped(n.AmountText(op.Amount)), op.Policy.words()
	return []Effect{{What: "who can spend " + amount, Was: withID(op.Creator, n), Now: withID(op.Owner, n) + ", " + free,
		Careful: "locks " + amount + " up; nobody can free it sooner: " + free}}
}

func (op *VestingBalanceCreateOp) sentence(n Namer) string {
	return n.AccountName(op.Creator) + " set " + grouped(n.AmountText(op.Amount)) + " aside for " + n.AccountName(op.Owner) +
		" to become free " + op.Policy.words()
}

// words returns how the amount becomes free.
func (p VestingPolicy) words() string {
	switch {
	case p.Linear != nil:
		out := "evenly over " + DurationWords(uint64(p.Linear.VestingDurationSeconds)) + " from " + p.Linear.BeginTimestamp.Words()
		if cliff := p.Linear.VestingCliffSeconds; cliff > 0 {
			out += ", none of it before " + DurationWords(uint64(cliff)) + " has passed"
		}
		return out
	case p.CoinDays != nil:
		return "as it ages, all of it after " + DurationWords(uint64(p.CoinDays.VestingSeconds)) + ", from " + p.CoinDays.StartClaim.Words()
	}
	return "over time"
}

func (op *VestingBalanceCreateOp) valid() error { return positive("the amount", op.Amount) }

// VestingBalanceWithdrawOp withdraws what has become free of a vesting balance.
type VestingBalanceWithdrawOp struct {
	Fee            AssetAmount      `json:"fee,omitempty"`
	VestingBalance VestingBalanceID `json:"vesting_balance"`
	Owner          AccountID        `json:"owner"`
	Amount         AssetAmount      `json:"amount"`
}

// FeePayer returns the owner.
func (op *VestingBalanceWithdrawOp) FeePayer() AccountID { return op.Owner }

func (*VestingBalanceWithdrawOp) declared() *declaration { return &vestingBalanceWithdrawDeclaration }

var vestingBalanceWithdrawDeclaration = declaration{
	code: CodeVestingBalanceWithdraw, name: "vesting_balance_withdraw", new: empty[VestingBalanceWithdrawOp],
	fee:     flatFee(100_000),
	rules:   rules((*VestingBalanceWithdrawOp).valid),
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *VestingBalanceWithdrawOp) []Movement {
		return []Movement{{To: op.Owner.Object(), Amount: op.Amount}}
	}),
	sentence: template("{owner} took {amount} out of the vesting balance {vesting_balance}"),
}

func (op *VestingBalanceWithdrawOp) valid() error { return positive("the amount", op.Amount) }

// VestingPolicy is a variant: type 0 linear, type 1 by coin days.
type VestingPolicy struct {
	_        struct{}         `fc:"variant"`
	Linear   *LinearVesting   `json:"linear"`
	CoinDays *CoinDaysVesting `json:"cdd"`
}

// LinearVesting frees the amount evenly after a cliff.
type LinearVesting struct {
	BeginTimestamp         Time   `json:"begin_timestamp"`
	VestingCliffSeconds    uint32 `json:"vesting_cliff_seconds"`
	VestingDurationSeconds uint32 `json:"vesting_duration_seconds"`
}

// CoinDaysVesting frees the amount as it ages.
type CoinDaysVesting struct {
	StartClaim     Time   `json:"start_claim"`
	VestingSeconds uint32 `json:"vesting_seconds"`
}

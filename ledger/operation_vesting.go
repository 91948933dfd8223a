package ledger

// Codes of the vesting operations.
const (
	CodeVestingBalanceCreate   OpCode = 16 // vesting_balance_create
	CodeVestingBalanceWithdraw OpCode = 17 // vesting_balance_withdraw
)

// VestingBalanceCreateOp sets an amount aside that becomes free over time.
type VestingBalanceCreateOp struct {
	Fee     AssetAmount   `json:"fee"`
	Creator AccountID     `json:"creator"`
	Owner   AccountID     `json:"owner"`
	Amount  AssetAmount   `json:"amount"`
	Policy  VestingPolicy `json:"policy"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *VestingBalanceCreateOp) FeePayer() AccountID { return op.Creator }

// VestingBalanceWithdrawOp takes what has become free of a vesting balance.
type VestingBalanceWithdrawOp struct {
	Fee            AssetAmount      `json:"fee"`
	VestingBalance VestingBalanceID `json:"vesting_balance"`
	Owner          AccountID        `json:"owner"`
	Amount         AssetAmount      `json:"amount"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *VestingBalanceWithdrawOp) FeePayer() AccountID { return op.Owner }

// VestingPolicy is a choice: type 0 linear, type 1 by coin days.
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

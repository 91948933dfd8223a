package ledger

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

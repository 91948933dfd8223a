package ledger

// WithdrawPermission is the object 1.8.N: an account may withdraw up to a limit
// from another one in each period.
type WithdrawPermission struct {
	ID                  WithdrawPermissionID `json:"id"`
	WithdrawFromAccount AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount   AccountID            `json:"authorized_account"`
	WithdrawalLimit     AssetAmount          `json:"withdrawal_limit"`
	WithdrawalPeriodSec uint32               `json:"withdrawal_period_sec"`
	PeriodStartTime     Time                 `json:"period_start_time"`
	Expiration          Time                 `json:"expiration"`
	ClaimedThisPeriod   int64                `json:"claimed_this_period"`
}

// Available returns how much may still be withdrawn at time now.
func (p *WithdrawPermission) Available(now Time) int64 {
	if uint64(now) >= uint64(p.PeriodStartTime)+uint64(p.WithdrawalPeriodSec) {
		return p.WithdrawalLimit.Amount
	}
	return max(p.WithdrawalLimit.Amount-p.ClaimedThisPeriod, 0)
}

// Claim records a withdrawal at time now and moves on to the period it falls into.
func (p *WithdrawPermission) Claim(amount int64, now Time) {
	periods := int64(now) - int64(p.PeriodStartTime)
	periods /= int64(p.WithdrawalPeriodSec)
	p.PeriodStartTime += Time(periods * int64(p.WithdrawalPeriodSec))
	if periods == 0 {
		amount += p.ClaimedThisPeriod
	}
	p.ClaimedThisPeriod = amount
}

// Periods returns how many periods are left at time now, the current one included.
func (p *WithdrawPermission) Periods(now Time) int {
	length := uint64(max(p.WithdrawalPeriodSec, 1))
	return int((uint64(p.Expiration-min(max(now, p.PeriodStartTime), p.Expiration)) + length - 1) / length)
}

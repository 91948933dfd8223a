package state

import "billfold/ledger"

// WithdrawPermission is the object 1.8.N: an account may take up to a limit
// out of another one in each period.
type WithdrawPermission struct {
	ID                  ledger.WithdrawPermissionID `json:"id"`
	WithdrawFromAccount ledger.AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount   ledger.AccountID            `json:"authorized_account"`
	WithdrawalLimit     ledger.AssetAmount          `json:"withdrawal_limit"`
	WithdrawalPeriodSec uint32                      `json:"withdrawal_period_sec"`
	PeriodStartTime     ledger.Time                 `json:"period_start_time"`
	Expiration          ledger.Time                 `json:"expiration"`
	ClaimedThisPeriod   int64                       `json:"claimed_this_period"`
}

// Available is what may still be withdrawn at a time.
func (p *WithdrawPermission) Available(now ledger.Time) int64 {
	if uint64(now) >= uint64(p.PeriodStartTime)+uint64(p.WithdrawalPeriodSec) {
		return p.WithdrawalLimit.Amount
	}
	return max(p.WithdrawalLimit.Amount-p.ClaimedThisPeriod, 0)
}

// Claim notes a withdrawal and moves on to the period that it falls into.
func (p *WithdrawPermission) Claim(amount int64, now ledger.Time) {
	periods := int64(now) - int64(p.PeriodStartTime)
	periods /= int64(p.WithdrawalPeriodSec)
	p.PeriodStartTime += ledger.Time(periods * int64(p.WithdrawalPeriodSec))
	if periods == 0 {
		amount += p.ClaimedThisPeriod
	}
	p.ClaimedThisPeriod = amount
}

// Permissions are the objects 1.8.N.
type Permissions struct {
	table[ledger.WithdrawPermissionID, WithdrawPermission]
}

// Add inserts a permission under the next id.
func (p *Permissions) Add(permission WithdrawPermission) ledger.WithdrawPermissionID {
	permission.ID = p.Next()
	p.insert(&permission)
	return permission.ID
}

// Remove ends a permission.
func (p *Permissions) Remove(id ledger.WithdrawPermissionID) { p.remove(id) }

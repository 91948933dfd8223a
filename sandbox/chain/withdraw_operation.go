package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var withdrawCreate = touching(typed(validateWithdrawCreate, (*State).evaluateWithdrawCreate, (*State).applyWithdrawCreate),
	func(op *ledger.WithdrawPermissionCreateOp) []ledger.AccountID {
		return []ledger.AccountID{op.AuthorizedAccount}
	})

var withdrawUpdate = touching(typed(validateWithdrawUpdate, (*State).evaluateWithdrawUpdate, (*State).applyWithdrawUpdate),
	func(op *ledger.WithdrawPermissionUpdateOp) []ledger.AccountID {
		return []ledger.AccountID{op.AuthorizedAccount}
	})

var withdrawClaim = touching(typed(validateWithdrawClaim, (*State).evaluateWithdrawClaim, (*State).applyWithdrawClaim),
	func(op *ledger.WithdrawPermissionClaimOp) []ledger.AccountID {
		return []ledger.AccountID{op.WithdrawFromAccount}
	})

var withdrawDelete = touching(typed(validateWithdrawDelete, (*State).evaluateWithdrawDelete, (*State).applyWithdrawDelete),
	func(op *ledger.WithdrawPermissionDeleteOp) []ledger.AccountID {
		return []ledger.AccountID{op.AuthorizedAccount}
	})

func validateWithdrawCreate(op *ledger.WithdrawPermissionCreateOp) *nodeerr.Fault {
	return demand("validate",
		condition{op.WithdrawFromAccount != op.AuthorizedAccount, "withdraw_from_account != authorized_account: ", nil},
		condition{op.WithdrawalLimit.Amount > 0, "withdrawal_limit.amount > 0: ", nil},
		condition{op.WithdrawalPeriodSec > 0, "withdrawal_period_sec > 0: ", nil},
		condition{op.PeriodsUntilExpiration > 0, "periods_until_expiration > 0: ", nil})
}

func (s *State) evaluateWithdrawCreate(op *ledger.WithdrawPermissionCreateOp) *nodeerr.Fault {
	fault := demand("do_evaluate",
		condition{s.Account(op.WithdrawFromAccount) != nil, "d.find_object(op.withdraw_from_account): ", nil},
		condition{s.Account(op.AuthorizedAccount) != nil, "d.find_object(op.authorized_account): ", nil})
	if fault != nil {
		return fault
	}
	return s.checkPeriods(op.WithdrawalLimit.AssetID, op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec,
		condition{op.PeriodStartTime > s.HeadTime(), "op.period_start_time > d.head_block_time(): ", nil})
}

// checkPeriods is what a new permission and a changed one have in common; start
// is the condition on its beginning.
func (s *State) checkPeriods(asset ledger.AssetID, begin ledger.Time, periods, seconds uint32, start condition) *nodeerr.Fault {
	return demand("do_evaluate",
		condition{s.Asset(asset) != nil, "d.find_object(op.withdrawal_limit.asset_id): ", nil}, start,
		condition{expirationOf(begin, periods, seconds) > s.HeadTime(), "op.period_start_time + op.periods_until_expiration * op.withdrawal_period_sec > d.head_block_time(): ", nil},
		condition{seconds >= uint32(s.global.Parameters.BlockInterval), "op.withdrawal_period_sec >= d.get_global_properties().parameters.block_interval: ", nil})
}

// expirationOf computes in 32 bits and wraps round, as the reference does.
func expirationOf(begin ledger.Time, periods, seconds uint32) ledger.Time {
	return begin + ledger.Time(periods*seconds)
}

func (s *State) applyWithdrawCreate(op *ledger.WithdrawPermissionCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	id := ledger.WithdrawPermissionID(s.permissions.next())
	s.permissions.insert(&WithdrawPermission{
		ID: id, WithdrawFromAccount: op.WithdrawFromAccount, AuthorizedAccount: op.AuthorizedAccount,
		WithdrawalLimit: op.WithdrawalLimit, WithdrawalPeriodSec: op.WithdrawalPeriodSec, PeriodStartTime: op.PeriodStartTime,
		Expiration: expirationOf(op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec),
	})
	return objectResult(id.Object()), nil
}

func validateWithdrawUpdate(op *ledger.WithdrawPermissionUpdateOp) *nodeerr.Fault {
	return demand("validate",
		condition{op.WithdrawalLimit.Amount > 0, "withdrawal_limit.amount > 0: ", nil},
		condition{op.WithdrawalPeriodSec > 0, "withdrawal_period_sec > 0: ", nil},
		condition{op.WithdrawFromAccount != op.AuthorizedAccount, "withdraw_from_account != authorized_account: ", nil},
		condition{op.PeriodsUntilExpiration > 0, "periods_until_expiration > 0: ", nil})
}

// permissionBetween finds a permission and checks that it is between the two.
func (s *State) permissionBetween(id ledger.WithdrawPermissionID, from, authorized ledger.AccountID) *nodeerr.Fault {
	p := s.WithdrawPermission(id)
	if p == nil {
		return nodeerr.NotFound(id.Object())
	}
	return demand("do_evaluate",
		condition{p.AuthorizedAccount == authorized, "permit.authorized_account == op.authorized_account: ", nil},
		condition{p.WithdrawFromAccount == from, "permit.withdraw_from_account == op.withdraw_from_account: ", nil})
}

func (s *State) evaluateWithdrawUpdate(op *ledger.WithdrawPermissionUpdateOp) *nodeerr.Fault {
	if fault := s.permissionBetween(op.PermissionToUpdate, op.WithdrawFromAccount, op.AuthorizedAccount); fault != nil {
		return fault
	}
	return s.checkPeriods(op.WithdrawalLimit.AssetID, op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec,
		condition{op.PeriodStartTime >= s.HeadTime(), "op.period_start_time >= d.head_block_time(): ", nil})
}

// applyWithdrawUpdate leaves what was claimed already as it is.
func (s *State) applyWithdrawUpdate(op *ledger.WithdrawPermissionUpdateOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.permissions.change(uint64(op.PermissionToUpdate), func(p *WithdrawPermission) {
		p.PeriodStartTime, p.WithdrawalPeriodSec, p.WithdrawalLimit = op.PeriodStartTime, op.WithdrawalPeriodSec, op.WithdrawalLimit
		p.Expiration = expirationOf(op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec)
	})
	return voidResult(), nil
}

func validateWithdrawClaim(op *ledger.WithdrawPermissionClaimOp) *nodeerr.Fault {
	return demand("validate",
		condition{op.WithdrawToAccount != op.WithdrawFromAccount, "withdraw_to_account != withdraw_from_account: ", nil},
		condition{op.AmountToWithdraw.Amount > 0, "amount_to_withdraw.amount > 0: ", nil})
}

func (s *State) evaluateWithdrawClaim(op *ledger.WithdrawPermissionClaimOp) *nodeerr.Fault {
	p, now, amount := s.WithdrawPermission(op.WithdrawPermission), s.HeadTime(), op.AmountToWithdraw
	if p == nil {
		return nodeerr.NotFound(op.WithdrawPermission.Object())
	}
	return demand("do_evaluate",
		condition{p.Expiration > now, "permit.expiration > d.head_block_time(): ", nil},
		condition{p.AuthorizedAccount == op.WithdrawToAccount, "permit.authorized_account == op.withdraw_to_account: ", nil},
		condition{p.WithdrawFromAccount == op.WithdrawFromAccount, "permit.withdraw_from_account == op.withdraw_from_account: ", nil},
		condition{amount.AssetID == p.WithdrawalLimit.AssetID, "a.asset_id == b.asset_id: ", nil},
		condition{amount.Amount <= p.available(now), "op.amount_to_withdraw <= permit.available_this_period( d.head_block_time() ): ", nil},
		condition{s.Balance(op.WithdrawFromAccount, amount.AssetID) >= amount.Amount, "d.get_balance(op.withdraw_from_account, op.amount_to_withdraw.asset_id) >= op.amount_to_withdraw: ", nil})
}

func (s *State) applyWithdrawClaim(op *ledger.WithdrawPermissionClaimOp) (ledger.OperationResult, *nodeerr.Fault) {
	amount, now := op.AmountToWithdraw, s.HeadTime()
	s.permissions.change(uint64(op.WithdrawPermission), func(p *WithdrawPermission) { p.claim(amount.Amount, now) })
	fault := s.adjust(op.WithdrawFromAccount, amount.AssetID, -amount.Amount)
	if fault == nil {
		fault = s.adjust(op.WithdrawToAccount, amount.AssetID, amount.Amount)
	}
	return voidResult(), fault
}

func validateWithdrawDelete(op *ledger.WithdrawPermissionDeleteOp) *nodeerr.Fault {
	return demand("validate", condition{op.WithdrawFromAccount != op.AuthorizedAccount, "withdraw_from_account != authorized_account: ", nil})
}

func (s *State) evaluateWithdrawDelete(op *ledger.WithdrawPermissionDeleteOp) *nodeerr.Fault {
	return s.permissionBetween(op.WithdrawalPermission, op.WithdrawFromAccount, op.AuthorizedAccount)
}

func (s *State) applyWithdrawDelete(op *ledger.WithdrawPermissionDeleteOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.permissions.remove(uint64(op.WithdrawalPermission))
	return voidResult(), nil
}

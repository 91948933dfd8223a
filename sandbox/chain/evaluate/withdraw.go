package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func withdrawRules() []registration {
	return []registration{
		operationRule[*ledger.WithdrawPermissionCreateOp]{
			validate: validateWithdrawCreate, evaluate: evaluateWithdrawCreate, apply: applyWithdrawCreate,
		},
		operationRule[*ledger.WithdrawPermissionUpdateOp]{
			validate: validateWithdrawUpdate, evaluate: evaluateWithdrawUpdate, apply: applyWithdrawUpdate,
		},
		operationRule[*ledger.WithdrawPermissionClaimOp]{
			validate: validateWithdrawClaim, evaluate: evaluateWithdrawClaim, apply: applyWithdrawClaim,
		},
		operationRule[*ledger.WithdrawPermissionDeleteOp]{
			validate: validateWithdrawDelete, evaluate: evaluateWithdrawDelete, apply: applyWithdrawDelete,
		},
	}
}

func validateWithdrawCreate(op *ledger.WithdrawPermissionCreateOp) *nodeerr.Error {
	return demand("validate",
		condition{op.WithdrawFromAccount != op.AuthorizedAccount, "withdraw_from_account != authorized_account: ", nil},
		condition{op.WithdrawalLimit.Amount > 0, "withdrawal_limit.amount > 0: ", nil},
		condition{op.WithdrawalPeriodSec > 0, "withdrawal_period_sec > 0: ", nil},
		condition{op.PeriodsUntilExpiration > 0, "periods_until_expiration > 0: ", nil})
}

func evaluateWithdrawCreate(e *Engine, op *ledger.WithdrawPermissionCreateOp) *nodeerr.Error {
	fault := demand("do_evaluate",
		condition{e.Accounts.Get(op.WithdrawFromAccount) != nil, "d.find_object(op.withdraw_from_account): ", nil},
		condition{e.Accounts.Get(op.AuthorizedAccount) != nil, "d.find_object(op.authorized_account): ", nil})
	if fault != nil {
		return fault
	}
	return checkPeriods(e, op.WithdrawalLimit.AssetID, op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec,
		condition{op.PeriodStartTime > e.HeadTime(), "op.period_start_time > d.head_block_time(): ", nil})
}

// checkPeriods makes the checks that new and changed permissions have in common;
// start is the condition on the start, in which they differ.
func checkPeriods(e *Engine, asset ledger.AssetID, begin ledger.Time, periods, seconds uint32, start condition) *nodeerr.Error {
	return demand("do_evaluate",
		condition{e.Assets.Get(asset) != nil, "d.find_object(op.withdrawal_limit.asset_id): ", nil}, start,
		condition{expirationOf(begin, periods, seconds) > e.HeadTime(),
			"op.period_start_time + op.periods_until_expiration * op.withdrawal_period_sec > d.head_block_time(): ", nil},
		condition{seconds >= uint32(e.Parameters().BlockInterval),
			"op.withdrawal_period_sec >= d.get_global_properties().parameters.block_interval: ", nil})
}

// expirationOf computes in 32 bits and wraps around, as the reference does.
func expirationOf(begin ledger.Time, periods, seconds uint32) ledger.Time {
	return begin + ledger.Time(periods*seconds)
}

func applyWithdrawCreate(e *Engine, op *ledger.WithdrawPermissionCreateOp) (ledger.OperationResult, *nodeerr.Error) {
	id := e.Permissions.Add(ledger.WithdrawPermission{
		WithdrawFromAccount: op.WithdrawFromAccount, AuthorizedAccount: op.AuthorizedAccount,
		WithdrawalLimit: op.WithdrawalLimit, WithdrawalPeriodSec: op.WithdrawalPeriodSec, PeriodStartTime: op.PeriodStartTime,
		Expiration: expirationOf(op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec),
	})
	return objectResult(id.Object()), nil
}

func validateWithdrawUpdate(op *ledger.WithdrawPermissionUpdateOp) *nodeerr.Error {
	return demand("validate",
		condition{op.WithdrawalLimit.Amount > 0, "withdrawal_limit.amount > 0: ", nil},
		condition{op.WithdrawalPeriodSec > 0, "withdrawal_period_sec > 0: ", nil},
		condition{op.WithdrawFromAccount != op.AuthorizedAccount, "withdraw_from_account != authorized_account: ", nil},
		condition{op.PeriodsUntilExpiration > 0, "periods_until_expiration > 0: ", nil})
}

// verifyPermission checks that a permission exists and is between the two accounts.
func verifyPermission(e *Engine, id ledger.WithdrawPermissionID, from, authorized ledger.AccountID) *nodeerr.Error {
	p := e.Permissions.Get(id)
	if p == nil {
		return nodeerr.NotFound(id.Object())
	}
	return demand("do_evaluate",
		condition{p.AuthorizedAccount == authorized, "permit.authorized_account == op.authorized_account: ", nil},
		condition{p.WithdrawFromAccount == from, "permit.withdraw_from_account == op.withdraw_from_account: ", nil})
}

func evaluateWithdrawUpdate(e *Engine, op *ledger.WithdrawPermissionUpdateOp) *nodeerr.Error {
	if fault := verifyPermission(e, op.PermissionToUpdate, op.WithdrawFromAccount, op.AuthorizedAccount); fault != nil {
		return fault
	}
	return checkPeriods(e, op.WithdrawalLimit.AssetID, op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec,
		condition{op.PeriodStartTime >= e.HeadTime(), "op.period_start_time >= d.head_block_time(): ", nil})
}

// applyWithdrawUpdate does not change what was already claimed in this period.
func applyWithdrawUpdate(e *Engine, op *ledger.WithdrawPermissionUpdateOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Permissions.Change(op.PermissionToUpdate, func(p *ledger.WithdrawPermission) {
		p.PeriodStartTime, p.WithdrawalPeriodSec, p.WithdrawalLimit = op.PeriodStartTime, op.WithdrawalPeriodSec, op.WithdrawalLimit
		p.Expiration = expirationOf(op.PeriodStartTime, op.PeriodsUntilExpiration, op.WithdrawalPeriodSec)
	})
	return voidResult(), nil
}

func validateWithdrawClaim(op *ledger.WithdrawPermissionClaimOp) *nodeerr.Error {
	return demand("validate",
		condition{op.WithdrawToAccount != op.WithdrawFromAccount, "withdraw_to_account != withdraw_from_account: ", nil},
		condition{op.AmountToWithdraw.Amount > 0, "amount_to_withdraw.amount > 0: ", nil})
}

func evaluateWithdrawClaim(e *Engine, op *ledger.WithdrawPermissionClaimOp) *nodeerr.Error {
	p, now, amount := e.Permissions.Get(op.WithdrawPermission), e.HeadTime(), op.AmountToWithdraw
	if p == nil {
		return nodeerr.NotFound(op.WithdrawPermission.Object())
	}
	return demand("do_evaluate",
		condition{p.Expiration > now, "permit.expiration > d.head_block_time(): ", nil},
		condition{p.AuthorizedAccount == op.WithdrawToAccount, "permit.authorized_account == op.withdraw_to_account: ", nil},
		condition{p.WithdrawFromAccount == op.WithdrawFromAccount, "permit.withdraw_from_account == op.withdraw_from_account: ", nil},
		condition{amount.AssetID == p.WithdrawalLimit.AssetID, "a.asset_id == b.asset_id: ", nil},
		condition{amount.Amount <= p.Available(now), "op.amount_to_withdraw <= permit.available_this_period( d.head_block_time() ): ", nil},
		condition{e.Balances.Of(op.WithdrawFromAccount, amount.AssetID) >= amount.Amount,
			"d.get_balance(op.withdraw_from_account, op.amount_to_withdraw.asset_id) >= op.amount_to_withdraw: ", nil})
}

func applyWithdrawClaim(e *Engine, op *ledger.WithdrawPermissionClaimOp) (ledger.OperationResult, *nodeerr.Error) {
	amount, now := op.AmountToWithdraw, e.HeadTime()
	e.Permissions.Change(op.WithdrawPermission, func(p *ledger.WithdrawPermission) { p.Claim(amount.Amount, now) })
	return voidResult(), pay(e.State, op.WithdrawFromAccount, op.WithdrawToAccount, amount)
}

func validateWithdrawDelete(op *ledger.WithdrawPermissionDeleteOp) *nodeerr.Error {
	return demand("validate",
		condition{op.WithdrawFromAccount != op.AuthorizedAccount, "withdraw_from_account != authorized_account: ", nil})
}

func evaluateWithdrawDelete(e *Engine, op *ledger.WithdrawPermissionDeleteOp) *nodeerr.Error {
	return verifyPermission(e, op.WithdrawalPermission, op.WithdrawFromAccount, op.AuthorizedAccount)
}

func applyWithdrawDelete(e *Engine, op *ledger.WithdrawPermissionDeleteOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Permissions.Remove(op.WithdrawalPermission)
	return voidResult(), nil
}

// ExpirePermissions removes the expired permissions. It is due after each block.
func ExpirePermissions(e *Engine) {
	for id, p := range e.Permissions.All() {
		if p.Expiration <= e.HeadTime() {
			e.Permissions.Remove(id)
		}
	}
}

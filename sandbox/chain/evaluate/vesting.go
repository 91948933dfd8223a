package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func vestingRules() []registration {
	return []registration{
		operationRule[*ledger.VestingBalanceCreateOp]{
			validate: validateVestingCreate, evaluate: evaluateVestingCreate, apply: applyVestingCreate,
		},
		operationRule[*ledger.VestingBalanceWithdrawOp]{validate: validateVestingWithdraw, evaluate: evaluateVestingWithdraw,
			apply: applyVestingWithdraw},
	}
}

func validateVestingCreate(op *ledger.VestingBalanceCreateOp) *nodeerr.Error {
	return demand("validate",
		condition{op.Amount.Amount > 0, "amount.amount > 0: ", nil},
		condition{op.Policy.Linear != nil || op.Policy.CoinDays != nil, "policy: there is no such vesting policy", nil})
}

func evaluateVestingCreate(e *Engine, op *ledger.VestingBalanceCreateOp) *nodeerr.Error {
	for _, id := range []ledger.AccountID{op.Creator, op.Owner} {
		if e.Accounts.Get(id) == nil {
			return nodeerr.NotFound(id.Object())
		}
	}
	if e.Assets.Get(op.Amount.AssetID) == nil {
		return nodeerr.NotFound(op.Amount.AssetID.Object())
	}
	return demand("do_evaluate",
		condition{e.Balances.Of(op.Creator, op.Amount.AssetID) >= op.Amount.Amount,
			"d.get_balance( creator_account.id, op.amount.asset_id ) >= op.amount: ", nil})
}

func applyVestingCreate(e *Engine, op *ledger.VestingBalanceCreateOp) (ledger.OperationResult, *nodeerr.Error) {
	if fault := adjust(e.State, op.Creator, op.Amount.AssetID, -op.Amount.Amount); fault != nil {
		return voidResult(), fault
	}
	row := state.VestingBalance{Owner: op.Owner, Balance: op.Amount}
	if p := op.Policy.Linear; p != nil {
		row.Policy.Linear = &state.LinearPolicy{
			BeginTimestamp: p.BeginTimestamp, VestingCliffSeconds: p.VestingCliffSeconds,
			VestingDurationSeconds: p.VestingDurationSeconds, BeginBalance: op.Amount.Amount,
		}
	} else {
		p := op.Policy.CoinDays
		row.Policy.CoinDays = &state.CoinDaysPolicy{
			VestingSeconds: p.VestingSeconds, StartClaim: p.StartClaim, CoinSecondsEarned: "0", LastUpdate: e.HeadTime(),
		}
	}
	return objectResult(e.Vesting.Add(row).Object()), nil
}

func validateVestingWithdraw(op *ledger.VestingBalanceWithdrawOp) *nodeerr.Error {
	return demand("validate", condition{op.Amount.Amount > 0, "amount.amount > 0: ", nil})
}

func evaluateVestingWithdraw(e *Engine, op *ledger.VestingBalanceWithdrawOp) *nodeerr.Error {
	row := e.Vesting.Get(op.VestingBalance)
	if row == nil {
		return nodeerr.NotFound(op.VestingBalance.Object())
	}
	now := e.HeadTime()
	return demand("do_evaluate",
		condition{op.Owner == row.Owner, "op.owner == vbo.owner: ", nodeerr.Data{"op.owner": op.Owner, "vbo.owner": row.Owner}},
		condition{op.Amount.AssetID == row.Balance.AssetID && op.Amount.Amount <= row.Free(now),
			"vbo.is_withdraw_allowed( now, op.amount ): ",
			nodeerr.Data{"now": now, "vbo": row}})
}

func applyVestingWithdraw(e *Engine, op *ledger.VestingBalanceWithdrawOp) (ledger.OperationResult, *nodeerr.Error) {
	now := e.HeadTime()
	e.Vesting.Change(op.VestingBalance, func(v *state.VestingBalance) { v.Withdraw(op.Amount.Amount, now) })
	return voidResult(), adjust(e.State, op.Owner, op.Amount.AssetID, op.Amount.Amount)
}

package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var vestingCreate = touching(typed(validateVestingCreate, (*State).evaluateVestingCreate, (*State).applyVestingCreate),
	func(op *ledger.VestingBalanceCreateOp) []ledger.AccountID { return []ledger.AccountID{op.Owner} })

var vestingWithdraw = typed(validateVestingWithdraw, (*State).evaluateVestingWithdraw, (*State).applyVestingWithdraw)

func validateVestingCreate(op *ledger.VestingBalanceCreateOp) *nodeerr.Fault {
	return demand("validate",
		condition{op.Amount.Amount > 0, "amount.amount > 0: ", nil},
		condition{op.Policy.Linear != nil || op.Policy.CoinDays != nil, "policy: there is no such vesting policy", nil})
}

func (s *State) evaluateVestingCreate(op *ledger.VestingBalanceCreateOp) *nodeerr.Fault {
	for _, id := range []ledger.AccountID{op.Creator, op.Owner} {
		if s.Account(id) == nil {
			return nodeerr.NotFound(id.Object())
		}
	}
	if s.Asset(op.Amount.AssetID) == nil {
		return nodeerr.NotFound(op.Amount.AssetID.Object())
	}
	return demand("do_evaluate",
		condition{s.Balance(op.Creator, op.Amount.AssetID) >= op.Amount.Amount, "d.get_balance( creator_account.id, op.amount.asset_id ) >= op.amount: ", nil})
}

func (s *State) applyVestingCreate(op *ledger.VestingBalanceCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	if fault := s.adjust(op.Creator, op.Amount.AssetID, -op.Amount.Amount); fault != nil {
		return voidResult(), fault
	}
	n := s.vesting.next()
	row := &VestingBalance{ID: ledger.VestingBalanceID(n), Owner: op.Owner, Balance: op.Amount}
	if p := op.Policy.Linear; p != nil {
		row.Policy.Linear = &LinearPolicy{p.BeginTimestamp, p.VestingCliffSeconds, p.VestingDurationSeconds, op.Amount.Amount}
	} else {
		p := op.Policy.CoinDays
		row.Policy.CoinDays = &CoinDaysPolicy{p.VestingSeconds, p.StartClaim, "0", s.HeadTime()}
	}
	s.vesting.insert(row)
	appendKey(&s.j, s.vestingOf, op.Owner, n)
	return objectResult(row.ID.Object()), nil
}

func validateVestingWithdraw(op *ledger.VestingBalanceWithdrawOp) *nodeerr.Fault {
	return demand("validate", condition{op.Amount.Amount > 0, "amount.amount > 0: ", nil})
}

func (s *State) evaluateVestingWithdraw(op *ledger.VestingBalanceWithdrawOp) *nodeerr.Fault {
	row := s.VestingBalance(op.VestingBalance)
	if row == nil {
		return nodeerr.NotFound(op.VestingBalance.Object())
	}
	now := s.HeadTime()
	return demand("do_evaluate",
		condition{op.Owner == row.Owner, "op.owner == vbo.owner: ", nodeerr.Data{"op.owner": op.Owner, "vbo.owner": row.Owner}},
		condition{op.Amount.AssetID == row.Balance.AssetID && op.Amount.Amount <= row.free(now), "vbo.is_withdraw_allowed( now, op.amount ): ", nodeerr.Data{"now": now, "vbo": row}})
}

func (s *State) applyVestingWithdraw(op *ledger.VestingBalanceWithdrawOp) (ledger.OperationResult, *nodeerr.Fault) {
	now := s.HeadTime()
	s.vesting.change(uint64(op.VestingBalance), func(v *VestingBalance) { v.withdraw(op.Amount.Amount, now) })
	return voidResult(), s.adjust(op.Owner, op.Amount.AssetID, op.Amount.Amount)
}

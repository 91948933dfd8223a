package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// allowance lets init0 take 1000 in each period of 100 seconds, 3 times.
func allowance(begin ledger.Time) *ledger.WithdrawPermissionCreateOp {
	return &ledger.WithdrawPermissionCreateOp{
		WithdrawFromAccount: nathanID, AuthorizedAccount: init0ID, WithdrawalLimit: amount(1000, 0),
		WithdrawalPeriodSec: 100, PeriodsUntilExpiration: 3, PeriodStartTime: begin,
	}
}

func claimed(n int64) *ledger.WithdrawPermissionClaimOp {
	return &ledger.WithdrawPermissionClaimOp{WithdrawFromAccount: nathanID, WithdrawToAccount: init0ID, AmountToWithdraw: amount(n, 0)}
}

func TestPermissionLimitsEachPeriod(t *testing.T) {
	b := newBank(t)
	b.fund(init0ID)
	begin := b.now() + 50
	b.by(b.nathan, allowance(begin))
	b.mineAt(begin)
	holder := []ledger.PrivateKey{b.init}
	const over = "op.amount_to_withdraw <= permit.available_this_period( d.head_block_time() )"
	b.refused(b.push(holder, claimed(1001)), nodeerr.CodeAssert, over)
	b.by(b.init, claimed(700))
	b.refused(b.push(holder, claimed(301)), nodeerr.CodeAssert, over)
	b.by(b.init, claimed(300))
	b.mineAt(begin + 99)
	b.refused(b.push(holder, claimed(1)), nodeerr.CodeAssert, over)
	b.mineAt(begin + 100)
	b.by(b.init, claimed(1000))
	b.mineAt(begin + 299)
	b.c.View(func(s *state.State) {
		if p := s.Permissions.Get(0); p.PeriodStartTime != begin+100 || p.ClaimedThisPeriod != 1000 || p.Expiration != begin+300 {
			t.Errorf("the permission is %+v", p)
		}
	})
	b.by(b.init, claimed(1))
	b.mineAt(begin + 300)
	b.c.View(func(s *state.State) {
		if s.Permissions.Get(0) != nil || s.Object(ledger.NewObjectID(1, 8, 0)) != nil {
			t.Error("the permission has not run out")
		}
	})
	b.refused(b.push(holder, claimed(1)), nodeerr.CodeObjectNotFound, "Object ID: 1.8.0")
	b.by(b.nathan, allowance(b.now()+10))
	b.mine()
	b.c.View(func(s *state.State) {
		if s.Permissions.Get(1) == nil {
			t.Error("the number of the permission that ran out was given again")
		}
	})
}

func TestPermissionIsChangedAndTakenBack(t *testing.T) {
	b := newBank(t)
	b.fund(init0ID)
	b.by(b.nathan, allowance(b.now()+50))
	b.mine()
	b.by(b.init, claimed(900)) // before its first period begins, as the node lets it
	begin := b.now() + 10
	b.by(b.nathan, &ledger.WithdrawPermissionUpdateOp{
		WithdrawFromAccount: nathanID, AuthorizedAccount: init0ID, WithdrawalLimit: amount(950, 0),
		WithdrawalPeriodSec: 60, PeriodStartTime: begin, PeriodsUntilExpiration: 2,
	})
	b.mine()
	b.c.View(func(s *state.State) {
		if p := s.Permissions.Get(0); p.Expiration != begin+120 || p.WithdrawalPeriodSec != 60 || p.Available(begin) != 50 ||
			p.Available(begin+60) != 950 {
			t.Errorf("the permission is %+v", p)
		}
	})
	gone := &ledger.WithdrawPermissionDeleteOp{WithdrawFromAccount: nathanID, AuthorizedAccount: init0ID}
	b.by(b.nathan, gone)
	b.mine()
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, gone), nodeerr.CodeObjectNotFound, "Object ID: 1.8.0")
	b.c.View(func(s *state.State) {
		if got := len(s.History.Page(init0ID, 0, 100, 0)); got != 5 {
			t.Errorf("init0 has %d records, want all of the permission", got)
		}
	})
}

func TestPermissionRefusals(t *testing.T) {
	b := newBank(t)
	b.fund(init0ID)
	b.by(b.nathan, allowance(b.now()+50))
	b.mine()
	nathan, holder := []ledger.PrivateKey{b.nathan}, []ledger.PrivateKey{b.init}
	create := func(edit func(*ledger.WithdrawPermissionCreateOp)) *ledger.WithdrawPermissionCreateOp {
		op := allowance(b.now() + 50)
		edit(op)
		return op
	}
	other := claimed(1)
	other.AmountToWithdraw.AssetID = 7
	stranger := claimed(1)
	stranger.WithdrawFromAccount = init1ID
	b.refuses(t, []refusal{
		{"for oneself", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.AuthorizedAccount = nathanID }), nodeerr.CodeValidate,
			"withdraw_from_account != authorized_account"},
		{"nothing", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.WithdrawalLimit.Amount = 0 }), nodeerr.CodeValidate,
			"withdrawal_limit.amount > 0"},
		{"no period", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.WithdrawalPeriodSec = 0 }), nodeerr.CodeValidate,
			"withdrawal_period_sec > 0"},
		{"no periods", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.PeriodsUntilExpiration = 0 }), nodeerr.CodeValidate,
			"periods_until_expiration > 0"},
		{"for nobody", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.AuthorizedAccount = 999 }), nodeerr.CodeAssert,
			"d.find_object(op.authorized_account)"},
		{"no asset", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.WithdrawalLimit.AssetID = 7 }), nodeerr.CodeAssert,
			"d.find_object(op.withdrawal_limit.asset_id)"},
		{"begun", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.PeriodStartTime = b.now() }), nodeerr.CodeAssert,
			"op.period_start_time > d.head_block_time()"},
		{"too often", nathan, create(func(o *ledger.WithdrawPermissionCreateOp) { o.WithdrawalPeriodSec = 1 }), nodeerr.CodeAssert,
			"op.withdrawal_period_sec >= "},
		{"change of nothing", nathan,
			&ledger.WithdrawPermissionUpdateOp{WithdrawFromAccount: nathanID, AuthorizedAccount: init0ID, PermissionToUpdate: 9,
				WithdrawalLimit:        amount(1, 0),
				WithdrawalPeriodSec:    100,
				PeriodsUntilExpiration: 1},
			nodeerr.CodeObjectNotFound,
			"Object ID: 1.8.9"},
		{"change for another", nathan,
			&ledger.WithdrawPermissionUpdateOp{WithdrawFromAccount: nathanID, AuthorizedAccount: init1ID, WithdrawalLimit: amount(1, 0),
				WithdrawalPeriodSec:    100,
				PeriodsUntilExpiration: 1},
			nodeerr.CodeAssert,
			"permit.authorized_account == op.authorized_account"},
		{"other asset", holder, other, nodeerr.CodeAssert, "a.asset_id == b.asset_id"},
		{"from another", holder, stranger, nodeerr.CodeAssert, "permit.withdraw_from_account == op.withdraw_from_account"},
		{"claim of nothing", holder, claimed(0), nodeerr.CodeValidate, "amount_to_withdraw.amount > 0"},
		{"taken back by another", holder, &ledger.WithdrawPermissionDeleteOp{WithdrawFromAccount: init0ID, AuthorizedAccount: nathanID},
			nodeerr.CodeAssert,
			"permit.authorized_account == op.authorized_account"},
	})
}

package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func (b *bank) vest(policy ledger.VestingPolicy, amount int64) {
	b.t.Helper()
	b.must(b.push([]ledger.PrivateKey{b.nathan}, &ledger.VestingBalanceCreateOp{
		Creator: nathanID, Owner: init0ID, Amount: ledger.AssetAmount{Amount: amount}, Policy: policy,
	}))
	b.mine()
}

func take(amount int64) *ledger.VestingBalanceWithdrawOp {
	return &ledger.VestingBalanceWithdrawOp{Owner: init0ID, Amount: ledger.AssetAmount{Amount: amount}}
}

func TestLinearVestingFreesEvenlyAfterTheCliff(t *testing.T) {
	b := newBank(t)
	b.fund(init0ID)
	begin := b.now() + 10
	b.vest(
		ledger.VestingPolicy{Linear: &ledger.LinearVesting{BeginTimestamp: begin, VestingCliffSeconds: 100, VestingDurationSeconds: 1000}},
		5000)
	owner := []ledger.PrivateKey{b.init}
	b.mineAt(begin + 99)
	b.refused(b.push(owner, take(1)), nodeerr.CodeAssert, "vbo.is_withdraw_allowed( now, op.amount )")
	b.mineAt(begin + 200)
	b.refused(b.push(owner, take(1001)), nodeerr.CodeAssert, "vbo.is_withdraw_allowed( now, op.amount )")
	b.must(b.push(owner, take(600)))
	b.must(b.push(owner, take(400)))
	b.refused(b.push(owner, take(1)), nodeerr.CodeAssert, "vbo.is_withdraw_allowed( now, op.amount )")
	b.mineAt(begin + 2000)
	b.must(b.push(owner, take(4000)))
	b.mine()
	b.c.View(func(s *state.State) {
		if v := s.Vesting.OfAccount(init0ID); len(v) != 1 || v[0].Balance.Amount != 0 || v[0].Policy.Linear.BeginBalance != 5000 {
			t.Errorf("left is %+v", v)
		}
		got := marshal(t, s.Vesting.Get(0))
		want := `{"id":"1.9.0","owner":"1.2.4","balance":{"amount":0,"asset_id":"1.3.0"},"policy":[0,{"begin_timestamp":"` +
			begin.String() + `","vesting_cliff_seconds":100,"vesting_duration_seconds":1000,"begin_balance":5000}]}`
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestCoinDaysVestingFreesWhatHasAged(t *testing.T) {
	b := newBank(t)
	b.fund(init0ID)
	begin := b.now()
	b.vest(ledger.VestingPolicy{CoinDays: &ledger.CoinDaysVesting{StartClaim: begin + 50, VestingSeconds: 1000}}, 10000)
	owner := []ledger.PrivateKey{b.init}
	b.mineAt(begin + 50)
	b.refused(b.push(owner, take(1)), nodeerr.CodeAssert, "vbo.is_withdraw_allowed")
	b.mineAt(begin + 100)
	b.refused(b.push(owner, take(1001)), nodeerr.CodeAssert, "vbo.is_withdraw_allowed")
	b.must(b.push(owner, take(400)))
	b.mineAt(begin + 200)
	b.c.View(func(s *state.State) {
		v := s.Vesting.Get(0)
		if p := v.Policy.CoinDays; v.Balance.Amount != 9600 || p.CoinSecondsEarned != "600000" || p.LastUpdate != begin+100 ||
			v.Free(s.HeadTime()) != 600+960 {
			t.Errorf("left is %+v %+v, free %d", v, p, v.Free(s.HeadTime()))
		}
	})
	b.mineAt(begin + 100000)
	b.refused(b.push(owner, take(9601)), nodeerr.CodeAssert, "vbo.is_withdraw_allowed")
	b.must(b.push(owner, take(9600)))
}

func TestVestingRefusals(t *testing.T) {
	b := newBank(t)
	b.fund(init0ID)
	cdd := ledger.VestingPolicy{CoinDays: &ledger.CoinDaysVesting{}}
	b.vest(cdd, 100)
	nathan, owner := []ledger.PrivateKey{b.nathan}, []ledger.PrivateKey{b.init}
	set := func(amount int64, owner ledger.AccountID, policy ledger.VestingPolicy) *ledger.VestingBalanceCreateOp {
		return &ledger.VestingBalanceCreateOp{Creator: nathanID, Owner: owner, Amount: ledger.AssetAmount{Amount: amount}, Policy: policy}
	}
	b.refuses(t, []refusal{
		{"nothing", nathan, set(0, init0ID, cdd), nodeerr.CodeValidate, "amount.amount > 0"},
		{"no policy", nathan, set(1, init0ID, ledger.VestingPolicy{}), nodeerr.CodeValidate, "policy"},
		{"for nobody", nathan, set(1, 999, cdd), nodeerr.CodeObjectNotFound, "Object ID: 1.2.999"},
		{"more than held", nathan, set(2e15, init0ID, cdd), nodeerr.CodeAssert,
			"d.get_balance( creator_account.id, op.amount.asset_id ) >= op.amount"},
		{"take nothing", owner, take(0), nodeerr.CodeValidate, "amount.amount > 0"},
		{"unknown", owner, &ledger.VestingBalanceWithdrawOp{VestingBalance: 7, Owner: init0ID, Amount: ledger.AssetAmount{Amount: 1}},
			nodeerr.CodeObjectNotFound,
			"Object ID: 1.9.7"},
		{"another's", nathan, &ledger.VestingBalanceWithdrawOp{Owner: nathanID, Amount: ledger.AssetAmount{Amount: 1}}, nodeerr.CodeAssert,
			"op.owner == vbo.owner"},
		{"other asset", owner, &ledger.VestingBalanceWithdrawOp{Owner: init0ID, Amount: ledger.AssetAmount{Amount: 1, AssetID: 5}},
			nodeerr.CodeAssert,
			"vbo.is_withdraw_allowed"},
	})
}

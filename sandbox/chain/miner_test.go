package chain

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/produce"
	"billfold/sandbox/chain/state"
)

func TestMinerIsMadeAndChanged(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, &ledger.MinerCreateOp{MinerAccount: nathanID, URL: "http://nathan.example", BlockSigningKey: keyOf("block").Public()})
	nathan := []ledger.PrivateKey{b.nathan}
	url := "http://other.example"
	long := string(make([]byte, 127))
	b.refuses(t, []refusal{
		{"twice", nathan, &ledger.MinerCreateOp{MinerAccount: nathanID}, nodeerr.CodeAssert, "insert_result.second"},
		{"long link", nathan, &ledger.MinerUpdateOp{Miner: 12, MinerAccount: nathanID, NewURL: &long}, nodeerr.CodeValidate, ""},
		{"of another", nathan, &ledger.MinerUpdateOp{Miner: 1, MinerAccount: nathanID, NewURL: &url}, nodeerr.CodeAssert,
			"db().get(op.miner).miner_account == op.miner_account"},
		{"of nobody", nathan, &ledger.MinerUpdateOp{Miner: 99, MinerAccount: nathanID, NewURL: &url}, nodeerr.CodeObjectNotFound,
			"Object ID: 1.4.99"},
	})
	key := keyOf("next").Public()
	b.by(b.nathan, &ledger.MinerUpdateOp{Miner: 12, MinerAccount: nathanID, NewURL: &url, NewSigningKey: &key})
	b.c.View(func(s *state.State) {
		if m := s.Miners.OfAccount(nathanID); m.ID != 12 || m.VoteID != 11<<8 || m.URL != url || m.SigningKey != key ||
			s.Miners.ByVote(m.VoteID) != m {
			t.Errorf("the miner is %+v", m)
		}
	})
}

func TestVotesCountAtTheMaintenance(t *testing.T) {
	b := newBank(t)
	alice := b.register("alice", ledger.SingleKeyAuthority(keyOf("alice").Public()))
	b.fund(alice)
	follow := ledger.NewAccountOptions(keyOf("alice").Public())
	follow.VotingAccount = nathanID
	b.by(keyOf("alice"), &ledger.AccountUpdateOp{Account: alice, NewOptions: &follow})
	b.by(b.nathan, votingFor(b.nathan.Public(), 3, 7))
	b.mine()
	b.c.View(func(s *state.State) {
		actual := produce.ActualVotes(s)
		if actual[0].AccountName != "init3" || actual[1].AccountName != "init7" || s.Miners.Get(4).TotalVotes != 0 {
			t.Errorf("before the maintenance the votes are %v and %d", actual[:2], s.Miners.Get(4).TotalVotes)
		}
	})
	block := b.maintenance()
	b.c.View(func(s *state.State) {
		nathan, lent := s.Balances.Of(nathanID, 0), s.Balances.Of(alice, 0)
		m := s.Miners.Get(4)
		want := fmt.Sprint([]state.VoteGained{{Account: alice, Votes: uint64(lent)}, {Account: nathanID, Votes: uint64(nathan)}})
		if m.TotalVotes != uint64(nathan+lent) || m.VoteRanking != 0 || fmt.Sprint(m.VotesGained) != want ||
			s.Miners.Get(1).VoteRanking != 2 {
			t.Errorf("the miner is %+v", m)
		}
		if st := s.Accounts.Statistics(ledger.AccountStatisticsID(alice)); st.VotingStake != lent || len(st.Votes) != 2 {
			t.Errorf("alice's statistics are %+v", st)
		}
		if auth := s.Accounts.Get(0).Active; len(auth.AccountAuths) != 2 || auth.AccountAuths[0].Account != 7 ||
			auth.AccountAuths[1].Account != 11 || auth.WeightThreshold <= uint32(auth.AccountAuths[0].Weight) {
			t.Errorf("1.2.0 acts by %+v", auth)
		}
		if d := s.Dynamic(); d.NextMaintenanceTime != block.Timestamp+86400 || d.DynamicFlags != 1 ||
			d.AccountsRegisteredThisInterval != 0 {
			t.Errorf("after the maintenance: %+v", d)
		}
	})
	b.mine()
	b.c.View(func(s *state.State) {
		if s.Dynamic().DynamicFlags != 0 {
			t.Error("the flag of the maintenance stays")
		}
	})
}

func TestParametersChangeByProposalAtTheMaintenance(t *testing.T) {
	b := newBank(t)
	b.elect()
	op := &ledger.MinerUpdateGlobalParametersOp{}
	b.c.View(func(s *state.State) { op.NewParameters = s.Global().Parameters })
	op.NewParameters.MaintenanceInterval = 3600
	review := uint32(1209600)
	id := b.propose(1209700, &review, op)
	b.must(b.push([]ledger.PrivateKey{b.nathan, b.init}, approve(nathanID, id, init0ID, init1ID)))
	b.mineAt(b.proposalOf(id).ExpirationTime)
	b.c.View(func(s *state.State) {
		if g := s.Global(); g.PendingParameters == nil || g.Parameters.MaintenanceInterval != 86400 {
			t.Fatalf("the parameters are %+v, and to come %+v", g.Parameters.MaintenanceInterval, g.PendingParameters)
		}
	})
	block := b.maintenance()
	b.c.View(func(s *state.State) {
		if g := s.Global(); g.PendingParameters != nil || g.Parameters.MaintenanceInterval != 3600 ||
			s.Dynamic().NextMaintenanceTime != block.Timestamp+3600 {
			t.Errorf("after the maintenance: %+v", g.Parameters.MaintenanceInterval)
		}
	})
}

// The fees of one interval are paid to the miners of the next, block by block,
// and lie there for a day.
func TestFeesBecomeTheMinersPay(t *testing.T) {
	b := newBank(t)
	op := pay(nathanID, init0ID, 1)
	op.Fee.Amount = 43200 * 1000
	b.by(b.nathan, op)
	b.mine()
	block := b.maintenance()
	b.c.View(func(s *state.State) {
		d, core := s.Dynamic(), s.Assets.Data(0)
		if d.MinerBudgetFromFees != 43200*1000 || d.UnspentFeeBudget != d.MinerBudgetFromFees || core.AssetPool != 0 ||
			core.CurrentSupply != genesis.InitialSupply-43200*1000 {
			t.Errorf("the budget is %+v, the core asset %+v", d, core)
		}
		if info, fault := produce.TimeToMaintenance(s, block.Timestamp+400); fault != nil ||
			info != (produce.MaintenanceInfo{TimeToMaint: 86000, FromAccumulatedFees: 43200 * 1000, BlockInterval: 2}) {
			t.Errorf("the maintenance comes in %+v (%v)", info, fault)
		}
		if _, fault := produce.TimeToMaintenance(s, d.NextMaintenanceTime); fault == nil {
			t.Error("a budget that is not made yet is known")
		}
		if r, ok := s.Object(ledger.NewObjectID(2, 11, 1)).(*state.BudgetRecord); !ok || r.Record.TimeSinceLastBudget == 0 ||
			r.Record.RealSupply != s.RealSupply() {
			t.Errorf("the record is %+v", r)
		}
	})
	made := b.mine()
	miner := made.Miner
	for made = b.mine(); made.Miner != miner; made = b.mine() {
	}
	if made.MinerReward != 1000 {
		t.Errorf("the block shows a reward of %d", made.MinerReward)
	}
	b.c.View(func(s *state.State) {
		m := s.Miners.Get(miner)
		v := s.Vesting.Get(*m.PayVB)
		if v.Owner != m.MinerAccount || v.Balance != amount(2000, 0) || v.Free(s.HeadTime()) != 0 || v.Free(s.HeadTime()+2*86400) != 2000 {
			t.Errorf("the pay is %+v", v)
		}
	})
}

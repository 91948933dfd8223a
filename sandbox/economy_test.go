package sandbox

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/produce"
	"billfold/sandbox/chain/state"
)

const (
	nathanID = ledger.AccountID(16)
	init0ID  = ledger.AccountID(4)
)

// economy is a ledger from the recorded genesis, and nathan who owns much of it.
type economy struct {
	*client
	s      *Sandbox
	nathan ledger.PrivateKey
}

func startEconomy(t *testing.T) *economy {
	t.Helper()
	key, err := ledger.ParseWIF("5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Genesis: readGenesisFile(t)})
	mine(t, s)
	return &economy{client: dial(t, s).enable(), s: s, nathan: key}
}

// do broadcasts operations of nathan's and puts them into a block.
func (e *economy) do(bodies ...ledger.Body) {
	e.t.Helper()
	e.get(nil, "network_broadcast", "broadcast_transaction", e.sign([]ledger.PrivateKey{e.nathan}, bodies...))
	mine(e.t, e.s)
}

func goldOp() *ledger.AssetCreateOp {
	return &ledger.AssetCreateOp{
		Issuer: nathanID, Symbol: "GOLDX", Precision: 4, IsExchangeable: true,
		Options: ledger.AssetOptions{
			MaxSupply: 1_000_0000, IsExchangeable: true,
			CoreExchangeRate: ledger.Price{Base: ledger.AssetAmount{Amount: 100000000},
				Quote: ledger.AssetAmount{Amount: 5000, AssetID: 1}},
			Extensions: []ledger.AssetExtension{{FixedSupply: &ledger.FixedSupply{}}},
		},
	}
}

// A fee in another asset is asked for, offered, and comes out of the pool.
func TestFeeIsPaidInAnotherAsset(t *testing.T) {
	e := startEconomy(t)
	e.do(goldOp(),
		&ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: ledger.AssetAmount{Amount: 100, AssetID: 1}, IssueToAccount: nathanID})
	op := &ledger.TransferOp{From: nathanID, To: init0ID.Object(), Amount: ledger.AssetAmount{Amount: 1}}
	var fees []ledger.AssetAmount
	e.get(&fees, "database", "get_required_fees", []ledger.Operation{ledger.NewOperation(op)}, "1.3.1")
	if fees[0] != (ledger.AssetAmount{Amount: 5, AssetID: 1}) { // 0.001 DCT are 0.0005
		t.Fatalf("the fee is %+v", fees[0])
	}
	op.Fee = fees[0]
	e.do(op)
	var pools []state.AssetData
	e.get(&pools, "database", "get_asset_dynamic_data", []string{"2.3.1"})
	if p := pools[0]; p.AssetPool != 5 || p.CorePool != 250000-100000 || p.CurrentSupply != 100 {
		t.Errorf("the pools are %+v", p)
	}
	var worth ledger.AssetAmount
	e.get(&worth, "database", "price_to_dct", ledger.AssetAmount{Amount: 5000, AssetID: 1})
	if worth != (ledger.AssetAmount{Amount: 100000000}) {
		t.Errorf("5000 are worth %+v", worth)
	}
	e.refused(103, "database", "get_required_fees", []ledger.Operation{ledger.NewOperation(op)}, "1.3.9")
	e.refused(103, "database", "price_to_dct", ledger.AssetAmount{Amount: 1, AssetID: 9})
	e.refused(208, "database", "get_feeds_by_miner", nathanID, 101)
}

func TestProposalsOfAnAccountAreFound(t *testing.T) {
	e := startEconomy(t)
	inner := ledger.NewOperation(&ledger.TransferObsoleteOp{From: init0ID, To: nathanID, Amount: ledger.AssetAmount{Amount: 1}})
	var head ledger.DynamicGlobalProperties
	e.get(&head, 0, "get_dynamic_global_properties")
	e.do(
		&ledger.ProposalCreateOp{FeePayingAccount: nathanID, ExpirationTime: head.Time + 600,
			ProposedOps: []ledger.ProposedOperation{{Op: inner}}})
	e.do(&ledger.ProposalUpdateOp{FeePayingAccount: nathanID, Proposal: 0, ActiveApprovalsToAdd: []ledger.AccountID{nathanID}})
	for id, full := range map[ledger.AccountID]int{init0ID: 1, nathanID: 0, init0ID + 1: 0} {
		var list []state.Proposal
		e.get(&list, "database", "get_proposed_transactions", id)
		if found := id != init0ID+1; (len(list) == 1) != found {
			t.Errorf("the proposals of %s are %v", id, list)
		}
		var accounts []struct {
			_    struct{} `fc:"pair"`
			Name string   `json:"name"`
			Full struct {
				Proposals []state.Proposal `json:"proposals"`
			} `json:"full"`
		}
		e.get(&accounts, "database", "get_full_accounts", []string{id.String()}, false)
		if len(accounts[0].Full.Proposals) != full {
			t.Errorf("%s must approve %v", id, accounts[0].Full.Proposals)
		}
	}
	var objects []*state.Proposal
	e.get(&objects, "database", "get_objects", []string{"1.6.0", "1.6.1"})
	if p := objects[0]; objects[1] != nil || fmt.Sprint(p.RequiredActiveApprovals, p.AvailableActiveApprovals) != "[1.2.4] [1.2.16]" {
		t.Errorf("the objects are %+v", objects)
	}
}

func TestMinersAreFoundByVotes(t *testing.T) {
	e := startEconomy(t)
	options := ledger.NewAccountOptions(e.nathan.Public())
	options.Votes = []ledger.VoteID{3 << 8}
	e.do(&ledger.AccountUpdateOp{Account: nathanID, NewOptions: &options},
		&ledger.MinerCreateOp{MinerAccount: nathanID, URL: "http://nathan.example"})
	search := func(args ...any) (names []string) {
		var found []struct {
			ID    ledger.MinerID `json:"id"`
			Name  string         `json:"name"`
			Voted bool           `json:"voted"`
		}
		e.get(&found, "database", "search_miner_voting", args...)
		for _, m := range found {
			names = append(names, fmt.Sprint(m.ID, m.Name, m.Voted))
		}
		return names
	}
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{"nathan", "", true, "", "", 9}, "[1.4.4init3true]"},
		{[]any{"1.2.16", "init1", false, "-name", "", 9}, "[1.4.11init10false 1.4.2init1false]"},
		{[]any{"", "", false, "-link", "", 1}, "[1.4.12nathanfalse]"},
		{[]any{"", "init", false, "+name", "1.4.9", 2}, "[1.4.9init8false 1.4.10init9false]"},
		{[]any{"", "", false, "", "1.4.99", 9}, "[]"},
		{[]any{"", "INIT", false, "", "", 9}, "[]"},
	} {
		if got := fmt.Sprint(search(c.args...)); got != c.want {
			t.Errorf("%v: got %s, want %s", c.args, got, c.want)
		}
	}
	e.refused(209, "database", "search_miner_voting", "nobody-here", "", false, "", "", 9)
	e.refused(10, "database", "search_miner_voting", "", "", false, "", "x", 9)
	var votes []produce.MinerVotes
	e.get(&votes, "database", "get_actual_votes")
	if len(votes) != 12 || votes[0].AccountName != "init3" || votes[0].Votes != uint64(e.balance(nathanID)) {
		t.Errorf("the votes are %+v", votes)
	}
	var miners []*state.Miner
	e.get(&miners, "database", "lookup_vote_ids", []string{"0:11", "0:12"})
	if miners[0].ID != 12 || miners[1] != nil {
		t.Errorf("the vote ids belong to %v", miners)
	}
	e.refused(208, "database", "lookup_vote_ids", make([]ledger.VoteID, 1001))
}

func TestMinersPayIsToldBeforehand(t *testing.T) {
	e := startEconomy(t)
	var head ledger.DynamicGlobalProperties
	e.get(&head, 0, "get_dynamic_global_properties")
	var info produce.MaintenanceInfo
	e.get(&info, "database", "get_time_to_maint_by_block_time", head.NextMaintenanceTime-60)
	if info != (produce.MaintenanceInfo{TimeToMaint: 60, BlockInterval: 2}) {
		t.Errorf("the maintenance is %+v", info)
	}
	e.refused(10, "database", "get_time_to_maint_by_block_time", head.NextMaintenanceTime)
	e.refused(10, "database", "get_miner_pay_from_fees_by_block_time", head.NextMaintenanceTime)
	for method, args := range map[string][]any{
		"get_miner_pay_from_fees_by_block_time": {head.Time}, "get_new_asset_per_block": nil, "get_asset_per_block_by_block_num": {99999},
	} {
		var amount int64 = -1
		if e.get(&amount, "database", method, args...); amount != 0 {
			t.Errorf("%s: %d", method, amount)
		}
	}
	var made int64
	if e.get(&made, "database", "get_asset_per_block_by_block_num", 100000); made != 37000000 {
		t.Errorf("block 100000 makes %d", made)
	}
}

package history_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/testwallet"
)

// descriptions has a line for each operation and each branch of its text, as the reference words it: code, members, result
// and text; after " | " the text while the wallet is locked, if it is another. The fee is 0.001 DCT unless there is one.
const descriptions = `
0 {"from":"ALICE","to":"BOBBY","amount":{"amount":300000000,"asset_id":"1.3.0"}} -
  Transfer 3 DCT from alice to bobby (Fee: 0.00100000 DCT)
0 {"from":"ALICE","to":"BOBBY","amount":{"amount":12345,"asset_id":"1.3.1"},"memo":OPEN,"fee":{"amount":7,"asset_id":"1.3.1"}} -
  Transfer 1.2345 ALX.GOLD from alice to bobby (Fee: 0.0007 ALX.GOLD) -- Memo: meet at noon | Transfer 1.2345 ALX.GOLD from alice to bobby (Fee: 0.0007 ALX.GOLD) -- Unlock wallet to see memo.
0 {"from":"ALICE","to":"BOBBY","amount":{"amount":20000,"asset_id":"1.3.1"},"memo":FOREIGN} -
  Transfer 2 ALX.GOLD from alice to bobby (Fee: 0.00100000 DCT) -- could not decrypt memo | Transfer 2 ALX.GOLD from alice to bobby (Fee: 0.00100000 DCT) -- Unlock wallet to see memo.
0 {"from":"ALICE","to":"BOBBY","amount":{"amount":1,"asset_id":"1.3.0"},"memo":DAMAGED} -
  Transfer 0.00000001 DCT from alice to bobby (Fee: 0.00100000 DCT) -- could not decrypt memo | Transfer 0.00000001 DCT from alice to bobby (Fee: 0.00100000 DCT) -- Unlock wallet to see memo.
0 {"from":"ALICE","to":"BOBBY","amount":{"amount":1,"asset_id":"1.3.0"},"memo":PLAIN} -
  Transfer 0.00000001 DCT from alice to bobby (Fee: 0.00100000 DCT) -- Memo: plain hello
1 {"registrar":"ALICE","name":"newcomer"} 1.2.99
  Create Account 'newcomer' (Fee: 0.00100000 DCT)
2 {"account":"ALICE"} -
  Update Account 'alice' (Fee: 0.00100000 DCT)
3 {"issuer":"ALICE","symbol":"GOLD"} 1.3.9
  Create Monitored Asset 'GOLD' with issuer alice (Fee: 0.00100000 DCT)
4 {"issuer":"ALICE","issue_to_account":"BOBBY","memo":OPEN} -
  asset_issue_operation alice fee: 0.00100000 DCT
4 {"issuer":"ALICE","issue_to_account":"BOBBY","fee":{"amount":15000,"asset_id":"1.3.1"}} -
  asset_issue_operation alice fee: 1.5000 ALX.GOLD
5 {"publisher":"ALICE"} -
  asset_publish_feed_operation alice fee: 0.00100000 DCT
6 {"miner_account":"ALICE"} 1.4.12
  miner_create_operation alice fee: 0.00100000 DCT   result: 1.4.12
7 {"miner_account":"ALICE"} -
  miner_update_operation alice fee: 0.00100000 DCT
8 {} -
  miner_update_global_parameters_operation MINERS fee: 0.00100000 DCT
9 {"fee_paying_account":"ALICE"} 1.6.0
  proposal_create_operation alice fee: 0.00100000 DCT   result: 1.6.0
10 {"fee_paying_account":"ALICE"} -
  proposal_update_operation alice fee: 0.00100000 DCT
11 {"fee_paying_account":"ALICE"} -
  proposal_delete_operation alice fee: 0.00100000 DCT
12 {"withdraw_from_account":"ALICE"} 1.8.0
  withdraw_permission_create_operation alice fee: 0.00100000 DCT   result: 1.8.0
13 {"withdraw_from_account":"ALICE"} -
  withdraw_permission_update_operation alice fee: 0.00100000 DCT
14 {"withdraw_from_account":"BOBBY","withdraw_to_account":"ALICE"} -
  withdraw_permission_claim_operation alice fee: 0.00100000 DCT
15 {"withdraw_from_account":"ALICE"} -
  withdraw_permission_delete_operation alice fee: 0.00100000 DCT
16 {"creator":"ALICE","owner":"BOBBY"} 1.9.0
  vesting_balance_create_operation alice fee: 0.00100000 DCT   result: 1.9.0
17 {"owner":"ALICE"} -
  vesting_balance_withdraw_operation alice fee: 0.00100000 DCT
18 {"payer":"ALICE","id":2,"data":"00"} -
  (nothing)
18 {"payer":"ALICE","id":1,"data":"MESSAGE"} 2.18.0
  Send message from alice to bobby  (Fee: 0.00100000 DCT)
19 {"fee_paying_account":"ALICE"} -
  assert_operation alice fee: 0.00100000 DCT
20 {"author":"ALICE","URI":"ipfs:Qm1"} 2.13.0
  Submit content by alice -- URI: ipfs:Qm1 (Fee: 0.00100000 DCT)
21 {"consumer":"ALICE","URI":"ipfs:Qm1","price":{"amount":150000000,"asset_id":"1.3.0"}} 2.12.0
  Request to buy by alice -- URI: ipfs:Qm1 -- Price: 150000000 (Fee: 0.00100000 DCT)
22 {"consumer":"ALICE","URI":"ipfs:Qm1","rating":4} -
  alice rated ipfs:Qm1 -- Rating: 4 (Fee: 0.00100000 DCT)
22 {"consumer":"ALICE","URI":"ipfs:Qm1","comment":"fine"} -
  alice commented ipfs:Qm1 -- Comment: fine (Fee: 0.00100000 DCT)
22 {"consumer":"ALICE","URI":"ipfs:Qm1","rating":5,"comment":"very-fine"} -
  alice rated and commented ipfs:Qm1 -- Rating: 5 -- Comment: very-fine (Fee: 0.00100000 DCT)
22 {"consumer":"ALICE","URI":"ipfs:Qm1"} -
  alice rated ipfs:Qm1 -- Rating: 0 (Fee: 0.00100000 DCT)
23 {"seeder":"ALICE"} -
  ready_to_publish_obsolete_operation alice fee: 0.00100000 DCT
24 {"seeder":"ALICE"} -
  proof_of_custody_operation alice fee: 0.00100000 DCT
25 {"seeder":"ALICE"} -
  deliver_keys_operation alice fee: 0.00100000 DCT
26 {"from":"ALICE","to":"BOBBY"} 2.15.0
  subscribe_operation alice fee: 0.00100000 DCT   result: 2.15.0
27 {"from":"ALICE","to":"BOBBY"} 2.15.1
  subscribe_by_author_operation alice fee: 0.00100000 DCT   result: 2.15.1
28 {"consumer":"ALICE"} -
  automatic_renewal_of_subscription_operation alice fee: 0.00100000 DCT
29 {"consumer":"ALICE"} -
  report_stats_operation alice fee: 0.00100000 DCT
30 {"from":"ALICE"} -
  set_publishing_manager_operation alice fee: 0.00100000 DCT
31 {"from":"ALICE"} -
  set_publishing_right_operation alice fee: 0.00100000 DCT
32 {"author":"ALICE"} -
  content_cancellation_operation alice fee: 0.00100000 DCT
33 {"from_account":"ALICE"} -
  asset_fund_pools_operation alice fee: 0.00100000 DCT
34 {"payer":"ALICE"} -
  asset_reserve_operation alice fee: 0.00100000 DCT
35 {"issuer":"ALICE"} -
  asset_claim_fees_operation alice fee: 0.00100000 DCT
36 {"issuer":"ALICE"} -
  update_user_issued_asset_operation alice fee: 0.00100000 DCT
37 {"issuer":"ALICE"} -
  update_monitored_asset_operation alice fee: 0.00100000 DCT
38 {"seeder":"ALICE","space":1024,"price_per_MByte":9} -
  Ready to publish -- Seeder: alice -- space: 1024 -- Price per MB: 9 (Fee: 0.00100000 DCT)
39 {"from":"ALICE","to":"BOBBY","amount":{"amount":12300000,"asset_id":"1.3.0"},"memo":OPEN} -
  Transfer 0.12300000 DCT from alice to bobby (Fee: 0.00100000 DCT) -- Memo: meet at noon | Transfer 0.12300000 DCT from alice to bobby (Fee: 0.00100000 DCT) -- Unlock wallet to see memo.
39 {"from":"ALICE","to":"2.13.7","amount":{"amount":100000000,"asset_id":"1.3.0"}} -
  Transfer 1 DCT from alice to 2.13.7 (Fee: 0.00100000 DCT)
39 {"from":"ALICE","to":"1.2.4000","amount":{"amount":7,"asset_id":"1.3.77"}} -
  Transfer 7 1.3.77 from alice to 1.2.4000 (Fee: 0.00100000 DCT)
40 {"issuer":"ALICE"} -
  update_user_issued_asset_advanced_operation alice fee: 0.00100000 DCT
41 {"symbol":"CARDS","options":{"issuer":"ALICE"}} 1.10.0
  non_fungible_token_create_definition_operation alice fee: 0.00100000 DCT   result: 1.10.0
42 {"current_issuer":"ALICE","nft_id":"1.10.0"} -
  non_fungible_token_update_definition_operation alice fee: 0.00100000 DCT
43 {"issuer":"ALICE","to":"BOBBY","nft_id":"1.10.0"} 1.11.0
  Issue non fungible token CARDS from alice to bobby (Fee: 0.00100000 DCT)
43 {"issuer":"ALICE","to":"BOBBY","nft_id":"1.10.0","memo":OPEN} 1.11.0
  Issue non fungible token CARDS from alice to bobby (Fee: 0.00100000 DCT) -- Memo: meet at noon | Issue non fungible token CARDS from alice to bobby (Fee: 0.00100000 DCT) -- Unlock wallet to see memo.
43 {"issuer":"ALICE","to":"BOBBY","nft_id":"1.10.77","memo":FOREIGN} 1.11.0
  Issue non fungible token 1.10.77 from alice to bobby (Fee: 0.00100000 DCT) -- could not decrypt memo | Issue non fungible token 1.10.77 from alice to bobby (Fee: 0.00100000 DCT) -- Unlock wallet to see memo.
44 {"from":"ALICE","to":"BOBBY","nft_data_id":"1.11.0"} -
  Transfer non fungible token CARDS (1.11.0) from alice to bobby (Fee: 0.00100000 DCT)
44 {"from":"ALICE","to":"BOBBY","nft_data_id":"1.11.0","memo":OPEN,"fee":{"amount":5,"asset_id":"1.3.1"}} -
  Transfer non fungible token CARDS (1.11.0) from alice to bobby (Fee: 0.0005 ALX.GOLD) -- Memo: meet at noon | Transfer non fungible token CARDS (1.11.0) from alice to bobby (Fee: 0.0005 ALX.GOLD) -- Unlock wallet to see memo.
44 {"from":"ALICE","to":"BOBBY","nft_data_id":"1.11.77","memo":DAMAGED} -
  Transfer non fungible token 1.11.77 from alice to bobby (Fee: 0.00100000 DCT) -- could not decrypt memo | Transfer non fungible token 1.11.77 from alice to bobby (Fee: 0.00100000 DCT) -- Unlock wallet to see memo.
44 {"from":"ALICE","to":"1.2.1","nft_data_id":"1.11.0"} -
  Transfer non fungible token CARDS (1.11.0) from alice to NOBODY (Fee: 0.00100000 DCT)
45 {"modifier":"ALICE","nft_data_id":"1.11.0"} -
  non_fungible_token_update_data_operation alice fee: 0.00100000 DCT
46 {"consumer":"ALICE","fee":{"amount":0,"asset_id":"1.3.0"}} -
  disallow_automatic_renewal_of_subscription_operation alice fee: 0 DCT
47 {"author":"ALICE","fee":{"amount":0,"asset_id":"1.3.0"}} -
  return_escrow_submission_operation alice fee: 0 DCT
48 {"consumer":"ALICE","fee":{"amount":0,"asset_id":"1.3.0"}} -
  return_escrow_buying_operation alice fee: 0 DCT
49 {"author":"ALICE","seeder":"BOBBY","fee":{"amount":0,"asset_id":"1.3.0"}} -
  pay_seeder_operation alice fee: 0 DCT
50 {"author":"ALICE","consumer":"BOBBY","fee":{"amount":0,"asset_id":"1.3.0"}} -
  finish_buying_operation alice fee: 0 DCT
51 {"consumer":"ALICE","fee":{"amount":0,"asset_id":"1.3.0"}} -
  renewal_of_subscription_operation alice fee: 0 DCT
52 {} -
  operation_52
`

// Every operation of the ledger has its line, and one that is new to the ledger needs one.
func TestEveryOperationIsDescribedAsTheReferenceDoes(t *testing.T) {
	s := testwallet.New(t, nil)
	s.Hold("alice", "bobby")
	s.Furnish()
	memo := func(m *ledger.Memo) string {
		text, err := codec.Marshal(m)
		must(t, err)
		return string(text)
	}
	damaged := encrypted(t, keyOf("alice"), keyOf("bobby"), "meet at noon")
	damaged.Nonce++
	bobby := s.Account("bobby").ID.String()
	words := strings.NewReplacer("ALICE", s.Account("alice").ID.String(), "BOBBY", bobby,
		"OPEN", memo(encrypted(t, keyOf("alice"), keyOf("bobby"), "meet at noon")), "DAMAGED", memo(damaged),
		"FOREIGN", memo(encrypted(t, keyOf("carol"), keyOf("faucet"), "meet at noon")),
		"PLAIN", memo(&ledger.Memo{Message: ledger.Bytes("\x00\x00\x00\x00plain hello")}),
		"MESSAGE", fmt.Sprintf("%x", `{"from":"1.2.0","receivers_data":[{"to":"`+bobby+`","data":"00000000706c61696e2068656c6c6f"}]}`),
		"MINERS", s.Account("1.2.0").Name, "NOBODY", s.Account("1.2.1").Name)
	var rows []json.RawMessage
	var want, locked []string
	described := map[ledger.OpCode]bool{}
	lines := strings.Split(strings.Trim(descriptions, "\n"), "\n")
	for pair := range slices.Chunk(lines, 2) {
		var code ledger.OpCode
		given := strings.Fields(pair[0])
		_, err := fmt.Sscan(given[0], &code)
		must(t, err)
		described[code] = true
		members, result := given[1], "[0,{}]"
		if !strings.Contains(members, `"fee":`) && code != 52 {
			members = strings.Replace(strings.Replace(members, `{`, `{"fee":{"amount":100000,"asset_id":"1.3.0"},`, 1), ",}", "}", 1)
		}
		if given[2] != "-" {
			result = `[1,"` + given[2] + `"]`
		}
		rows = append(rows, json.RawMessage(fmt.Sprintf(
			`{"id":"1.7.%d","op":[%d,%s],"result":%s,"block_num":1,"trx_in_block":0,"op_in_trx":0,"virtual_op":0}`,
			len(rows)+1, code, words.Replace(members), result)))
		open, shut, other := strings.Cut(strings.Replace(words.Replace(strings.TrimSpace(pair[1])), "(nothing)", "", 1), " | ")
		if !other {
			shut = open
		}
		want, locked = append(want, open), append(locked, shut)
	}
	for _, code := range ledger.OpCodes() {
		if !described[code] {
			t.Errorf("%s has no line", ledger.OpName(code))
		}
	}
	compare := func(state string, want []string) {
		got, err := s.History.Describe(s.Ctx, rows)
		must(t, err)
		for i, row := range got {
			if row.Description != want[i] {
				t.Errorf("%s: %s\n got %q\nwant %q", state, rows[i], row.Description, want[i])
			}
		}
	}
	compare("unlocked", want)
	s.Vault.Lock()
	compare("locked", locked)
}

package daemonclient

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// answered is one method with parameters, an answer that fits and answers that do not.
type answered struct {
	params, fits string
	lies         []string
}

const (
	testAccount = `{"id":"1.2.17","name":"alice"}`
	testAsset   = `{"id":"1.3.1","symbol":"GOLDX","precision":4}`
	testDCT     = `{"id":"1.3.0","symbol":"DCT","precision":8}`
	testHash    = `"640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82"`
	testTx      = `{"ref_block_num":1,"ref_block_prefix":2,"expiration":"2026-01-01T00:00:00","operations":[],"extensions":[],"signatures":[]}`
	testKey     = `"DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"`
	otherKey    = `"DCT7zsqi7QUAjTAdyynd6DVe8uv4K8gCTRHnAoMN9w9CA1xLCTDVv"`
	fifth       = `"0000000500000000000000000000000000000000"`
	headerAt6   = `{"previous":` + fifth + `,"timestamp":"2026-01-01T00:00:00","miner":"1.4.1",` +
		`"transaction_merkle_root":"0000000000000000000000000000000000000000","extensions":[]}`
	transferOp  = `[0,{"from":"1.2.17","to":"1.2.18","amount":{"amount":1,"asset_id":"1.3.0"}}]`
	foreignOp   = `[0,{"from":"1.2.19","to":"1.2.18","amount":{"amount":1,"asset_id":"1.3.0"}}]`
	testToken   = `{"id":"1.11.1","nft_id":"1.10.1","owner":"1.2.17","data":[]}`
	testVesting = `{"id":"1.9.1","owner":"1.2.17","balance":{"amount":5,"asset_id":"1.3.0"}}`
	testFeed    = `["2026-01-01T00:00:00",{"core_exchange_rate":{"base":{"amount":1,"asset_id":"1.3.0"},"quote":{"amount":1,"asset_id":"1.3.1"}}}]`
	dynamicAt6  = `{"id":"2.1.0","head_block_number":6,"head_block_id":"0000000600000000000000000000000000000000",` +
		`"time":"2026-01-01T00:00:00","last_irreversible_block_num":5}`
	globalOf = `{"id":"2.0.0","parameters":{"block_interval":5},"active_miners":["1.4.1","1.4.2"]}`
)

// block6 is block 6 with the id that its header has.
func block6(t testing.TB) string {
	var header ledger.SignedBlockHeader
	if err := codec.Unmarshal([]byte(headerAt6), &header); err != nil {
		t.Fatal(err)
	}
	id, err := header.ID()
	if err != nil {
		t.Fatal(err)
	}
	signed, err := codec.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(signed), "}") + `,"transactions":[],"block_id":"` + id.String() + `","transaction_ids":[]}`
}

func txID(t testing.TB, text string) string {
	id, err := transactionID([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return `"` + id.String() + `"`
}

func record(id, op string) string { return `{"id":"` + id + `","op":` + op + `,"block_num":1}` }

func detailAt(day string) string {
	return `{"id":"2.17.` + day[1:] + `","m_from_account":"1.2.17","m_to_account":"1.2.18","m_timestamp":"2026-01-` + day + `T00:00:00"}`
}

func changeBy(id string) string {
	return `{"hist_object":` + record(id, transferOp) + `,"balance":{},"fee":{"amount":1,"asset_id":"1.3.0"}}`
}

// answers has a row for every method that can be called.
func answers(t testing.TB) map[Set]map[string]answered {
	number := answered{`[]`, `7`, []string{`-1`, `"x"`, `null`, `{}`, `99999999999999999999`}}
	some := answered{`[]`, `{"a":1}`, []string{`[]`, `null`, `7`, `{"a":1,"a":2}`, `{"\u0061":1}`}}
	nothing := answered{`[]`, `null`, []string{`true`, `{}`, `"0"`}}
	block := block6(t)
	tx := txID(t, testTx)
	other := strings.Replace(testTx, `"ref_block_num":1`, `"ref_block_num":2`, 1)
	var given ledger.SignedTransaction
	if err := codec.Unmarshal([]byte(testTx), &given); err != nil {
		t.Fatal(err)
	}
	packed, err := given.Pack()
	if err != nil {
		t.Fatal(err)
	}
	history := []string{
		`[` + record("1.7.9", transferOp) + `,` + record("1.7.8", transferOp) + `,` + record("1.7.7", transferOp) + `]`, // too many
		`[` + record("1.7.8", transferOp) + `,` + record("1.7.9", transferOp) + `]`,
		`[` + record("1.7.9", transferOp) + `,` + record("1.7.9", transferOp) + `]`,
		`[` + record("1.7.9", foreignOp) + `]`, `[` + record("1.2.9", transferOp) + `]`, `[null]`, `null`, `{}`,
	}
	all := map[Set]map[string]answered{
		Login: {
			"login": {
				`["",""]`, `true`, []string{`null`, `1`, `"true"`},
			},
			"database":          number,
			"history":           number,
			"network_broadcast": number,
			"network_node":      number,
			"crypto":            number,
			"messaging":         number,
			"monitoring":        number,
		},
		Database: {
			"about": some, "get_configuration": some, "get_account_count": number, "set_block_applied_callback": nothing,
			"get_chain_id":         {`[]`, testHash, []string{`"640b"`, `null`, `7`, `""`}},
			"get_chain_properties": {`[]`, `{"id":"2.9.0"}`, []string{`{"id":"2.9.1"}`, `{}`, `null`}},
			"head_block_time":      {`[]`, `"2026-01-01T00:00:00"`, []string{`null`, `"tomorrow"`, `{}`}},
			"get_global_properties": {`[]`, globalOf, []string{
				strings.Replace(globalOf, "2.0.0", "2.1.0", 1),
				strings.Replace(globalOf, "1.4.2", "1.4.1", 1),
				strings.Replace(globalOf, ":5", ":0", 1),
			}},
			"get_dynamic_global_properties": {
				`[]`,
				dynamicAt6,
				[]string{
					strings.Replace(dynamicAt6, "2.1.0", "2.0.0", 1),
					strings.Replace(dynamicAt6, `"head_block_number":6`, `"head_block_number":7`, 1),
					strings.Replace(dynamicAt6, `num":5`, `num":7`, 1),
				},
			},
			"get_objects": {
				`[["1.2.17","1.3.0","1.10.0","2.5.17"]]`,
				`[` + testAccount + `,` + testDCT + `,null,{"id":"2.5.17"}]`,
				[]string{
					`[` + testAccount + `,` + testDCT + `,null]`,
					`[` + testAccount + `,` + testDCT + `,{"id":"1.10.0","symbol":"a b"},null]`,
					`[` + testAccount + `,` + testDCT + `,null,{"id":"2.5.18"}]`,
					`[{"id":"1.2.17","name":"ALICE"},null,null,null]`,
					`[{"id":"1.2.17","name":"ali\u001bce"},null,null,null]`, `[{"id":"1.2.17"},null,null,null]`,
					`[null,{"id":"1.3.0","symbol":"DCT","precision":4},null,null]`,
					`[null,{"id":"1.3.0","symbol":"DCTX","precision":8},null,null]`,
					`[{"id":"1.2.19","id":"1.2.17","name":"alice"},null,null,null]`,
					`[{"\u0069d":"1.2.19","id":"1.2.17","name":"alice"},null,null,null]`, `{}`, `null`, `[]`,
				},
			},
			"get_accounts": {`[["1.2.17","1.2.18"]]`, `[` + testAccount + `,null]`, []string{
				`[null,` + testAccount + `]`,
				`[` + testAccount + `]`,
				`[` + testAccount + `,null,null]`,
			}},
			"lookup_account_names": {`[["alice","bobby"]]`, `[` + testAccount + `,null]`, []string{
				`[null,` + testAccount + `]`,
				`[{"id":"1.3.17","name":"alice"},null]`,
				`[{"id":"1.2.17","name":"al"},null]`,
				`[{"name":"alice"},null]`,
				`[null]`,
			}},
			"lookup_accounts": {`["alice",2]`, `[["alice","1.2.17"],["bobby","1.2.18"]]`, []string{
				`[["bobby","1.2.18"],["alice","1.2.17"]]`,
				`[["aaron","1.2.16"]]`,
				`[["alice","1.2.17"],["alice","1.2.18"]]`,
				`[["alice","1.2.17"],["bobby","1.2.17"]]`,
				`[["alice","1.2.17"],["bobby","1.2.18"],["carol","1.2.19"]]`, `[["alice","1.3.17"]]`, `[["Alice","1.2.17"]]`, `[["alice"]]`, `null`,
			}},
			"get_account_balances": {`["1.2.17",["1.3.0","1.3.1"]]`, `[{"amount":1,"asset_id":"1.3.0"},{"amount":"4294967296","asset_id":"1.3.1"}]`, []string{
				`[{"amount":1,"asset_id":"1.3.1"},{"amount":1,"asset_id":"1.3.0"}]`,
				`[{"amount":1,"asset_id":"1.3.0"}]`,
				`[{"amount":-1,"asset_id":"1.3.0"},{"amount":1,"asset_id":"1.3.1"}]`,
				`[{"amount":1,"asset_id":"1.3.0"},{"amount":1}]`, `[{"asset_id":"1.3.0"},{"amount":1,"asset_id":"1.3.1"}]`, `[]`,
			}},
			"get_key_references": {`[[` + testKey + `]]`, `[["1.2.17","1.2.18"]]`, []string{
				`[]`,
				`[["1.2.17","1.2.17"]]`,
				`[["1.3.17"]]`,
				`[["1.2.17"],[]]`,
				`[null]`,
			}},
			"list_operations": {`[]`, `[{"id":0,"name":"a_operation","current_fees":[0,{"fee":1}]},{"id":2,"name":"b_operation","current_fees":[2,{"fee":1}]}]`, []string{
				`[{"id":2,"name":"a_operation","current_fees":[2,{}]},{"id":0,"name":"b_operation","current_fees":[0,{}]}]`,
				`[{"id":0,"name":"a_operation","current_fees":[1,{"fee":1}]}]`, `[{"id":0,"name":7,"current_fees":[0,{}]}]`,
				`[{"id":-1,"name":"a","current_fees":[-1,{}]}]`, `[{"id":0,"name":"a_operation","current_fees":[0]}]`, `[{"id":0,"name":"a_operation","current_fees":[0,7]}]`, `{}`,
			}},
			"search_accounts": {`["ALI","-name","0.0.0",2]`, `[{"id":"1.2.18","name":"malice"},` + testAccount + `]`, []string{
				`[` + testAccount + `,{"id":"1.2.18","name":"malice"}]`, `[{"id":"1.2.18","name":"bobby"}]`, `[` + testAccount + `,` + testAccount + `]`,
				`[{"id":"1.3.18","name":"malice"}]`, `[{"id":"1.2.18","name":"ALICE"}]`, `[{"name":"alice"}]`, `[null]`, `{}`,
				`[{"id":"1.2.18","name":"malice"},` + testAccount + `,{"id":"1.2.16","name":"aaalice"}]`,
			}},
			"search_account_history": {`["1.2.17","","0.0.0",2]`, `[` + detailAt("02") + `,` + detailAt("01") + `]`, []string{
				`[` + detailAt("01") + `,` + detailAt("02") + `]`, `[` + detailAt("03") + `,` + detailAt("02") + `,` + detailAt("01") + `]`,
				`[` + strings.Replace(detailAt("01"), "1.2.17", "1.2.19", 1) + `]`, `[null]`, `null`, `[7]`,
			}},
			"get_proposed_transactions": {
				`["1.2.17"]`,
				`[{"id":"1.6.0","required_active_approvals":["1.2.17"]},{"id":"1.6.1","available_active_approvals":["1.2.17"]}]`,
				[]string{
					`[{"id":"1.6.0","required_active_approvals":["1.2.18"]}]`, `[{"id":"1.5.0","required_active_approvals":["1.2.17"]}]`,
					`[{"id":"1.6.0","required_active_approvals":["1.2.17"]},{"id":"1.6.0","required_active_approvals":["1.2.17"]}]`, `[null]`, `{}`, `[{}]`,
				},
			},
			"price_to_dct": {
				`[{"amount":10,"asset_id":"1.3.1"}]`, `{"amount":5,"asset_id":"1.3.0"}`,
				[]string{`{"amount":5,"asset_id":"1.3.1"}`, `{"amount":-5,"asset_id":"1.3.0"}`, `null`, `5`},
			},
			"get_real_supply": {`[]`, `{"account_balances":"5130608937456900","vesting_balances":0,"escrows":0,"pools":0}`, []string{
				`{"account_balances":1,"vesting_balances":0,"escrows":0}`, `{"account_balances":-1,"vesting_balances":0,"escrows":0,"pools":0}`, `null`, `[]`,
			}},
			"list_non_fungible_tokens": {`["A",2]`, `[{"id":"1.10.1","symbol":"CARDS"},{"id":"1.10.0","symbol":"DECKS"}]`, []string{
				`[{"id":"1.10.0","symbol":"DECKS"},{"id":"1.10.1","symbol":"CARDS"}]`, `[{"id":"1.10.1","symbol":"CARDS"},{"id":"1.10.1","symbol":"DECKS"}]`,
				`[{"id":"1.3.1","symbol":"CARDS"}]`, `[{"id":"1.10.1","symbol":"cards"}]`, `[null]`, `null`,
				`[{"id":"1.10.1","symbol":"CARDS"},{"id":"1.10.0","symbol":"DECKS"},{"id":"1.10.2","symbol":"EEK"}]`,
			}},
			"get_non_fungible_tokens": {
				`[["1.10.1"]]`, `[{"id":"1.10.1","symbol":"CARDS"}]`,
				[]string{`[{"id":"1.10.2","symbol":"CARDS"}]`, `[]`, `[{"id":"1.10.1","symbol":"a b"}]`},
			},
			"get_non_fungible_tokens_by_symbols": {`[["CARDS","NOPE"]]`, `[{"id":"1.10.1","symbol":"CARDS"},null]`, []string{
				`[null,{"id":"1.10.1","symbol":"CARDS"}]`, `[{"id":"1.10.1","symbol":"CARDS"}]`, `[{"id":"1.3.1","symbol":"CARDS"},null]`, `null`,
			}},
			"get_non_fungible_token_data": {`[["1.11.1"]]`, `[{"id":"1.11.1"}]`, []string{`[{"id":"1.11.2"}]`, `[]`, `[{}]`}},
			"list_non_fungible_token_data": {`["1.10.1"]`, `[` + testToken + `]`, []string{
				`[` + testToken + `,` + testToken + `]`, `[` + strings.Replace(testToken, "1.10.1", "1.10.2", 1) + `]`,
				`[` + strings.Replace(testToken, "1.11.1", "1.10.1", 1) + `]`, `[` + strings.Replace(testToken, "1.2.17", "1.3.17", 1) + `]`, `[null]`, `null`,
			}},
			"get_non_fungible_token_summary": {`["1.2.17"]`, `[["1.10.0",1],["1.10.1",2]]`, []string{
				`[["1.10.0",0]]`, `[["1.10.0",1],["1.10.0",2]]`, `[["1.11.0",1]]`, `[["1.10.0"]]`, `[["1.10.0",-1]]`, `null`,
			}},
			"get_non_fungible_token_balances": {`["1.2.17",["1.10.1"]]`, `[` + testToken + `]`, []string{
				`[` + testToken + `,` + testToken + `]`, `[` + strings.Replace(testToken, "1.10.1", "1.10.2", 1) + `]`,
				`[` + strings.Replace(testToken, "1.2.17", "1.2.18", 1) + `]`, `[null]`, `null`,
			}},
			"search_non_fungible_token_history": {`["1.11.1"]`, `[{"id":"2.17.1","m_nft_data_id":"1.11.1"}]`, []string{
				`[{"id":"2.17.1","m_nft_data_id":"1.11.2"}]`, `[{"id":"2.17.1"}]`, `[null]`, `null`,
			}},
			"lookup_miner_accounts": {`["init0",2]`, `[["init0","1.4.1"],["init1","1.4.2"]]`, []string{
				`[["init1","1.4.2"],["init0","1.4.1"]]`, `[["init0","1.4.1"],["init1","1.4.1"]]`, `[["init0","1.2.1"]]`, `[["INIT0","1.4.1"]]`, `[["abc","1.4.1"]]`,
				`[["init0","1.4.1"],["init1","1.4.2"],["init2","1.4.3"]]`, `[["init0"]]`, `null`,
			}},
			"get_miner_by_account": {
				`["1.2.17"]`, `{"id":"1.4.1","miner_account":"1.2.17"}`,
				[]string{`{"id":"1.4.1","miner_account":"1.2.18"}`, `{"id":"1.2.1","miner_account":"1.2.17"}`, `[]`, `{}`},
			},
			"get_miners": {
				`[["1.4.1","1.4.2"]]`, `[{"id":"1.4.1"},null]`,
				[]string{`[null,{"id":"1.4.1"}]`, `[{"id":"1.4.1"}]`, `null`},
			},
			"search_miner_voting": {`["alice","init",true,"","",2]`, `[{"id":"1.4.1","name":"init0","voted":true}]`, []string{
				`[{"id":"1.4.1","name":"init0","voted":false}]`, `[{"id":"1.4.1","name":"other","voted":true}]`, `[{"id":"1.2.1","name":"init0","voted":true}]`,
				`[{"id":"1.4.1","name":"init0","voted":true},{"id":"1.4.1","name":"init1","voted":true}]`, `[{"id":"1.4.1","name":"init0"}]`, `[{"id":"1.4.1","name":"init 0","voted":true}]`,
				`[{"id":"1.4.1","name":"init0","voted":true},{"id":"1.4.2","name":"init1","voted":true},{"id":"1.4.3","name":"init2","voted":true}]`, `null`,
			}},
			"get_vesting_balances": {`["1.2.17"]`, `[` + testVesting + `]`, []string{
				`[` + testVesting + `,` + testVesting + `]`, `[` + strings.Replace(testVesting, "1.2.17", "1.2.18", 1) + `]`,
				`[` + strings.Replace(testVesting, "1.9.1", "1.8.1", 1) + `]`, `[` + strings.Replace(testVesting, ":5", ":-5", 1) + `]`, `[null]`, `null`,
			}},
			"get_feeds_by_miner": {
				`["1.2.17",1]`, `[` + testFeed + `]`,
				[]string{`[` + testFeed + `,` + testFeed + `]`, `[["2026-01-01T00:00:00",{}]]`, `[["now",{}]]`, `[[]]`, `null`},
			},
			"get_account_references": {`["1.2.17"]`, `["1.2.18"]`, []string{`["1.2.18","1.2.18"]`, `["1.4.1"]`, `[17]`, `null`}},
			"get_assets": {`[["1.3.1","1.3.0"]]`, `[` + testAsset + `,` + testDCT + `]`, []string{
				`[` + testDCT + `,` + testAsset + `]`,
				`[{"id":"1.3.1","symbol":"GOLDX","precision":13},null]`,
				`[{"id":"1.3.1","symbol":"GOLDX","precision":-1},null]`,
				`[{"id":"1.3.1","symbol":"GOLDX"},null]`,
				`[{"id":"1.3.1","symbol":"DCT","precision":8},null]`,
				`[{"id":"1.3.1","symbol":"gold","precision":8},null]`,
			}},
			"lookup_asset_symbols": {`[["GOLDX","1.3.0","NOPE"]]`, `[` + testAsset + `,` + testDCT + `,null]`, []string{
				`[` + testDCT + `,` + testAsset + `,null]`,
				`[` + testAsset + `,` + testDCT + `]`,
				`[null,null,` + testAsset + `]`,
				`[{"symbol":"GOLDX","precision":4},null,null]`,
			}},
			"list_assets": {`["A",2]`, `[` + testDCT + `,` + testAsset + `]`, []string{
				`[` + testAsset + `,` + testDCT + `]`,
				`[` + testDCT + `,` + testDCT + `]`,
				`[` + testDCT + `,` + testAsset + `,{"id":"1.3.2","symbol":"ZZZ","precision":1}]`,
				`[` + testAsset + `,{"id":"1.3.1","symbol":"ZZZ","precision":1}]`,
			}},
			"get_asset_dynamic_data": {`[["2.3.1"]]`, `[{"id":"2.3.1"}]`, []string{`[{"id":"2.3.2"}]`, `[]`, `[{}]`}},
			"get_block": {`[6]`, block, []string{
				strings.Replace(block, `"0000000500`, `"0000000400`, 1),
				strings.Replace(block, "2026-01", "2026-02", 1),
				strings.Replace(block, `"transactions":[]`, `"transactions":[{}]`, 1),
				strings.Replace(block, `"block_id":"00000006`, `"block_id":"00000007`, 1), headerAt6, `[]`,
			}},
			"get_block_header": {`[6]`, headerAt6, []string{strings.Replace(headerAt6, "00000005", "00000006", 1), `{}`, `7`}},
			"get_block_headers": {
				`[5,3]`,
				`[` + strings.Replace(headerAt6, "00000005", "00000004", 1) + `,` + headerAt6 + `,null]`,
				[]string{
					`[` + headerAt6 + `,null,null]`, `[null,` + headerAt6 + `,null]`, `[null,null]`, `null`,
				},
			},

			"get_transaction_by_id": {`[` + tx + `]`, testTx, []string{other, `{}`, `[]`}},
			"get_transaction":       {`[6,0]`, testTx, []string{`null`, `[]`, `7`}},
			"get_required_signatures": {`[` + testTx + `,[` + testKey + `]]`, `[` + testKey + `]`, []string{
				`[` + otherKey + `]`,
				`[` + testKey + `,` + testKey + `]`,
				`null`,
			}},
			"get_potential_signatures": {`[` + testTx + `]`, `[` + otherKey + `]`, []string{`["DCT6"]`, `[7]`, `null`}},
			"validate_transaction":     {`[` + testTx + `]`, testTx, []string{other, `null`}},
			"get_required_fees": {`[[[0,{}],[22,{}]],"1.3.0"]`, `[{"amount":1,"asset_id":"1.3.0"},[{"amount":1,"asset_id":"1.3.0"},[{"amount":2,"asset_id":"1.3.0"}]]]`, []string{
				`[{"amount":1,"asset_id":"1.3.0"}]`,
				`[{"amount":1,"asset_id":"1.3.1"},{"amount":1,"asset_id":"1.3.0"}]`,
				`[{"amount":-1,"asset_id":"1.3.0"},{"amount":1,"asset_id":"1.3.0"}]`,
				`[{"amount":1,"asset_id":"1.3.0"},[{"amount":1,"asset_id":"1.3.0"},[{"amount":2,"asset_id":"1.3.1"}]]]`, `[null,null]`,
			}},
			"get_transaction_hex": {`[` + testTx + `]`, `"` + hex.EncodeToString(packed) + `"`, []string{`"00"`, `null`, `7`}},
		},
		History: {
			"get_account_history": {
				`["1.2.17","1.7.5",2,"1.7.9"]`,
				`[` + record("1.7.9", transferOp) + `,` + record("1.7.8", transferOp) + `]`,
				append(history, `[`+record("1.7.10", transferOp)+`]`, `[`+record("1.7.5", transferOp)+`]`),
			},
			"get_relative_account_history": {
				`["1.2.17",5,2,9]`, `[` + record("1.7.9", transferOp) + `,` + record("1.7.8", transferOp) + `]`,
				history,
			},
			"search_account_balance_history": {
				`["1.2.17",[],null,1,2,0,2]`,
				`[` + changeBy("1.7.9") + `,` + changeBy("1.7.8") + `]`,
				[]string{
					`[` + changeBy(
						"1.7.8") + `,` + changeBy(
						"1.7.9",
					) + `]`, `[` + changeBy("1.7.9") + `,` + changeBy("1.7.8") + `,` + changeBy("1.7.7") + `]`,
					`[` + strings.Replace(changeBy("1.7.9"), `"block_num":1`, `"block_num":3`,
						1) + `]`, `[` + strings.Replace(changeBy("1.7.9"), transferOp, foreignOp, 1) + `]`,
					`[{}]`, `[null]`, `null`, `[` + changeBy("1.2.9") + `]`,
				},
			},
			"get_account_balance_for_transaction": {`["1.2.17","1.7.9"]`, changeBy("1.7.8"), []string{
				changeBy("1.7.10"), strings.Replace(changeBy("1.7.9"), transferOp, foreignOp, 1), `{}`, `[]`, `{"hist_object":{"id":"1.7.9"}}`,
			}},
		},
		NetworkNode: {"add_node": nothing, "get_connected_peers": {`[]`, `[{"host":"1.2.3.4:5"}]`, []string{`[7]`, `null`, `{}`}}},
		Monitoring: {
			"reset_counters": nothing,
			"get_counters": {`[["a","b"]]`, `[{"name":"a","value":1,"last_reset":0,"persistent":true}]`, []string{
				`[{"name":"c","value":1,"last_reset":0}]`, `[{"name":"a","last_reset":0},{"name":"a","last_reset":0}]`, `[{"name":"a"}]`, `[{"last_reset":0}]`, `null`,
			}},
		},
		NetworkBroadcast: {"broadcast_transaction": nothing, "broadcast_transaction_with_callback": nothing},
	}
	for set, methods := range contentAnswers() {
		if all[set] == nil {
			all[set] = map[string]answered{}
		}
		maps.Copy(all[set], methods)
	}
	return all
}

// callOf is a call as if it had been sent.
func callOf(t testing.TB, set Set, method, params string) *call {
	t.Helper()
	r := request{set: set, method: method, plain: []byte(params)}
	rule, err := ruleOf(r)
	if err != nil {
		t.Fatal(err)
	}
	q := newQuestion(r.plain)
	return &call{request: r, rule: rule, question: q, maxSize: rule.size(q)}
}

// Every method that can be called has answers here, and a false one is seen.
func TestFalseAnswersAreSeen(t *testing.T) {
	all := answers(t)
	for set, methods := range answerRules {
		for method := range methods {
			row := all[set][method]
			if len(row.lies) == 0 {
				t.Errorf("%s.%s has no row of false answers; add one", set, method)
				continue
			}
			c := callOf(t, set, method, row.params)
			if err := c.judge([]byte(row.fits)); err != nil || len(row.fits) > c.maxSize {
				t.Errorf("%s.%s: %s is refused: %v", set, method, row.fits, err)
			}
			for _, lie := range row.lies {
				if !json.Valid([]byte(lie)) {
					t.Errorf("%s.%s: %s is not JSON", set, method, lie)
				} else if err := c.judge([]byte(lie)); err == nil {
					t.Errorf("%s.%s %s: %s is believed", set, method, row.params, lie)
				}
			}
		}
	}
}

// A method that the package calls without a rule would fail when it is called;
// this finds it before.
func TestEveryMethodHasARule(t *testing.T) {
	known := map[string]bool{}
	for _, methods := range answerRules {
		for method := range methods {
			known[method] = true
		}
	}
	callers := map[string]int{"query": 4, "queryRaw": 4, "queryList": 4, "Call": 3, "fetch": 4, "bare": 2} // the method is among these
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	look := func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for _, arg := range c.Args[:min(len(c.Args), callers[calledName(c.Fun)])] {
			if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
				name, _ := strconv.Unquote(text.Value)
				found++
				if !known[name] {
					t.Errorf("%s has no rule", name)
				}
			}
		}
		return true
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, look)
	}
	if found < 40 {
		t.Errorf("only %d calls were found", found)
	}
	if _, err := (&conn{sets: map[Set]uint64{}}).send(t.Context(), newBareRequest(Database, "get_everything")); err == nil ||
		!strings.Contains(err.Error(), "no rule") {
		t.Errorf("a method without a rule: %v", err)
	}
}

func calledName(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.IndexExpr:
		return calledName(f.X)
	}
	return ""
}

func TestInspect(t *testing.T) {
	for text, says := range map[string]string{
		`{"a":[1,{"b":null}],"c":"\u0041"}`: "",
		`{"a":1,"b":{"a":2},"c":{"a":3}}`:   "",
		`{"a":1,"a":2}`:                     "twice",
		`[{"x":{"a":1,"b":[],"a":2}}]`:      "twice",
		`{"\u0061":1}`:                      "escapes",
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth):               "",
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1):           "deeper",
		strings.Repeat(`{"a":`, maxDepth+1) + "1" + strings.Repeat("}", maxDepth+1): "deeper",
		"[" + strings.Repeat("1,", 9000) + "1]":                                     "more values",
		"[" + strings.Repeat(`"1.2.3",`, 9000) + `"1.2.3"]`:                         "",
	} {
		err := inspect([]byte(text))
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%.60s: %v, want %q", text, err, says)
		}
	}
}

// What stands in an error can be printed, whatever came.
func TestFalseAnswerIsPrintable(t *testing.T) {
	cn := &conn{url: "ws://node:1"}
	c := callOf(t, Database, "lookup_account_names", `[["alice"]]`)
	err := cn.falseAnswer(c,
		c.judge([]byte(`[{"id":"1.2.17","name":"`+strings.Repeat("\u202e", 50)+"\x1b[2J\u009b"+strings.Repeat("a", 5000)+`"}]`)))
	text := err.Error()
	if !errors.Is(err, ErrGarbage) || strings.ContainsAny(text, "\x1b\u009b\u202e\n") || len(text) > 400 ||
		!strings.Contains(text, "ws://node:1") || !strings.Contains(text, "lookup_account_names") {
		t.Errorf("it says %q", text)
	}
}

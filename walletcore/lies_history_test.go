package walletcore_test

import (
	"encoding/json"
	"fmt"
	"strings"
)

// rows changes the rows of an account's history.
func rows(edit func(list []any) []any) func(*scene) teller {
	return change(func(_ *question, v any) any {
		if list, ok := v.([]any); ok {
			return edit(list)
		}
		return v
	}, "get_account_history", "get_relative_account_history")
}

// operationOf returns the operation's body in a row of history.
func operationOf(row any) object {
	o, _ := row.(object)
	pair, _ := o["op"].([]any)
	if len(pair) != 2 {
		return object{}
	}
	body, _ := pair[1].(object)
	return body
}

// proposed claims that a proposal made a payment that never happened, at a position.
func proposed(place string) func(*scene) teller {
	return func(s *scene) teller { return rows(placed(s, place))(s) }
}

// transactionsIn returns how many transactions the block of a row has.
func transactionsIn(s *scene, row object) int {
	var b struct {
		Transactions []json.RawMessage `json:"transactions"`
	}
	_ = json.Unmarshal(s.ask("get_block", row["block_num"]), &b)
	return len(b.Transactions)
}

// placed moves rows to a position, and makes their amounts larger.
func placed(s *scene, place string) func(list []any) []any {
	return func(list []any) []any {
		for _, row := range list {
			o, ok := row.(object)
			if !ok {
				continue
			}
			o["virtual_op"] = 1
			switch place {
			case "first":
				o["trx_in_block"], o["op_in_trx"] = 0, 0
			case "nowhere":
				o["trx_in_block"], o["op_in_trx"] = 65535, 0
			case "behind":
				o["trx_in_block"], o["op_in_trx"] = transactionsIn(s, o), 1
			case "old":
				o["block_num"], o["trx_in_block"], o["op_in_trx"] = 1, 0, 0
			case "zero":
				o["trx_in_block"], o["op_in_trx"], o["virtual_op"] = transactionsIn(s, o), 1, 0
			}
			if amount, ok := operationOf(row)["amount"].(object); ok {
				amount["amount"] = 999_0000_0000
			}
		}
		return list
	}
}

// copyOf returns a deep copy.
func copyOf(v any) any { return decode(encode(v)) }

// historyLies returns the lies about balances and history.
func historyLies() []lie {
	balances := func(text string) func(*scene) teller { return answered(text, "get_account_balances") }
	return []lie{
		{name: "deposit-invented", says: "a deposit that never was, as the newest row", must: asAsked, tell: rows(func(list []any) []any {
			if len(list) == 0 {
				return list
			}
			top, _ := copyOf(list[0]).(object)
			var number int
			id, _ := top["id"].(string)
			_, _ = fmt.Sscanf(id, "1.7.%d", &number)
			top["id"] = "1.7." + itoa(number+1)
			if amount, ok := operationOf(top)["amount"].(object); ok {
				amount["amount"] = 777_0000_0000
			}
			return append([]any{top}, list...)
		})},
		{name: "deposit-virtual", says: "deposits that never were, as the work of proposals", must: asAsked, tell: proposed("as they are")},
		{name: "deposit-virtual-first", says: "the same, done by the first operation of a block", must: asAsked, tell: proposed("first")},
		{name: "deposit-virtual-nowhere", says: "the same, done by a transaction that there is not", must: asAsked, tell: proposed("nowhere")},
		{name: "deposit-virtual-behind", says: "the same, done by time, behind all transactions", must: asAsked, tell: proposed("behind")},
		{name: "deposit-virtual-old", says: "the same, in old blocks that hold no transaction", must: asAsked, tell: proposed("old")},
		{name: "deposit-virtual-zero", says: "the same, behind all transactions and not numbered as such", must: asAsked, tell: proposed("zero")},
		{name: "deposit-memo", says: "deposits without their memos", must: asAsked, tell: rows(func(list []any) []any {
			for _, row := range list {
				delete(operationOf(row), "memo")
			}
			return list
		})},
		{name: "deposit-larger", says: "deposits a thousand times as large", must: asAsked, tell: rows(func(list []any) []any {
			for _, row := range list {
				if amount, ok := operationOf(row)["amount"].(object); ok {
					if n, ok := amount["amount"].(json.Number); ok {
						amount["amount"] = json.Number(string(n) + "000")
					}
				}
			}
			return list
		})},
		{name: "deposit-asset", says: "deposits of another asset", must: asAsked, tell: rows(func(list []any) []any {
			for _, row := range list {
				if amount, ok := operationOf(row)["amount"].(object); ok {
					amount["asset_id"] = "1.3.1"
				}
			}
			return list
		})},
		{name: "deposit-from", says: "deposits of another sender", must: asAsked, tell: rows(func(list []any) []any {
			for _, row := range list {
				operationOf(row)["from"] = "1.2.5"
			}
			return list
		})},
		{name: "deposit-early", says: "that everything is irreversible, and rows of future blocks", must: asAsked,
			tell: rows(func(list []any) []any {
				for _, row := range list {
					if o, ok := row.(object); ok {
						o["block_num"] = 900_000
					}
				}
				return list
			})},
		{name: "deposit-block", says: "deposits in other blocks than theirs", must: asAsked, tell: rows(func(list []any) []any {
			for _, row := range list {
				if o, ok := row.(object); ok {
					o["block_num"], o["trx_in_block"] = 1, 0
				}
			}
			return list
		})},
		{name: "history-others", says: "the history of another account", must: asAsked, tell: func(s *scene) teller {
			id := encode(s.rawAccount("faucet")["id"])
			return func(q *question, honest func() reply) reply {
				if strings.HasSuffix(q.method, "account_history") && len(q.args) > 0 {
					q.args[0], q.lied = id, true
				}
				return honest()
			}
		}},
		{name: "history-many", says: "five times the rows that were asked for", must: asAsked, tell: rows(func(list []any) []any {
			for range 2 {
				list = append(list, list...)
			}
			return list
		})},
		{name: "history-order", says: "rows in another order", must: asAsked, tell: rows(func(list []any) []any {
			for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
				list[i], list[j] = list[j], list[i]
			}
			return list
		})},
		{name: "history-none", says: "nothing ever happened", must: asAsked, tell: answered("[]", "get_account_history", "get_relative_account_history")},
		{name: "history-endless", says: "always the same hundred rows, with other ids", must: asAsked, tell: func(*scene) teller {
			turn := newCounter()
			return changing(func(_ *question, v any) any {
				list, ok := v.([]any)
				if !ok || len(list) == 0 {
					return v
				}
				out := make([]any, 100)
				for i := range out {
					row, _ := copyOf(list[0]).(object)
					row["id"] = "1.7." + itoa(900_000_000-turn.next())
					out[i] = row
				}
				return out
			}, "get_account_history")
		}},
		{name: "balance-none", says: "no balances", must: asAsked, tell: balances("[]")},
		{name: "balance-negative", says: "a negative balance", must: asAsked, tell: balances(`[{"amount":-5,"asset_id":"1.3.0"}]`)},
		{name: "balance-other", says: "balances of other assets", must: asAsked, tell: balances(`[{"amount":"99999999999","asset_id":"1.3.2"},{"amount":3,"asset_id":"1.3.7"}]`)},
		{name: "balance-huge", says: "more than any asset has", must: asAsked, tell: balances(`[{"amount":"9223372036854775807","asset_id":"1.3.0"}]`)},
		{name: "balance-many", says: "20,000 balances of 20,000 assets", must: asAsked, tell: change(func(*question, any) any {
			list := make([]any, 20_000)
			for i := range list {
				list[i] = object{"amount": 1, "asset_id": "1.3." + itoa(i)}
			}
			return list
		}, "get_account_balances")},
	}
}

// minerLies returns the lies about the miners.
func minerLies() []lie {
	return []lie{
		{name: "miners-keys", says: "other keys of the miners", must: passes, tell: func(s *scene) teller { return strangeMiners(s) }},
		{name: "miners-few", says: "one active miner alone", must: asAsked, tell: global(set("active_miners", []any{"1.4.1"}))},
		{name: "miners-none", says: "no active miners", must: asAsked, tell: global(set("active_miners", []any{}))},
		{name: "miners-same", says: "the same miner eleven times", must: asAsked, tell: global(set("active_miners", []any{
			"1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1", "1.4.1",
		}))},
		{name: "miners-one-inventing", says: "one active miner alone, who invents irreversible blocks", must: unsettled,
			tell: func(s *scene) teller {
				return compose([]teller{global(set("active_miners", []any{s.active()[0].String()}))(s), forge(s, crooked, fits, 4).tell()})
			}},
		{name: "miners-same-inventing", says: "one miner is all eleven, and invents irreversible blocks", must: unsettled,
			tell: func(s *scene) teller {
				same := make([]any, 11)
				for i := range same {
					same[i] = s.active()[0].String()
				}
				return compose([]teller{global(set("active_miners", same))(s), forge(s, crooked, fits, 4).tell()})
			}},
	}
}

// table returns every lie.
func table() (all []lie) {
	for _, kind := range []func() []lie{
		accountLies, keyLies, assetLies, feeLies, headLies, blockLies, minerLies, broadcastLies, transportLies, chainLies, historyLies,
	} {
		all = append(all, kind()...)
	}
	return all
}

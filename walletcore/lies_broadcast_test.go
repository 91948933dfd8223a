package walletcore_test

import (
	"encoding/json"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// nodeCodes lists the errors that a node answers broadcasts with.
var nodeCodes = []struct {
	code         int
	name, format string
}{
	{10, "assert_exception", "not today"},
	{10, "assert_exception", "Insufficient Balance: ${balance}, unable to transfer"},
	{10, "assert_exception", "now <= trx.expiration: "},
	{10, "assert_exception", "trx.expiration <= now + chain_parameters.maximum_time_until_expiration: "},
	{10, "assert_exception", "trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]: "},
	{10, "assert_exception", "(skip & skip_transaction_dupe_check) || trx_idx.indices().get<by_trx_id>().find(trx_id) == trx_idx.indices().get<by_trx_id>().end(): "},
	{103, "key_not_found_exception", "no such object"},
	{405, "tx_missing_active_auth", "Missing Active Authority 1.2.16"},
	{406, "tx_missing_owner_auth", "Missing Owner Authority"},
	{407, "tx_missing_other_auth", "missing other auth"},
	{408, "tx_irrelevant_sig", "irrelevant signature"},
	{409, "tx_duplicate_sig", "duplicate signature"},
	{404, "tx_too_large", "too large"},
	{50, "method_not_found", "no method broadcast_transaction"},
	{0, "", ""},
	{-32603, "internal", "internal error"},
}

// onBroadcast answers broadcasts with answer.
func onBroadcast(answer func(s *scene, q *question, pass func() reply) reply) func(*scene) teller {
	return func(s *scene) teller {
		return func(q *question, honest func() reply) reply {
			if !isBroadcast(q.method) {
				return honest()
			}
			return answer(s, q, honest)
		}
	}
}

// refusing passes a broadcast on and then refuses it with the n-th of nodeCodes.
func refusing(n int) func(*scene) teller {
	return onBroadcast(func(_ *scene, _ *question, pass func() reply) reply {
		pass()
		c := nodeCodes[n]
		return reply{failure: failing(c.code, c.name, c.format)}
	})
}

// passLater holds a question's transaction back until the liar turns honest.
func passLater(s *scene, q *question) {
	args := q.args[len(q.args)-1]
	s.soon(func() { s.push(args) })
}

// broadcastLies returns the lies about what happened to a broadcast.
func broadcastLies() []lie {
	null := reply{result: json.RawMessage("null")}
	return []lie{
		{name: "refused-passed", says: "refused, though it was passed on", must: unknown, tell: refusing(0)},
		{name: "refused-balance", says: "no balance, though it was passed on", must: unknown, tell: refusing(1)},
		{name: "refused-expired", says: "expired, though it was passed on", must: unknown, tell: refusing(2)},
		{name: "refused-window", says: "an expiration too far, though it was passed on", must: unknown, tell: refusing(3)},
		{name: "refused-reference", says: "a wrong reference block, though it was passed on", must: unknown, tell: refusing(4)},
		{name: "refused-authority", says: "a missing authority, though it was passed on", must: unknown, tell: refusing(7)},
		{name: "refused-method", says: "no such method, though it was passed on", must: unknown, tell: refusing(13)},
		{name: "refused-empty", says: "an error without a code, though it was passed on", must: unknown, tell: refusing(14)},
		{name: "refused-every-code", says: "every error in turn; some were passed on", must: asAsked, tell: func(s *scene) teller {
			turn := newCounter()
			return onBroadcast(func(s *scene, _ *question, pass func() reply) reply {
				n := turn.next()
				if n%2 == 0 {
					pass()
				}
				c := nodeCodes[n%len(nodeCodes)]
				return reply{failure: failing(c.code, c.name, c.format)}
			})(s)
		}},
		{name: "refused-later", says: "refused, and passed on some blocks later", must: unknown, tell: onBroadcast(func(s *scene,
			q *question, _ func() reply) reply {
			passLater(s, q)
			return reply{failure: failing(10, "assert_exception", "not today")}
		})},
		{name: "refused-soon", says: "refused, and passed on a moment later", must: unknown, tell: onBroadcast(func(_ *scene, q *question,
			_ func() reply) reply {
			q.conn.liar.worker.Go(func() {
				time.Sleep(30 * time.Millisecond)
				q.conn.ask(q)
			})
			return reply{failure: failing(10, "assert_exception", "not today")}
		})},
		{name: "refused-once", says: "the first broadcast of each is refused and passed on, then all is well", must: asAsked, tell: func(s *scene) teller {
			var mu sync.Mutex
			met := map[string]bool{}
			return onBroadcast(func(_ *scene, q *question, pass func() reply) reply {
				r := pass()
				mu.Lock()
				defer mu.Unlock()
				if text := string(q.args[len(q.args)-1]); !met[text] {
					met[text] = true
					return reply{failure: failing(10, "assert_exception", "not today")}
				}
				return r
			})(s)
		}},
		{name: "duplicate", says: "it has it already, though it passed nothing on", must: unsettled, tell: onBroadcast(func(*scene,
			*question, func() reply) reply {
			return reply{failure: failing(nodeCodes[5].code, nodeCodes[5].name, nodeCodes[5].format)}
		})},
		{name: "accepted-never-passed", says: "accepted, and never passed on", must: unsettled, tell: onBroadcast(func(*scene, *question, func() reply) reply { return null })},
		{name: "accepted-later", says: "accepted, and passed on some blocks later", must: unsettled, tell: onBroadcast(func(s *scene,
			q *question, _ func() reply) reply {
			passLater(s, q)
			return null
		})},
		{name: "accepted-altered", says: "accepted, and passed on with another amount", must: unsettled, tell: onBroadcast(func(_ *scene,
			q *question, pass func() reply) reply {
			var tx ledger.SignedTransaction
			if codec.Unmarshal(q.args[len(q.args)-1], &tx) == nil && len(tx.Operations) == 1 {
				if op, ok := tx.Operations[0].Body.(*ledger.TransferObsoleteOp); ok {
					op.Amount.Amount, op.To = 7_0000_0000, 5
					text, _ := codec.Marshal(tx)
					altered := *q
					altered.args = append(append([]json.RawMessage{}, q.args[:len(q.args)-1]...), text)
					q.conn.ask(&altered)
				}
			}
			return null
		})},
		{name: "passed-twice", says: "accepted, and passed on twice", must: passes, tell: onBroadcast(func(_ *scene, q *question,
			pass func() reply) reply {
			r := pass()
			q.conn.ask(q)
			q.lied = true
			return r
		})},
		{name: "no-answer-passed", says: "nothing, though it was passed on", must: unknown, tell: onBroadcast(func(_ *scene, _ *question,
			pass func() reply) reply {
			pass()
			return reply{}
		})},
		{name: "no-answer", says: "nothing, and passes nothing on", must: unknown, tell: onBroadcast(func(*scene, *question, func() reply) reply { return reply{} })},
		{name: "cut-passed", says: "nothing: the line breaks, though it was passed on", must: unknown, tell: onBroadcast(func(_ *scene,
			_ *question, pass func() reply) reply {
			pass()
			return reply{raw: func(c *conn) { c.near.Close() }}
		})},
		{name: "answered-twice", says: "refused, and accepted", must: asAsked, tell: onBroadcast(func(_ *scene, q *question,
			pass func() reply) reply {
			pass()
			return reply{raw: func(c *conn) {
				c.write(object{"id": q.id, "error": failing(10, "assert_exception", "not today")})
				c.write(object{"id": q.id, "result": nil})
			}}
		})},
		{name: "answered-both", says: "a result and an error in one answer", must: asAsked, tell: onBroadcast(func(_ *scene, q *question,
			pass func() reply) reply {
			pass()
			return reply{raw: func(c *conn) {
				c.write(object{"id": q.id, "result": object{"id": "1"}, "error": failing(10, "assert_exception", "not today")})
			}}
		})},
		{name: "refusal-escape", says: "an error with terminal escapes and a megabyte of text", must: asAsked,
			tell: onBroadcast(func(_ *scene, _ *question, pass func() reply) reply {
				pass()
				text := make([]byte, 1_000_000)
				for i := range text {
					text[i] = 'x'
				}
				return reply{failure: failing(10, "\u001b[2J", "\u009b31m\u202e"+string(text))}
			})},
	}
}

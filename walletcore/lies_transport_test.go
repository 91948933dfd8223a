package walletcore_test

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// raw answers a method by writing to the connection; "" is every method except those
// that open a connection.
func raw(method string, write func(c *conn, q *question)) func(*scene) teller {
	return always(func(q *question, honest func() reply) reply {
		if q.method != method && (method != "" || isIntroduction(q.method)) {
			return honest()
		}
		return reply{raw: func(c *conn) { write(c, q) }}
	})
}

// isIntroduction reports whether a method opens a connection: if it failed, lies about
// all others would never be heard.
func isIntroduction(method string) bool {
	switch method {
	case "login", "enable_api", "get_chain_id", "set_block_applied_callback", "about", "get_dynamic_global_properties",
		"database", "history", "network_broadcast", "login_api", "database_api", "history_api", "network_broadcast_api":
		return true
	}
	return false
}

// sometimes returns a teller that lies once in n answers.
func sometimes(n int, lying func(*scene) teller) func(*scene) teller {
	return func(s *scene) teller {
		turn, t := newCounter(), lying(s)
		return func(q *question, honest func() reply) reply {
			if turn.next()%n != 0 {
				return honest()
			}
			return t(q, honest)
		}
	}
}

const megabyte = 1 << 20

// flood streams an answer to q: begin, part n times, end.
func flood(c *conn, q *question, begin, part string, n int, end string) {
	c.stream(func(write func(string) bool) {
		if !write(`{"id":` + string(encode(q.id)) + `,"jsonrpc":"2.0","result":` + begin) {
			return
		}
		chunk := strings.Repeat(part, max(1, 64_000/len(part)))
		for left := n / (len(chunk) / len(part)); left > 0; left-- {
			if !write(chunk) {
				return
			}
		}
		write(end + "}")
	})
}

// transportLies returns the lies about the connection itself.
func transportLies() []lie {
	huge := func(method, begin, part string, n int, end string) func(*scene) teller {
		return sometimes(3, raw(method, func(c *conn, q *question) { flood(c, q, begin, part, n, end) }))
	}
	return []lie{
		{name: "answers-swapped", says: "to each question the answer of the one before", must: asAsked, tell: func(*scene) teller {
			var mu sync.Mutex
			last := reply{result: json.RawMessage("null")}
			return func(q *question, honest func() reply) reply {
				now := honest()
				if isIntroduction(q.method) {
					return now
				}
				mu.Lock()
				defer mu.Unlock()
				now, last = last, now
				return now
			}
		}},
		{name: "answers-other-id", says: "to each question the account of another", must: asAsked, tell: func(s *scene) teller {
			id := encode([]any{s.rawAccount(attacker)["id"]})
			return func(q *question, honest func() reply) reply {
				if q.method == "get_accounts" {
					q.lied = true
					q.args = []json.RawMessage{id}
				}
				if q.method == "lookup_account_names" {
					q.lied = true
					q.args = []json.RawMessage{encode([]string{attacker})}
				}
				return honest()
			}
		}},
		{name: "answers-unasked", says: "answers to unasked questions", must: asAsked, tell: rawAll(func(c *conn, q *question, r reply) {
			c.write(object{"id": q.id + 1_000_000, "result": []any{}})
			c.write(object{"id": q.id, "result": r.result, "error": r.failure})
			c.write(object{"id": q.id, "result": []any{nil}})
		})},
		{name: "answers-next", says: "answers ahead of the questions", must: asAsked, tell: func(s *scene) teller {
			forged := []any{s.rawAccount(attacker)}
			return func(q *question, honest func() reply) reply {
				r := honest()
				return reply{raw: func(c *conn) {
					c.write(object{"id": q.id + 1, "result": forged})
					c.write(object{"id": q.id, "result": r.result, "error": r.failure})
				}}
			}
		}},
		{name: "huge-name", says: "63 MB of a name", must: asAsked, tell: huge("lookup_account_names", `[{"name":"`, "a", 63*megabyte, `"}]`)},
		{name: "huge-account", says: "63 MB for one account", must: asAsked, tell: huge("get_accounts", `[`, `0,`, 31*megabyte, `0]`)},
		{name: "huge-objects", says: "63 MB of empty objects for one object", must: asAsked, tell: huge("get_objects", `[`, `{},`, 21*megabyte, `{}]`)},
		{name: "huge-block", says: "63 MB of a block", must: asAsked, tell: huge("get_block", `{"transaction_ids":[`, `"",`, 21*megabyte, `""]}`)},
		{name: "huge-history", says: "63 MB of history", must: asAsked, tell: huge("get_account_history", `[`, `{},`, 21*megabyte, `{}]`)},
		{name: "huge-balances", says: "63 MB of balances", must: asAsked, tell: huge("get_account_balances", `[`, `{"amount":1,"asset_id":"1.3.0"},`, 2*megabyte, `{"amount":1,"asset_id":"1.3.0"}]`)},
		{name: "huge-head", says: "63 MB for the head block", must: asAsked, tell: sometimes(40, raw("get_dynamic_global_properties",
			func(c *conn, q *question) {
				flood(c, q, `{"head_block_number":"`, "9", 63*megabyte, `"}`)
			}))},
		{name: "huge-error", says: "63 MB of an error", must: asAsked, tell: sometimes(2, raw("broadcast_transaction", func(c *conn,
			q *question) {
			c.stream(func(write func(string) bool) {
				write(`{"id":` + string(encode(q.id)) + `,"error":{"code":10,"message":"`)
				for range 63 {
					if !write(strings.Repeat("x", megabyte)) {
						return
					}
				}
				write(`"}}`)
			})
		}))},
		{name: "huge-notice", says: "63 MB of a notice", must: asAsked, tell: sometimes(20, rawAll(func(c *conn, q *question, r reply) {
			c.write(object{"id": q.id, "result": r.result, "error": r.failure})
			c.stream(func(write func(string) bool) {
				write(`{"method":"notice","params":[1,[["`)
				for range 63 {
					if !write(strings.Repeat("0", megabyte)) {
						return
					}
				}
				write(`"]]]}`)
			})
		}))},
		{name: "deep-nesting", says: "a million brackets", must: asAsked, tell: sometimes(3, raw("", func(c *conn, q *question) {
			flood(c, q, "", "[", megabyte, strings.Repeat("]", 100))
		}))},
		{name: "deep-valid", says: "lists within lists, 9,000 deep", must: asAsked, tell: sometimes(3, raw("", func(c *conn, q *question) {
			c.send([]byte(`{"id":` + string(encode(q.id)) + `,"result":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`))
		}))},
		{name: "endless", says: "an answer that never ends", must: asAsked, tell: sometimes(2, raw("lookup_account_names", func(c *conn,
			q *question) {
			c.stream(func(write func(string) bool) {
				for write(strings.Repeat("[0,", 20_000)) {
					time.Sleep(time.Millisecond)
				}
			})
		}))},
		{name: "drip", says: "an answer letter by letter", must: asAsked, tell: sometimes(7, raw("", func(c *conn, q *question) {
			c.stream(func(write func(string) bool) {
				for range 40 {
					if !write(" ") {
						return
					}
					time.Sleep(25 * time.Millisecond)
				}
				write(`{"id":` + string(encode(q.id)) + `,"result":null}`)
			})
		}))},
		{name: "garbage", says: "what is no JSON", must: asAsked, tell: sometimes(3, raw("", func(c *conn, _ *question) { c.send([]byte("\u001b[2J<html>no</html>")) }))},
		{name: "binary", says: "binary messages", must: asAsked, tell: sometimes(3, raw("", func(c *conn, _ *question) {
			c.nearMu.Lock()
			defer c.nearMu.Unlock()
			_ = c.near.WriteMessage(websocket.BinaryMessage, []byte{0, 255, 1, 254})
		}))},
		{name: "no-answers", says: "nothing at all", must: refused, tell: raw("", func(*conn, *question) {})},
		{name: "no-answer-sometimes", says: "nothing to every third question", must: asAsked, tell: sometimes(3, raw("", func(*conn, *question) {}))},
		{name: "cut-frame", says: "half a message, then the line ends", must: asAsked, tell: sometimes(5, raw("", func(c *conn,
			q *question) {
			c.nearMu.Lock()
			defer c.nearMu.Unlock()
			_, _ = c.near.UnderlyingConn().Write([]byte("\x81\x7e\x7f\xff{\"id\":"))
			c.near.Close()
		}))},
		{name: "bad-frame", says: "a frame of reserved bits", must: asAsked, tell: sometimes(5, raw("", func(c *conn, _ *question) {
			c.nearMu.Lock()
			defer c.nearMu.Unlock()
			_, _ = c.near.UnderlyingConn().Write([]byte{0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 1})
		}))},
		{name: "announced-huge", says: "a frame of 8 exabytes is announced", must: asAsked, tell: sometimes(5, raw("", func(c *conn,
			_ *question) {
			c.nearMu.Lock()
			defer c.nearMu.Unlock()
			_, _ = c.near.UnderlyingConn().Write([]byte{0x81, 0x7f, 0x7f, 255, 255, 255, 255, 255, 255, 255, '{'})
		}))},
		{name: "notices-invented", says: "notices of blocks that do not exist", must: passes, tell: rawAll(func(c *conn, q *question,
			r reply) {
			c.send([]byte(`{"method":"notice","params":[1,[["ffffffff5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"]]]}`))
			c.send([]byte(`{"method":"notice","params":[99,[null]]}`))
			c.send([]byte(`{"method":"notice","params":[1,[{"a":"\u001b"}]]}`))
			c.write(object{"id": q.id, "result": r.result, "error": r.failure})
		})},
		{name: "notices-flood", says: "two hundred notices with each answer", must: asAsked, tell: rawAll(func(c *conn, q *question,
			r reply) {
			for range 200 {
				c.send([]byte(`{"method":"notice","params":[1,[["00000020000000000000000000000000000000ff"]]]}`))
			}
			c.write(object{"id": q.id, "result": r.result, "error": r.failure})
		})},
		{name: "errors-always", says: "an error to every question", must: asAsked, tell: always(func(q *question,
			honest func() reply) reply {
			if isIntroduction(q.method) {
				return honest()
			}
			return reply{failure: failing(10, "assert_exception", "\u001b[2Jno")}
		})},
		{name: "null-always", says: "null to every question", must: asAsked, tell: always(func(q *question, honest func() reply) reply {
			if isIntroduction(q.method) {
				return honest()
			}
			return reply{result: json.RawMessage("null")}
		})},
		{name: "number-always", says: "a number of a million digits to every question", must: asAsked, tell: sometimes(3, raw("",
			func(c *conn, q *question) {
				flood(c, q, "", "9", megabyte, "e999999999")
			}))},
		{name: "members-twice", says: "each member twice, with another value", must: asAsked, tell: func(s *scene) teller {
			other := string(encode([]any{s.rawAccount(attacker)}))
			return func(q *question, honest func() reply) reply {
				r := honest()
				if q.method != "lookup_account_names" && q.method != "get_accounts" || r.result == nil {
					return r
				}
				return reply{raw: func(c *conn) {
					c.send([]byte(`{"id":` + string(encode(q.id)) + `,"result":` + string(r.result) + `,"result":` + other + `}`))
				}}
			}
		}},
		{name: "hang-up-often", says: "the truth, and hangs up every few answers", must: asAsked, tell: sometimes(9, raw("", func(c *conn, _ *question) { c.near.Close() }))},
	}
}

// rawAll is raw for every question, with the true answer available.
func rawAll(write func(c *conn, q *question, r reply)) func(*scene) teller {
	return always(func(q *question, honest func() reply) reply {
		r := honest()
		return reply{raw: func(c *conn) { write(c, q, r) }}
	})
}

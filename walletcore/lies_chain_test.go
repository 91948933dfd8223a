package walletcore_test

import "strings"

// otherChain is the id of a chain other than the scenes' ledger.
var otherChain = strings.Repeat("ab", 32)

// chainLies returns the lies about which chain it is.
func chainLies() []lie {
	id := answered(`"`+otherChain+`"`, "get_chain_id")
	return []lie{
		{name: "chain-reconnect", says: "another chain's id after a reconnect", must: asAsked, tell: func(s *scene) teller {
			s.liar.hangUp()
			return id(s)
		}},
		{name: "chain-always", says: "another chain's id, with no reconnect", must: asAsked, tell: id},
		{name: "chain-restart", says: "another chain's id to each new line", must: asAsked, tell: func(s *scene) teller {
			t := id(s)
			s.liar.lie(t)
			s.reopen()
			return t
		}},
		{name: "chain-alternating", says: "now this chain's id, now another's", must: asAsked, tell: func(s *scene) teller { return sometimes(2, id)(s) }},
		{name: "chain-text", says: "text for a chain's id", must: asAsked, tell: func(s *scene) teller {
			s.liar.hangUp()
			return answered(`"\u001b[2Jmainnet"`, "get_chain_id")(s)
		}},
		{name: "chain-null", says: "null for a chain's id", must: asAsked, tell: func(s *scene) teller {
			s.liar.hangUp()
			return answered("null", "get_chain_id")(s)
		}},
		{name: "login-refused", says: "that the login failed", must: asAsked, tell: func(s *scene) teller {
			s.liar.hangUp()
			return answered("false", "login")(s)
		}},
		{name: "sets-swapped", says: "the numbers of the API sets in another order", must: asAsked, tell: func(s *scene) teller {
			s.liar.hangUp()
			return change(func(_ *question, v any) any { return 0 }, "enable_api", "database", "history", "network_broadcast")(s)
		}},
	}
}

package audit

import (
	"cmp"

	"billfold/rpcserver"
	"billfold/walletcore/walletapi"
)

// Policy decides about calls over RPC.
type Policy string

// The policies.
const (
	Allow Policy = "allow" // as far as the token allows it
	Deny  Policy = "deny"
	Ask   Policy = "ask" // a person decides; denied if nobody can be asked
)

// Rules are the policies for calls, by what they touch.
type Rules struct {
	Spends Policy // for calls that sign or spend
	Keys   Policy // for calls that show or store private keys, or change the password

	// Guarded means that a policy or authentication is set: changing the password
	// requires the old one.
	Guarded bool
}

// The kinds of calls that the two policies apply to.
const (
	spending = walletapi.Signs | walletapi.Spends
	guarding = walletapi.Keys | walletapi.Password
)

// verdict is the decision of the rules about one call.
type verdict struct {
	policy Policy
	rule   string // the reason, for the log
	// for the caller of a denied operation
	message, hint string
}

// judge returns the strictest verdict for what a method touches. A token's own rule
// only decides whether a person is asked about its payments.
func (r Rules) judge(m *walletapi.Method, by rpcserver.Requester) verdict {
	v := verdict{policy: Allow}
	if m.Does(spending) {
		v = r.judgeSpend(by)
	}
	if m.Does(guarding) {
		v = v.stricter(r.judgeKeys())
	}
	return v
}

func (r Rules) judgeSpend(by rpcserver.Requester) verdict {
	switch {
	case r.Spends == Deny:
		return verdict{
			Deny, "spends are denied", "This wallet makes no payments for programs",
			"start it with --rpc-spends=allow or --rpc-spends=ask if it should",
		}
	case by.Approval == rpcserver.AlwaysAsk, by.Approval == rpcserver.ApprovalByPolicy && r.Spends != Allow:
		return verdict{
			policy: Ask, rule: cmp.Or(by.Why, "programs have to ask"),
			message: "A person has to approve this, and nobody is there to ask",
			hint:    "pay in the wallet itself, or start it with --tui, or with --rpc-spends=allow",
		}
	}
	return verdict{policy: Allow, rule: cmp.Or(by.Why, "spends are allowed")}
}

func (r Rules) judgeKeys() verdict {
	switch r.Keys {
	case Allow:
		return verdict{policy: Allow, rule: "programs may use keys and password"}
	case Ask:
		return verdict{
			policy: Ask, rule: "programs have to ask for keys and password",
			message: "A person has to approve this, and nobody is there to ask",
			hint:    "do it in the wallet itself, or start it with --tui, or with --rpc-keys=allow",
		}
	case Deny:
	}
	return verdict{
		Deny, "keys and password are denied",
		"Programs may not export or import private keys of this wallet, or change its password",
		"do it in the wallet itself (on its machine: billfold call --to files), or start it with --rpc-keys=ask or --rpc-keys=allow if it should",
	}
}

// stricter returns the stricter of two verdicts, other if they are equally strict.
func (v verdict) stricter(other verdict) verdict {
	rank := map[Policy]int{Allow: 0, Ask: 1, Deny: 2}
	if rank[other.policy] >= rank[v.policy] {
		return other
	}
	return v
}

package audit

import (
	"context"
	"fmt"

	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/walletapi"
)

// Policy says what becomes of spends over RPC.
type Policy string

// The policies.
const (
	Allow Policy = "allow" // as far as the token allows it
	Deny  Policy = "deny"
	Ask   Policy = "ask" // a person decides; denied where nobody can be asked
)

// ParsePolicy reads a policy.
func ParsePolicy(text string) (Policy, error) {
	switch p := Policy(text); p {
	case Allow, Deny, Ask:
		return p, nil
	}
	return "", fmt.Errorf("%q is no policy for spends; choose allow, deny or ask", text)
}

// Consent is the rpcserver.Consent by a policy, with every decision in a log.
type Consent struct {
	policy  Policy
	log     *Log
	methods map[string]*walletapi.Method
}

// NewConsent decides by policy and writes to log.
func NewConsent(policy Policy, log *Log) *Consent {
	c := &Consent{policy: policy, log: log, methods: map[string]*walletapi.Method{}}
	methods := walletapi.Methods()
	for i := range methods {
		c.methods[methods[i].Name] = &methods[i]
	}
	return c
}

// Decide lets every call pass that does not spend. A spend is written down
// first; settle writes down how it ended.
func (c *Consent) Decide(ctx context.Context, who, method string, params rpcserver.Params) (settle func(error), err error) {
	settle = func(error) {}
	m := c.methods[method]
	if m == nil || !m.Spends {
		return settle, nil
	}
	e := Entry{Who: who, Method: method, What: what(m, params), Decision: string(Deny)}
	var no error
	switch c.policy {
	case Allow:
		e.Decision, e.Rule = string(Allow), "spends are allowed"
	case Ask:
		e.Rule = "nobody is there to be asked"
		no = &rpcserver.Denied{Message: "A person has to agree to this, and nobody is there to be asked.", Hint: "pay in the wallet itself, or start it with --rpc-spends=allow"}
	default:
		e.Rule = "spends are denied"
		no = &rpcserver.Denied{Message: "This wallet does not spend for programs.", Hint: "start it with --rpc-spends=allow if it should"}
	}
	number, err := c.log.Append(ctx, e)
	if err != nil {
		return settle, &walletcore.Error{Code: walletcore.CodeFile, Op: method, Message: "the audit log cannot be written: " + err.Error(),
			Hint: "free the disk or correct the folder's mode; nothing was sent", Err: err}
	}
	if no != nil {
		return settle, no
	}
	return func(err error) { c.outcome(ctx, who, method, number, err) }, nil
}

// outcome notes how a spend ended. That the note fails changes nothing of what
// was decided.
func (c *Consent) outcome(ctx context.Context, who, method string, of int64, err error) {
	text := "done"
	if err != nil {
		text = string(walletcore.CodeOf(err))
	}
	_, _ = c.log.Append(context.WithoutCancel(ctx), Entry{Who: who, Method: method, Of: of, Outcome: text})
}

// what names accounts, amount and asset; never the memo.
func what(m *walletapi.Method, params rpcserver.Params) string {
	texts, err := m.ByRole(params)
	if err != nil {
		return "parameters that cannot be read"
	}
	out := ""
	for _, part := range []struct {
		role walletapi.Role
		word string
	}{{walletapi.RoleAmount, ""}, {walletapi.RoleAsset, ""}, {walletapi.RoleAccount, "from "}, {walletapi.RoleDestination, "to "}, {walletapi.RoleBroadcast, "broadcast "}, {walletapi.RoleRequestKey, "key "}} {
		if text := texts[part.role]; text != "" {
			out += fmt.Sprintf("%s%.80s ", part.word, text)
		}
	}
	return out[:max(0, len(out)-1)]
}

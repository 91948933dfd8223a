package attack

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
)

// policyProbes come with a token whose scope lets them, so that the wallet's policy
// alone stands between, or with one that is for reading. None could do anything
// if it passed: the key is nobody's, the password empty, parameters are missing.
func policyProbes() []probe {
	keys := func(t Target) string { return t.Keys }
	return []probe{
		policyProbe("a private key is exported", "get_private_key", `["DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"]`, keys, keysGuarded),
		policyProbe("a private key is imported", "import_key", `["nobody-has-this-name","no key"]`, keys, keysGuarded),
		policyProbe("the password is changed", "set_password", `[""]`, keys, keysGuarded),
		policyProbe("a token for reading accounts registers one", "register_account", `[]`, func(t Target) string { return t.Reader }, hasReader),
	}
}

func keysGuarded(t Target) string {
	if t.Keys == "" && t.KeysOpen != "" {
		return t.KeysOpen
	}
	return noTokensWithout(t.Keys)
}

func hasReader(t Target) string { return noTokensWithout(t.Reader) }

func noTokensWithout(credential string) string {
	if credential == "" {
		return noTokens
	}
	return ""
}

// policyProbe calls an operation with a token, on the port of websockets over one.
func policyProbe(name, method, params string, token, needs func(Target) string) probe {
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	return probe{name: name, needs: needs, run: func(ctx context.Context, c *client) (bool, string, error) {
		text, err := c.callAs(ctx, token(c.target), body)
		if timeout, late := errors.AsType[net.Error](err); late && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
			return true, "the call waits for a person", nil
		}
		return strings.Contains(text, `"name":"forbidden"`), reply{body: text}.did()[2:], err
	}}
}

// callAs returns the answer to one call with a token.
func (c *client) callAs(ctx context.Context, token, body string) (string, error) {
	if c.port != "websocket" {
		q := post(body, plainJSON())
		q.token = token
		r, err := c.send(ctx, q)
		return r.body, err
	}
	conn, r, err := c.open(ctx, "", http.Header{"Authorization": {"Bearer " + token}})
	if err != nil {
		return "", err
	}
	if conn == nil {
		return r.body, nil
	}
	defer conn.Close()
	return ask(conn, []byte(body))
}

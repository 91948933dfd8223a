package attack

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
)

// policyProbes returns calls with a token whose scope allows them, so that only the wallet's
// policy can refuse them, and one with a token for reading. None could do anything if it were
// executed: the key belongs to nobody, the password is empty, or parameters are missing.
func policyProbes() []probe {
	keys := func(t Target) string { return t.Keys }
	return []probe{
		policyProbe("a private key is exported", "get_private_key", `["DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"]`, keys, skipWithoutKeys),
		policyProbe("a private key is imported", "import_key", `["nobody-has-this-name","no key"]`, keys, skipWithoutKeys),
		policyProbe("the password is changed", "set_password", `[""]`, keys, skipWithoutKeys),
		policyProbe("a token for reading accounts registers one", "register_account", `[]`, func(t Target) string { return t.Reader }, skipWithoutReader),
	}
}

func skipWithoutKeys(t Target) string {
	if t.Keys == "" && t.KeysOpen != "" {
		return t.KeysOpen
	}
	return skipWithout(t.Keys)
}

func skipWithoutReader(t Target) string { return skipWithout(t.Reader) }

func skipWithout(credential string) string {
	if credential == "" {
		return noTokens
	}
	return ""
}

// policyProbe returns the attack of calling an operation with a token.
func policyProbe(name, method, params string, token, skip func(Target) string) probe {
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	return probe{name: name, skip: skip, run: func(ctx context.Context, c *client) (bool, string, error) {
		text, err := c.callAs(ctx, token(c.target), body)
		if timeout, late := errors.AsType[net.Error](err); late && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
			return true, "the call waits for a person", nil
		}
		return strings.Contains(text, `"name":"forbidden"`), reply{body: text}.summary()[2:], err
	}}
}

// callAs returns the answer to one call with a token, over a websocket on the websocket port.
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

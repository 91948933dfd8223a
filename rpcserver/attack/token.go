package attack

import (
	"context"
	"net/http"
	"strings"
)

// tokenProbes returns calls with a token that does not permit them.
func tokenProbes() []probe {
	return []probe{
		tokenProbe("no token", func(Target) string { return "" }, skipWithoutAuth),
		tokenProbe("an invented token", func(t Target) string { return t.Token[:len(t.Token)-1] + "#" }, skipWithoutAuth),
		tokenProbe("a revoked token is replayed", func(t Target) string { return t.Revoked }, skipWithoutRevoked),
		tokenProbe("a token calls what is out of its scope", func(t Target) string { return t.Narrow }, skipWithoutNarrow),
	}
}

const noTokens = "the wallet asks for no token: every program on this machine may call it; --rpc-auth changes that"

func skipWithoutAuth(t Target) string {
	if t.Token == "" {
		return noTokens
	}
	return ""
}

func skipWithoutRevoked(t Target) string {
	if t.Revoked == "" {
		return noTokens
	}
	return ""
}

func skipWithoutNarrow(t Target) string {
	if t.Narrow == "" {
		return noTokens
	}
	return ""
}

// tokenProbe returns an attack that sends a token as bearer and as basic authentication,
// and on the websocket port in a handshake as well.
func tokenProbe(name string, token func(Target) string, skip func(Target) string) probe {
	return probe{name: name, skip: skip, run: func(ctx context.Context, c *client) (bool, string, error) {
		shown := token(c.target)
		for _, header := range headersOf(shown) {
			q := post(call, plainJSON())
			for key := range header {
				q.header[key] = header.Get(key)
			}
			r, err := c.send(ctx, q)
			if err != nil || r.executed() || !strings.Contains(r.body, `"error"`) {
				return false, r.summary(), err
			}
			if c.port != "websocket" {
				return true, r.summary(), nil
			}
			if refused, detail, err := c.tokenSocket(ctx, header); err != nil || !refused {
				return false, detail, err
			}
		}
		return true, "refused on both", nil
	}}
}

func headersOf(token string) []http.Header {
	if token == "" {
		return []http.Header{{}}
	}
	basic := &http.Request{Header: http.Header{}}
	basic.SetBasicAuth("billfold", token)
	return []http.Header{{"Authorization": {"Bearer " + token}}, basic.Header}
}

// tokenSocket opens a websocket with a token, makes a call if it opens, and reports whether
// the server refused one of the two.
func (c *client) tokenSocket(ctx context.Context, header http.Header) (bool, string, error) {
	conn, r, err := c.open(ctx, "", header)
	if err != nil {
		return false, "", err
	}
	if conn == nil {
		return r.status >= 400, r.summary(), nil
	}
	defer conn.Close()
	text, err := ask(conn, []byte(call))
	return err == nil && !strings.Contains(text, `"result"`), text, err
}

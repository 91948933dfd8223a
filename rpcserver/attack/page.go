package attack

import (
	"context"
	"net/http"
	"strings"
)

const evil = "https://evil.example"

// pageProbes returns what a web page in a browser on this machine can try. The requests
// carry the token, as if the page had got hold of it.
func pageProbes() []probe {
	return []probe{
		refusedPost("a web page posts a text/plain form (CSRF)", "", call, map[string]string{"Origin": evil, "Content-Type": "text/plain"}),
		refusedPost("a web page posts an ordinary form (CSRF)", "", call, map[string]string{"Origin": evil, "Content-Type": "application/x-www-form-urlencoded"}),
		refusedPost("a sandboxed page or a file posts (Origin: null)", "", call, map[string]string{"Origin": "null", "Content-Type": "text/plain"}),
		refusedPost("a page posts without Origin, with Sec-Fetch-Site", "", call, map[string]string{"Sec-Fetch-Site": "cross-site", "Content-Type": "text/plain"}),
		refusedPost("an old browser posts a form, with Referer alone", "", call, map[string]string{"Referer": evil + "/", "Content-Type": "text/plain"}),
		refusedPost("a name rebound to 127.0.0.1 (DNS rebinding)", "evil.example:PORT", call, map[string]string{"Content-Type": "application/json"}),
		refusedPost("a rebound name that begins with localhost", "localhost.evil.example:PORT", call, map[string]string{"Content-Type": "application/json"}),
		refusedPost("a rebound page of the same origin", "evil.example:PORT", call, map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}),
		{name: "a page asks whether it may (CORS pre-flight)", run: preflight},
	}
}

func preflight(ctx context.Context, c *client) (bool, string, error) {
	r, err := c.send(ctx, request{method: http.MethodOptions, body: http.NoBody, header: map[string]string{
		"Origin": evil, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}})
	for name := range r.header {
		if strings.HasPrefix(name, "Access-Control-") {
			return false, "it was given " + name, err
		}
	}
	return err == nil && r.status >= 400, r.summary(), err
}

// socketProbes returns attacks over a websocket, to which browsers do not apply the
// same-origin policy.
func socketProbes() []probe {
	return []probe{
		refusedSocket("a web page opens a websocket (cross-site)", "", evil),
		refusedSocket("a sandboxed page opens a websocket (Origin: null)", "", "null"),
		refusedSocket("a rebound name opens a websocket", "evil.example:PORT", ""),
		refusedSocket("a rebound page of the same origin opens a websocket", "evil.example:PORT", "http://evil.example:PORT"),
		{name: "a websocket message of 4 MiB", run: largeMessage},
		{name: "a websocket message nested 100,000 deep", run: nestedMessage},
	}
}

func refusedSocket(name, host, origin string) probe {
	return probe{name: name, run: func(ctx context.Context, c *client) (bool, string, error) {
		port := c.addr[strings.LastIndex(c.addr, ":")+1:]
		header := c.authorization()
		if origin != "" {
			header.Set("Origin", strings.ReplaceAll(origin, "PORT", port))
		}
		conn, r, err := c.open(ctx, strings.ReplaceAll(host, "PORT", port), header)
		if err != nil {
			return false, "", err
		}
		if conn != nil {
			_ = conn.Close()
			return false, "the websocket was opened", nil
		}
		return r.status >= 400, r.summary(), nil
	}}
}

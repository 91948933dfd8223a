package attack

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// call is the call that most attacks try to have executed.
const call = `{"jsonrpc":"2.0","id":1,"method":"is_locked","params":[]}`

// exchangeTimeout is the time limit of an exchange that is not meant to be slow.
const exchangeTimeout = 10 * time.Second

// client attacks one port of the target.
type client struct {
	port   string
	addr   string
	target Target
}

// dial connects to the port, with TLS if the target uses it.
func (c *client) dial(ctx context.Context) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.addr)
	if err != nil || c.target.TLS == nil {
		return conn, err
	}
	config := c.target.TLS.Clone()
	config.NextProtos = []string{"http/1.1"}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secure, nil
}

// request is an HTTP request as an attacker forms it.
type request struct {
	method string
	host   string // "" = the listener's own
	header map[string]string
	body   io.Reader
	size   int64 // of the body as announced; -1 = not announced
	token  string
}

func post(body string, header map[string]string) request {
	return request{method: http.MethodPost, header: header, body: strings.NewReader(body), size: int64(len(body))}
}

// reply is the answer to an HTTP request.
type reply struct {
	status int
	header http.Header
	body   string
}

// summary returns the status and the message or the text of the answer, in one short line.
func (r reply) summary() string {
	text := r.body
	if i := strings.Index(text, `"message":"`); i >= 0 {
		text, _, _ = strings.Cut(text[i+len(`"message":"`):], `"`)
	}
	const most = 90
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%d %s", r.status, strings.TrimSpace(text))
}

func (r reply) executed() bool { return strings.Contains(r.body, `"result"`) }

// send sends q on a new connection.
func (c *client) send(ctx context.Context, q request) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeTimeout)
	defer cancel()
	scheme := "http"
	req, err := http.NewRequestWithContext(ctx, q.method, scheme+"://"+c.addr+"/rpc", q.body)
	if err != nil {
		return reply{}, err
	}
	req.Host, req.ContentLength = q.host, q.size
	if q.host == "" {
		req.Host = c.addr
	}
	for name, value := range q.header {
		req.Header.Set(name, value)
	}
	if q.token != "" {
		req.Header.Set("Authorization", "Bearer "+q.token)
	}
	client := &http.Transport{DisableKeepAlives: true, DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) }}
	resp, err := client.RoundTrip(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return reply{resp.StatusCode, resp.Header, string(text)}, err
}

// open opens a websocket. If the server refuses it, the connection is nil and the reply is the server's.
func (c *client) open(ctx context.Context, host string, header http.Header) (*websocket.Conn, reply, error) {
	dialer := websocket.Dialer{HandshakeTimeout: exchangeTimeout,
		NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return c.dial(ctx) }}
	if host != "" {
		header.Set("Host", host)
	}
	conn, resp, err := dialer.DialContext(ctx, "ws://"+c.addr+"/", header)
	switch {
	case err == nil:
		return conn, reply{}, nil
	case resp == nil:
		return nil, reply{}, err
	}
	text, _ := io.ReadAll(resp.Body) // as far as it arrives
	_ = resp.Body.Close()
	return nil, reply{resp.StatusCode, resp.Header, string(text)}, nil
}

func (c *client) authorization() http.Header {
	h := http.Header{}
	if c.target.Token != "" {
		h.Set("Authorization", "Bearer "+c.target.Token)
	}
	return h
}

// ask sends one message on a websocket and reads the answer to it.
func ask(conn *websocket.Conn, message []byte) (string, error) {
	_ = conn.SetWriteDeadline(time.Now().Add(exchangeTimeout))
	if err := conn.WriteMessage(websocket.TextMessage, message); err != nil {
		return "", err
	}
	_ = conn.SetReadDeadline(time.Now().Add(exchangeTimeout))
	_, text, err := conn.ReadMessage()
	return string(bytes.TrimSpace(text)), err
}

// checkAnswers fails unless the server answers an honest call. Otherwise an attack might
// be refused for another reason.
func (c *client) checkAnswers(ctx context.Context) error {
	q := post(call, map[string]string{"Content-Type": "application/json"})
	q.token = c.target.Token
	r, err := c.send(ctx, q)
	if err != nil {
		return err
	}
	if r.status != http.StatusOK || !r.executed() {
		return errors.New(r.summary())
	}
	return nil
}

// bearer returns the header line with the token, "" if there is none.
func (c *client) bearer() string {
	if c.target.Token == "" {
		return ""
	}
	return "Authorization: Bearer " + c.target.Token + "\r\n"
}

func plainJSON() map[string]string { return map[string]string{"Content-Type": "application/json"} }

package attack

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	hugeSize     = 64 << 20    // bytes announced
	largeSize    = 4 << 20     // bytes really sent
	nestingDepth = 100_000     // of nested arrays
	byteInterval = time.Second // between the bytes of a slow client
)

// sizeProbes returns what a greedy or hostile client can try.
func sizeProbes() []probe {
	return []probe{
		{name: "a request of 64 MiB is announced", run: announced},
		refusedPost("a request of 4 MiB", "", `{"id":1,"method":"is_locked","pad":"`+strings.Repeat("x", largeSize)+`"}`, plainJSON()),
		{name: "a request of 4 MiB of unknown length", run: chunked},
		{name: "arrays nested 100,000 deep", run: nested},
		{name: "a compressed request (zip bomb)", run: compressed},
		{name: "a header of 1 MiB", run: longHeader},
		{name: "a header sent a byte a second (slow-loris)", run: slowHeader},
		{name: "a body sent a byte a second", run: slowBody},
	}
}

func announced(ctx context.Context, c *client) (bool, string, error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return false, "", err
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /rpc HTTP/1.1\r\nHost: %s\r\nExpect: 100-continue\r\nContent-Length: %d\r\n%s\r\n", c.addr, hugeSize,
		c.bearer())
	if err != nil {
		return false, "", err
	}
	return refusedAnswer(conn, exchangeTimeout)
}

// refusedAnswer reads the answer on a raw connection and reports whether it is a refusal:
// a status of 400 or more, or a closed connection.
func refusedAnswer(conn net.Conn, wait time.Duration) (bool, string, error) {
	_ = conn.SetReadDeadline(time.Now().Add(wait))
	text := make([]byte, 64) // the status is enough
	n, err := conn.Read(text)
	switch {
	case n > 0:
		line, _, _ := strings.Cut(string(text[:n]), "\r\n")
		return strings.HasPrefix(line, "HTTP/1.1 4") || strings.HasPrefix(line, "HTTP/1.1 5"), strings.TrimPrefix(line, "HTTP/1.1 "), nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return false, "the connection was kept for " + wait.String(), nil
	default:
		return true, "the connection was closed", nil
	}
}

func chunked(ctx context.Context, c *client) (bool, string, error) {
	body := strings.NewReader(`{"id":1,"method":"is_locked","pad":"` + strings.Repeat("x", largeSize) + `"}`)
	r, err := c.send(ctx, request{method: http.MethodPost, header: plainJSON(), body: io.NopCloser(body), size: -1, token: c.target.Token})
	if err != nil { // the server may close the connection before all is sent
		return true, "the connection was closed", ctx.Err()
	}
	return r.status >= 400 && !r.executed(), r.summary(), nil
}

func deep() string {
	params := strings.Repeat("[", nestingDepth) + strings.Repeat("]", nestingDepth)
	return `{"jsonrpc":"2.0","id":1,"method":"is_locked","params":` + params + "}"
}

func nested(ctx context.Context, c *client) (bool, string, error) {
	q := post(deep(), plainJSON())
	q.token = c.target.Token
	r, err := c.send(ctx, q)
	return err == nil && !r.executed() && strings.Contains(r.body, `"error"`), r.summary(), err
}

// zipBomb is a call with many trailing blanks, compressed. It is made once, since that takes longer than sending it.
var zipBomb = sync.OnceValues(func() (string, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, call+strings.Repeat(" ", largeSize))
	err = errors.Join(err, w.Close())
	return b.String(), err
})

func compressed(ctx context.Context, c *client) (bool, string, error) {
	body, err := zipBomb()
	if err != nil {
		return false, "", err
	}
	q := post(body, map[string]string{"Content-Type": "application/json", "Content-Encoding": "gzip"})
	q.token = c.target.Token
	r, err := c.send(ctx, q)
	if err != nil { // the server may close the connection before all is sent
		return true, "the connection was closed", ctx.Err()
	}
	return r.status >= 400 && !r.executed(), r.summary(), nil
}

func longHeader(ctx context.Context, c *client) (bool, string, error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return false, "", err
	}
	defer conn.Close()
	_ = conn.SetWriteDeadline(time.Now().Add(exchangeTimeout))
	// The server may close the connection before all is sent; its answer is read in any case.
	_, _ = fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nHost: %s\r\nX-Pad: %s\r\n\r\n", c.addr, strings.Repeat("x", 1<<20))
	return refusedAnswer(conn, exchangeTimeout)
}

func slowHeader(ctx context.Context, c *client) (bool, string, error) {
	return slowly(ctx, c, "POST /rpc HTTP/1.1\r\nHost: "+c.addr+"\r\nX-Pad: ")
}

func slowBody(ctx context.Context, c *client) (bool, string, error) {
	return slowly(ctx, c,
		"POST /rpc HTTP/1.1\r\nHost: "+c.addr+"\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"+c.bearer()+"\r\n")
}

// slowly sends head at once and then a byte a second until the server closes the
// connection, which it must do within the target's patience.
func slowly(ctx context.Context, c *client, head string) (bool, string, error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return false, "", err
	}
	defer conn.Close()
	start := time.Now()
	if _, err := io.WriteString(conn, head); err != nil {
		return false, "", err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = conn.SetReadDeadline(start.Add(c.target.Patience))
		_, _ = io.Copy(io.Discard, conn)
	}()
	defer func() { <-ended }()
	defer conn.Close()
	for tick := time.NewTicker(byteInterval); ; {
		select {
		case <-ended:
			tick.Stop()
			took := time.Since(start).Round(time.Second / 10)
			return took < c.target.Patience, "the connection was cut after " + took.String(), nil
		case <-ctx.Done():
			return false, "", ctx.Err()
		case <-tick.C:
			_, _ = io.WriteString(conn, "x") // fails once the server has closed the connection, as ended shows
		}
	}
}

func largeMessage(ctx context.Context, c *client) (bool, string, error) {
	return refusedMessage(ctx, c, []byte(`{"id":1,"method":"is_locked","pad":"`+strings.Repeat("x", largeSize)+`"}`))
}

func nestedMessage(ctx context.Context, c *client) (bool, string, error) {
	return refusedMessage(ctx, c, []byte(deep()))
}

func refusedMessage(ctx context.Context, c *client, message []byte) (bool, string, error) {
	conn, r, err := c.open(ctx, "", c.authorization())
	if err != nil {
		return false, "", err
	}
	if conn == nil {
		return false, "", errors.New("an honest websocket was refused: " + r.summary())
	}
	defer conn.Close()
	text, err := ask(conn, message)
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return true, "the websocket was closed: " + closed.Text, nil
	}
	if err != nil {
		return false, "", err
	}
	return !strings.Contains(text, `"result"`), reply{body: text}.summary()[2:], nil
}

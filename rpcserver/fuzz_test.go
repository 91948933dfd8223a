package rpcserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// fuzzedServer is a server that receives the inputs of a fuzzer, together with an honest client
// that must be served all the time.
type fuzzedServer struct {
	*testServer
	feed   *Feed
	honest net.Conn

	inputs     int
	goroutines int              // how many there are when nobody calls
	heap       runtime.MemStats // after the first inputs
}

// inputTimeout is the time limit of one input. It is reached only if something hangs.
const inputTimeout = 20 * time.Second

func newFuzzedServer(f *testing.F) *fuzzedServer {
	s := &fuzzedServer{feed: NewFeed()}
	s.testServer = open(f, func(o *Options) {
		o.Logger, o.Feed, o.Limits.Body, o.Limits.Depth, o.Limits.Batch = nil, s.feed, 16<<10, 16, 8
		wallet := o.Caller
		o.Caller = CallerFunc(func(ctx context.Context, method string, p Params) (json.RawMessage, error) {
			if method == "slow" {
				return nil, slowCall(ctx)
			}
			return wallet.Call(ctx, method, p)
		})
	})
	var err error
	if s.honest, err = net.Dial("tcp", s.HTTPAddr()); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.honest.Close() })
	return s
}

// slowCall is a slow call: it ends with its client, or after a short while.
func slowCall(ctx context.Context) error {
	late := time.NewTimer(2 * time.Millisecond)
	defer late.Stop()
	select {
	case <-ctx.Done():
	case <-late.C:
	}
	return ctx.Err()
}

// connect connects. The connection has a deadline, in case something hangs.
func connect(t *testing.T, addr string) net.Conn {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(inputTimeout))
	return conn
}

// sendAndRead sends text and closes its sending side, returns all that the server sends until it
// closes, and closes the connection. reset means that the server closed without reading
// everything, which may have destroyed answers.
func sendAndRead(t *testing.T, conn net.Conn, text string) (got []byte, reset bool) {
	defer conn.Close()
	var sending sync.WaitGroup
	sending.Go(func() {
		_, _ = io.WriteString(conn, text) // it may be refused before all is sent
		_ = conn.(*net.TCPConn).CloseWrite()
	})
	got, err := io.ReadAll(conn)
	sending.Wait()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("neither an answer nor a close within %s; until then came %.200q", inputTimeout, got)
	}
	return got, err != nil
}

// checkHealthy checks that the honest client is served after every input and, now and then,
// that the inputs so far have left nothing behind. That is not checked each time, because
// net/http lingers for half a second if it closes with an unread body.
func (s *fuzzedServer) checkHealthy(t *testing.T) {
	s.callHonestly(t)
	if s.goroutines == 0 {
		s.goroutines = runtime.NumGoroutine()
	}
	if s.inputs++; s.inputs%100 == 0 {
		s.waitQuiet(t)
	}
	if s.inputs%2000 == 0 {
		s.checkMemory(t)
	}
}

// waitQuiet waits until no connection and no goroutine of the inputs is left.
func (s *fuzzedServer) waitQuiet(t *testing.T) {
	for end := time.Now().Add(inputTimeout); !s.onlyHonestClient() || runtime.NumGoroutine() > s.goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines have become %d: %v", s.goroutines, runtime.NumGoroutine(), goleak.Find())
		}
	}
}

// checkMemory compares the memory in use with that after the first inputs. The limit for bytes is
// generous, since the fuzzer itself takes some 35 MB at unpredictable times.
func (s *fuzzedServer) checkMemory(t *testing.T) {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	if s.heap.HeapObjects == 0 {
		s.heap = now
	}
	if now.HeapObjects > s.heap.HeapObjects+3000 || now.HeapAlloc > s.heap.HeapAlloc+(64<<20) {
		t.Fatalf("%d objects of %d bytes in use have become %d of %d after %d inputs",
			s.heap.HeapObjects, s.heap.HeapAlloc, now.HeapObjects, now.HeapAlloc, s.inputs)
	}
}

// callHonestly makes an honest call on the first connection.
func (s *fuzzedServer) callHonestly(t *testing.T) {
	_ = s.honest.SetDeadline(time.Now().Add(inputTimeout))
	fmt.Fprintf(s.honest, "POST /rpc HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", s.HTTPAddr(), len(isLocked), isLocked)
	resp, err := http.ReadResponse(bufio.NewReader(s.honest), nil)
	if err != nil {
		t.Fatal("an honest client was not served:", err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil || string(text) != unlocked {
		t.Fatalf("an honest client was answered %d %s (%v)", resp.StatusCode, text, err)
	}
}

// onlyHonestClient reports whether only the honest client's connection is open.
func (s *fuzzedServer) onlyHonestClient() bool {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	return len(s.sessions.open) == 0 && s.endpoints[ListenHTTP].on.openConns() == 1 && s.endpoints[ListenWebsocket].on.openConns() == 0
}

func (l *listener) openConns() int {
	c := l.server.Handler.(*front).conns
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// FuzzHTTP sends the head of a request, in which HOST stands for the server's address, and
// a body: with its length (0), without one (1), or in chunks of that many bytes.
func FuzzHTTP(f *testing.F) {
	const post = "POST /rpc HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json"
	for _, body := range []string{
		isLocked, "", "{", "[]", "[1]", "[" + isLocked + "," + isLocked + "]", strings.Repeat("[", 40), "\xff\xfe",
		`{"method":"call","params":[0,"echo",["x"]]}`, `{"jsonrpc":"2.0","method":"note"}`, `{"id":1,"method":"slow"}`,
		`{"id":1,"method":"echo","params":{"a":1,"a":2}}`, `{"id":1,"method":"panic","params":["x"]}`, strings.Repeat(" ", 20<<10),
		`{"id":"` + strings.Repeat("i", 300) + `","method":"large"}`, `{"id":1,"method":"fail","params":[510,{"code":1}]}`,
	} {
		f.Add(post, []byte(body), byte(0))
		f.Add(post, []byte(body), byte(5))
	}
	for _, head := range []string{
		"GET /healthz HTTP/1.1\r\nHost: HOST", "HEAD /readyz HTTP/1.1\r\nHost: HOST", "GET /rpc HTTP/1.0", "POST / HTTP/1.0\r\nHost: HOST",
		post + "\r\nContent-Encoding: gzip", post + "\r\nExpect: 100-continue", post + "\r\nContent-Length: 5", post + "\r\nTransfer-Encoding: gzip, chunked",
		post + "\r\nOrigin: https://evil.example", post + "\r\nSec-Fetch-Site: cross-site", post + "\r\nConnection: Upgrade\r\nUpgrade: websocket",
		post + "\r\nHost: other", post + "\r\nX: " + strings.Repeat("y", 20<<10), "POST /rpc HTTP/1.1\r\nHost: evil", "POST /rpc HTTP/9.9", "\x16\x03\x01", "PRI * HTTP/2.0",
		post + "\r\nAuthorization: Basic Og==", post + "\r\nContent-Length: 99999999999999999999", post + "\r\n folded: yes",
	} {
		f.Add(head, []byte(isLocked), byte(0))
		f.Add(head, []byte(isLocked), byte(1))
	}
	s := newFuzzedServer(f)
	f.Fuzz(func(t *testing.T, head string, body []byte, framing byte) {
		text := strings.ReplaceAll(head, "HOST", s.HTTPAddr()) + "\r\n" + frame(body, framing)
		got, reset := sendAndRead(t, connect(t, s.HTTPAddr()), text)
		if len(got) > 0 && !reset {
			checkHTTP(t, got, strings.HasPrefix(head, "HEAD"))
		}
		s.checkHealthy(t)
	})
}

// frame returns a body preceded by the end of the header.
func frame(body []byte, framing byte) string {
	switch framing {
	case 0:
		return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	case 1:
		return "\r\n" + string(body)
	}
	var b strings.Builder
	b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
	for len(body) > 0 {
		n := min(int(framing), len(body))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}

// checkHTTP checks the first answer: it is HTTP, allows nothing to web pages, and is JSON
// if it claims to be.
func checkHTTP(t *testing.T, got []byte, headOnly bool) {
	asked := &http.Request{Method: http.MethodPost}
	if headOnly {
		asked.Method = http.MethodHead
	}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(got)), asked)
	if err != nil {
		t.Fatalf("%.200q is no HTTP answer: %v", got, err)
	}
	for name := range resp.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Fatalf("a CORS header was sent: %s", name)
		}
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%.200q is cut off: %v", got, err)
	}
	if resp.Header.Get("Content-Type") == "application/json" && !headOnly && !json.Valid(body) {
		t.Fatalf("%.200q is no JSON", body)
	}
}

package rpcserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

// TestMain lets more tests run at a time than there are processors, since they mostly wait.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")) // ends half a second after hanging up
}

const secret = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"

// fakeWallet is a fake wallet.
type fakeWallet struct {
	mu      sync.Mutex
	notes   int
	started chan struct{} // a slow call has started
	release chan struct{} // closed: slow calls end
	ended   chan error    // why a slow call ended early
	events  *walletapi.Catalogue
}

func newFakeWallet() *fakeWallet {
	return &fakeWallet{
		started: make(chan struct{}, 100), release: make(chan struct{}), ended: make(chan error, 100),
		events: walletapi.New(walletapi.Core{}),
	}
}

func (d *fakeWallet) Call(ctx context.Context, method string, p Params) (json.RawMessage, error) {
	switch method {
	case "is_locked":
		return json.RawMessage("false"), nil
	case "nothing":
		return nil, nil
	case "echo":
		return echo(p), nil
	case "fail":
		return nil, fail(p.Positional)
	case "panic":
		panic(string(p.Positional[0]))
	case "leak":
		return nil, errors.New("the password is " + secret)
	case "note", "notes":
		return d.note(method), nil
	case "slow":
		return d.slow(ctx)
	case "subscribe", "unsubscribe":
		return d.events.Call(ctx, method, p)
	case "secret":
		return encode("secret"), nil
	case "large":
		return encode(strings.Repeat("x", 256<<10)), nil
	default:
		return nil, &fault.Error{Code: fault.UnknownMethod, Message: "There is no operation of that name.", Hint: "call help"}
	}
}

func echo(p Params) json.RawMessage {
	if p.Named != nil {
		return encode(p.Named)
	}
	parts := make([][]byte, len(p.Positional))
	for i, part := range p.Positional {
		parts[i] = part
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
}

func fail(params []json.RawMessage) error {
	e := &fault.Error{Message: "It failed.", Err: errors.New("the password is " + secret)}
	if len(params) > 1 {
		e.Data = params[1]
	}
	return errors.Join(e, json.Unmarshal(params[0], &e.Code))
}

func (d *fakeWallet) note(method string) json.RawMessage {
	d.mu.Lock()
	defer d.mu.Unlock()
	if method == "note" {
		d.notes++
	}
	return encode(d.notes)
}

func (d *fakeWallet) slow(ctx context.Context) (json.RawMessage, error) {
	d.started <- struct{}{}
	select {
	case <-d.release:
		return json.RawMessage(`"done"`), nil
	case <-ctx.Done():
		d.ended <- ctx.Err()
		return nil, ctx.Err()
	}
}

// testServer is a running server with a fake wallet. Every test closes it at its end.
type testServer struct {
	*Server
	t      testing.TB
	wallet *fakeWallet
	log    *bytes.Buffer // safe to read after stop
	stop   func() error
}

// open starts a server on both transports; adjust may be nil.
func open(t testing.TB, adjust func(*Options)) *testServer {
	t.Helper()
	h := &testServer{t: t, wallet: newFakeWallet(), log: new(bytes.Buffer)}
	o := Options{
		HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0", Caller: h.wallet,
		AllowedHosts:   []string{"pay.example", "proxied.example:444"},
		AllowedOrigins: []string{"https://wallet.example"},
		Logger:         slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		NotReady:       func() string { return "the wallet waits for its daemon" },
	}
	if adjust != nil {
		adjust(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	h.Server = s
	h.stop = sync.OnceValue(func() error {
		cancel()
		return <-served
	})
	t.Cleanup(func() {
		if err := h.stop(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *testServer) dial(header http.Header) (*websocket.Conn, *http.Response, error) {
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+h.WSAddr()+"/", header)
	if err == nil {
		h.t.Cleanup(func() { _ = conn.Close() })
	}
	return conn, resp, err
}

func (h *testServer) mustDial() *websocket.Conn {
	h.t.Helper()
	conn, _, err := h.dial(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return conn
}

// get returns status and text of a page; 0 if nobody answers.
func (h *testServer) get(addr, path string) (status int, text string) {
	h.t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + addr + path)
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Error(err)
	}
	return resp.StatusCode, string(body)
}

// post sends body as curl would, and returns status and answer.
func (h *testServer) post(addr, body string) (int, string) {
	h.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post("http://"+addr+"/rpc", "application/json", strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func send(t testing.TB, conn *websocket.Conn, text string) {
	t.Helper()
	if err := conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func receive(t testing.TB, conn *websocket.Conn) string {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, text, err := conn.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNewRefusesAddresses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for addr, want := range map[string]string{
		"0.0.0.0:0":            "other machines would reach this port",
		":0":                   "other machines would reach this port",
		"[::]:0":               "other machines would reach this port",
		"127.0.0.1":            "is not an address to listen on",
		taken.Addr().String():  "another program uses this port",
		"":                     "needs a wallet to call and an address",
		"127.0.0.1:notanumber": "is not an address to listen on",
	} {
		if _, err := New(Options{HTTPAddr: addr, Caller: newFakeWallet()}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New on %q: %v, want %q", addr, err, want)
		}
	}
	// The first listener is closed if the second cannot be opened.
	free, _ := net.Listen("tcp", "127.0.0.1:0")
	addr := free.Addr().String()
	_ = free.Close()
	if _, err := New(Options{HTTPAddr: addr, WSAddr: "0.0.0.0:0", Caller: newFakeWallet()}); !errors.Is(err, ErrBeyondLoopback) {
		t.Fatal(err)
	}
	s, err := New(Options{HTTPAddr: addr, Caller: newFakeWallet()})
	if err != nil {
		t.Fatal(err)
	}
	if s.HTTPAddr() != addr || s.WSAddr() != "" {
		t.Errorf("listens on %q and %q", s.HTTPAddr(), s.WSAddr())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestBeyondLoopbackAnswersItsOwnAddress(t *testing.T) {
	h := open(t, func(o *Options) { o.HTTPAddr, o.BeyondLoopback = "0.0.0.0:0", true })
	_, port, _ := net.SplitHostPort(h.HTTPAddr())
	if status, text := h.post("127.0.0.1:"+port, `{"id":1,"method":"is_locked"}`); status != 200 {
		t.Error(status, text)
	}
}

func TestServeAnswersRunningCallsBeforeItEnds(t *testing.T) {
	h := open(t, nil)
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"slow"}`)
	posted := make(chan string)
	go func() {
		_, text := h.post(h.HTTPAddr(), `{"id":2,"method":"slow"}`)
		posted <- text
	}()
	<-h.wallet.started
	<-h.wallet.started
	stopped := make(chan error)
	go func() { stopped <- h.stop() }()
	for status, text := 0, ""; status != http.StatusServiceUnavailable; { // the end has begun
		if status, text = h.get(h.HTTPAddr(), "/readyz"); status == 0 {
			t.Fatal("the port is closed while calls run")
		}
		if strings.Contains(text, "daemon") { // which the wallet waits for all the time
			status = 0
		}
	}
	if status, text := h.get(h.HTTPAddr(), "/healthz"); status != http.StatusOK {
		t.Errorf("a server that ends answers /healthz with %d %s", status, text)
	}
	// Who comes now is sent elsewhere with the same request key, over both transports.
	const late = `{"jsonrpc":"2.0","id":3,"method":"slow"}`
	if status, text := h.post(h.HTTPAddr(), late); !strings.Contains(text, `"data":{"name":"draining",`) || !strings.Contains(text, "with the same request key") {
		t.Errorf("who comes late is told %d %s", status, text)
	}
	send(t, conn, late)
	if text := receive(t, conn); !strings.Contains(text, `"name":"draining"`) {
		t.Errorf("who comes late is told %s", text)
	}
	close(h.wallet.release)
	if got := receive(t, conn); got != `{"jsonrpc":"2.0","id":1,"result":"done"}` {
		t.Error(got)
	}
	if got := <-posted; got != `{"jsonrpc":"2.0","id":2,"result":"done"}` {
		t.Error(got)
	}
	if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseGoingAway) {
		t.Error(err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// Where others may take its place, a server says that it ends until a load balancer has seen it, although no call runs.
func TestServeSaysForAWhileThatItEnds(t *testing.T) {
	const notice = 300 * time.Millisecond
	h := open(t, func(o *Options) { o.Notice = notice })
	began, stopped := time.Now(), make(chan error)
	go func() { stopped <- h.stop() }()
	told := false
	for ended := false; !ended; {
		select {
		case err := <-stopped:
			ended = true
			if err != nil {
				t.Error(err)
			}
		default:
			status, text := h.get(h.HTTPAddr(), "/readyz")
			told = told || status == http.StatusServiceUnavailable && strings.Contains(text, endingReason)
		}
	}
	if !told || time.Since(began) < notice {
		t.Errorf("it ended after %s; somebody was told: %v", time.Since(began), told)
	}
}

func TestServeCancelsCallsThatOutlastDraining(t *testing.T) {
	h := open(t, func(o *Options) { o.Limits.DrainTime = 50 * time.Millisecond })
	conn := h.mustDial()
	send(t, conn, `{"id":1,"method":"slow"}`)
	posted := make(chan string)
	go func() {
		_, text := h.post(h.HTTPAddr(), `{"jsonrpc":"2.0","id":2,"method":"slow"}`)
		posted <- text
	}()
	<-h.wallet.started
	<-h.wallet.started
	if err := h.stop(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := <-h.wallet.ended; err == nil {
			t.Error("a call ended without a reason")
		}
	}
	if got := <-posted; !strings.Contains(got, `"code":9,"message":"The call was cancelled`) {
		t.Error(got)
	}
}

func TestServeEndsWhenAListenerFails(t *testing.T) {
	s, err := New(Options{HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0", Caller: newFakeWallet()})
	if err != nil {
		t.Fatal(err)
	}
	_ = s.endpoints[ListenWebsocket].on.Close()
	if err := s.Serve(context.Background()); err == nil {
		t.Error("served without a listener")
	}
}

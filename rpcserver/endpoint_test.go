package rpcserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// noTokens accepts no token.
type noTokens struct{}

func (noTokens) Authenticate(string, netip.Addr) (Principal, error) {
	return nil, errors.New("no such token")
}

type testRedactor struct{}

func (testRedactor) OneRowPerCall(method string) bool { return method == "echo" }

func (testRedactor) VisibleParams(method string, p Params) (bool, string) {
	switch method {
	case "unlock":
		return true, walletapi.Hidden
	case "is_locked", "slow", "echo":
		text, _ := json.Marshal(p.Positional)
		return true, string(text)
	}
	return false, ""
}

// serveUntilEnd returns a server that runs until the test ends.
func serveUntilEnd(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	for s.Switch(ListenHTTP, true) != nil { // until it runs
		time.Sleep(time.Millisecond)
	}
	return s
}

func posted(t *testing.T, addr, body string) (status int, text string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post("http://"+addr+"/rpc", "application/json", strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, string(all)
}

const askLocked = `{"jsonrpc":"2.0","id":1,"method":"is_locked","params":[]}`

// A closed listener answers nobody, ends its websockets, and can be opened again. The other listener continues.
func TestListenersAreSwitchedWhileServing(t *testing.T) {
	t.Parallel()
	wallet := newFakeWallet()
	s := serveUntilEnd(t, Options{HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0", Caller: wallet, Traffic: NewTraffic(testRedactor{})})
	httpAddr, wsAddr := s.HTTPAddr(), s.WSAddr()
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+wsAddr, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	defer conn.Close()
	slow := make(chan string, 1)
	go func() {
		_, text := posted(t, httpAddr, `{"jsonrpc":"2.0","id":1,"method":"slow","params":[]}`)
		slow <- text
	}()
	<-wallet.started
	go func() { time.Sleep(50 * time.Millisecond); close(wallet.release) }()
	if err := s.Switch(ListenHTTP, false); err != nil {
		t.Fatal(err)
	}
	if text := <-slow; !strings.Contains(text, `"result"`) {
		t.Errorf("a call that ran when its listener was closed was answered %s", text)
	}
	if status, text := posted(t, httpAddr, askLocked); status != 0 || s.HTTPAddr() != "" {
		t.Errorf("a closed listener answered %d %s", status, text)
	}
	if err := conn.WriteMessage(websocket.TextMessage, []byte(askLocked)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.ReadMessage(); err != nil {
		t.Errorf("the other listener: %v", err)
	}
	if err := s.Switch(ListenWebsocket, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.ReadMessage(); err == nil {
		t.Error("a websocket outlived its listener")
	}
	if err := errors.Join(s.Switch(ListenHTTP, true), s.Switch(ListenWebsocket, true)); err != nil {
		t.Fatal(err)
	}
	if status, text := posted(t, s.HTTPAddr(), askLocked); status != http.StatusOK {
		t.Errorf("a listener that was opened again answered %d %s", status, text)
	}
	again, resp, err := websocket.DefaultDialer.Dial("ws://"+s.WSAddr(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	_ = again.Close()
	if err := s.Switch(ListenSocket, true); err == nil {
		t.Error("a listener without an address was opened")
	}
}

// A listener that the settings do not name requires a token, and is reachable only on this machine.
func TestSpareListenerRequiresTokenOnLoopback(t *testing.T) {
	t.Parallel()
	s := serveUntilEnd(t, Options{SpareHTTP: "127.0.0.1:0", SpareWS: "0.0.0.0:0", Caller: newFakeWallet(), Authenticator: noTokens{},
		AllowAnonymous: true, BeyondLoopback: true, Traffic: NewTraffic(testRedactor{})})
	if status, _ := posted(t, s.HTTPAddr(), askLocked); status != http.StatusUnauthorized {
		t.Errorf("who shows no token gets %d", status)
	}
	if err := s.Switch(ListenWebsocket, true); !errors.Is(err, ErrBeyondLoopback) {
		t.Errorf("a spare listener opened to other machines: %v", err)
	}
	calls := s.traffic.Calls()
	if len(calls) != 1 || calls[0].Status != http.StatusUnauthorized || calls[0].Method != "" {
		t.Errorf("the traffic is %+v", calls)
	}
}

// Paid and refused calls never share a row, nor do calls with different outcomes.
func TestTrafficSeparatesOutcomes(t *testing.T) {
	traffic := NewTraffic(testRedactor{})
	by, no := Requester{Who: "shop", Via: "HTTP"}, &wireError{Numbers: same(1, "forbidden")}
	for _, end := range []*wireError{nil, no, no} { // each may spend
		traffic.callEnded(traffic.callStarted(by, "echo", Params{}), end)
	}
	for _, end := range []*wireError{nil, no, nil, no} {
		traffic.callEnded(traffic.callStarted(by, "is_locked", Params{}), end)
	}
	together := []*Call{traffic.callStarted(by, "slow", Params{}), traffic.callStarted(by, "slow", Params{})}
	traffic.callEnded(together[0], nil)
	traffic.callEnded(together[1], no)
	var got []string
	for _, c := range traffic.Calls() {
		got = append([]string{fmt.Sprint(c.Method, " ", c.Count, c.Running, c.Fault)}, got...)
	}
	want := []string{"echo 1 0", "echo 1 0forbidden", "echo 1 0forbidden", "is_locked 1 0", "is_locked 1 0forbidden", "is_locked 1 0",
		"is_locked 1 0forbidden", "slow 1 0", "slow 1 0forbidden"}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are %q", got)
	}
}

// Secrets and unknown methods are not shown in the traffic, a flood is one row, and a client can be cut off.
func TestTrafficShowsCallsWithoutSecrets(t *testing.T) {
	t.Parallel()
	traffic := NewTraffic(testRedactor{})
	s := serveUntilEnd(t, Options{HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0", Caller: newFakeWallet(), Traffic: traffic})
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+s.WSAddr(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	defer conn.Close()
	for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"unlock","params":["correct horse"]}`,
		`{"jsonrpc":"2.0","id":1,"method":"` + secret + `","params":["` + secret + `"]}`, askLocked} {
		if err := conn.WriteMessage(websocket.TextMessage, []byte(body)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := conn.ReadMessage(); err != nil {
			t.Fatal(err)
		}
	}
	calls := traffic.Calls()
	text, err := json.Marshal(calls)
	if err != nil || len(calls) != 3 || strings.Contains(string(text), "horse") || strings.Contains(string(text), secret) {
		t.Errorf("the traffic is %s", text)
	}
	if calls[2].Params != walletapi.Hidden || calls[1].Method != "" || calls[0].Method != "is_locked" || calls[0].Fault != "" {
		t.Errorf("the traffic is %s", text)
	}
	now := time.Now()
	traffic.now = func() time.Time { now = now.Add(time.Millisecond); return now }
	for range 5000 {
		traffic.callEnded(traffic.callStarted(Requester{Who: "flood", Via: "HTTP"}, "is_locked", Params{}), nil)
	}
	if calls = traffic.Calls(); calls[0].Count != 5000 || len(calls) != 4 {
		t.Errorf("a flood is %d rows, the first of %d", len(calls), calls[0].Count)
	}
	for range 2 * maxCalls {
		now = now.Add(time.Second)
		traffic.callEnded(traffic.callStarted(Requester{Who: "steady", Via: "HTTP"}, "is_locked", Params{}), nil)
	}
	if calls = traffic.Calls(); len(calls) != maxCalls {
		t.Errorf("%d calls are kept", len(calls))
	}
	for _, c := range traffic.Clients() {
		if c.Open && !s.CutOff(c.Number) {
			t.Error("the websocket was not cut off")
		}
	}
	if _, _, err := conn.ReadMessage(); err == nil {
		t.Error("a client that was cut off still hears")
	}
}

// A request without a Host is not told that its Host is a wrong one.
func TestNoHostIsToldAsNone(t *testing.T) {
	request := httptest.NewRequest(http.MethodPost, "/rpc", nil)
	for host, want := range map[string]string{"": "has no Host", "evil.example": "is not an address of this wallet"} {
		request.Host = host
		if no := (&requestFilter{}).check(request); no == nil || !strings.Contains(no.fault.message, want) {
			t.Errorf("%q: %+v", host, no)
		}
	}
}

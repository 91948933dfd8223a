package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"billfold/tui/page/rpc"
)

// Without a listener in the settings, the page opens one on this machine that requires a token. Making, changing and
// revoking a token on the page takes effect with its next call, and calls are shown without secrets.
func TestTheRPCPageOpensListenersAndMakesTokens(t *testing.T) {
	s, err := readSettings(t, "")
	must(t, err)
	p, err := newProgram(s)
	must(t, err)
	defer p.close()
	v, err := p.newServer(nil)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- v.Serve(ctx) }()
	defer func() { cancel(); must(t, <-served) }()
	page, tokens := rpcPage{v}, tokenPage{p, v.tokens}
	addr := func() string { return page.Listeners()[0].Addr }
	if on := page.Listeners()[0]; on.On || !on.Token || on.Beyond || on.Addr != "http://"+defaultHTTP+"/rpc" {
		t.Fatalf("it begins with %+v", on)
	}
	if err := openHTTP(t, page); err != nil {
		t.Skip("the port is taken: ", err)
	}
	call := func(token, body string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, addr(), strings.NewReader(body))
		must(t, err)
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Do(req)
		must(t, err)
		must(t, resp.Body.Close())
		return resp.StatusCode
	}
	const locked, unlock = `{"id":1,"method":"is_locked","params":[]}`, `{"id":1,"method":"unlock","params":["correct horse"]}`
	if got := call("", locked); got != http.StatusUnauthorized {
		t.Errorf("who shows no token gets %d", got)
	}
	if _, err := tokens.New(ctx, "till", rpc.Policy{PerPayment: "much"}); err == nil {
		t.Error("a limit that is none was taken")
	}
	want := rpc.Policy{May: "is_locked, Transfers:spends", PerPayment: "5 DCT", PerDay: "50 DCT", AskAbove: "1 DCT"}
	text, err := tokens.New(ctx, "till", want)
	must(t, err)
	if got := call(string(text), locked); got != http.StatusOK {
		t.Errorf("the token gets %d", got)
	}
	call(string(text), unlock)
	list, err := tokens.List(ctx)
	must(t, err)
	if len(list) != 1 || list[0].Policy != want {
		t.Fatalf("the tokens are %+v", list)
	}
	must(t, tokens.Change(ctx, list[0].ID, rpc.Policy{May: "help"}))
	if got := call(string(text), locked); got == http.StatusOK {
		t.Error("the earlier policy still applies")
	}
	must(t, tokens.Revoke(ctx, list[0].ID))
	if got := call(string(text), locked); got != http.StatusUnauthorized {
		t.Errorf("a revoked token gets %d", got)
	}
	for _, c := range page.Calls() {
		if strings.Contains(c.Params+c.Message+c.Method, "horse") {
			t.Errorf("the password is in %+v", c)
		}
	}
	if calls, clients := page.Calls(), page.Clients(); len(calls) < 4 || len(clients) == 0 || clients[0].Who != "till" {
		t.Errorf("%d calls of %+v", len(calls), clients)
	}
	must(t, page.Switch("HTTP", false))
	if page.Listeners()[0].On {
		t.Error("the listener is still on")
	}
}

// openHTTP opens the HTTP listener once the server runs.
func openHTTP(t *testing.T, page rpcPage) (err error) {
	t.Helper()
	for range 200 {
		if err = page.Switch("HTTP", true); err == nil || !strings.Contains(err.Error(), "does not run") {
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return err
}

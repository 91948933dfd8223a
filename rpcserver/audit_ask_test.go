package rpcserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// askAll are rules under which a person is asked about everything.
var askAll = audit.Rules{Spends: audit.Ask, Keys: audit.Ask, Guarded: true}

// approvalServer is alice's wallet behind an RPC server that asks a person.
type approvalServer struct {
	*testing.T
	box    *sandbox.Sandbox
	wallet *walletcore.Wallet
	path   string // of the store
	log    *audit.Log
	queue  *approval.Queue
	url    string
	token  string // the credential of the programs; "" without an authenticator
	held   int64  // bobby's balance, in DCT's smallest unit
}

func newApprovalServer(t *testing.T, rules audit.Rules) *approvalServer {
	return newApprovalServerWithTokens(t, rules, nil)
}

// newApprovalServerWithTokens requires one of tokens from programs, unless it is nil.
func newApprovalServerWithTokens(t *testing.T, rules audit.Rules, tokens *token.Store) *approvalServer {
	t.Helper()
	folder := t.TempDir()
	on, kept := testwallet.Keeping(t, folder)
	path := filepath.Join(folder, sqlite.Name)
	c := &approvalServer{T: t, box: on.Box, wallet: on.Wallet, path: path, log: audit.NewLog(kept.Audit), queue: approval.New()}
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet})
	options := rpcserver.Options{
		HTTPAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call), Spends: api.Spends,
		Decider: audit.NewDecider(rules, c.log, c.queue),
	}
	if tokens != nil {
		options.Authenticator = token.NewAuthenticator(tokens, token.NewSpent(kept.Limits, on.Wallet.Payments.LedgerTime), token.LedgerOf(on.Wallet))
	}
	server, err := rpcserver.New(options)
	must(t, err)
	testwallet.Run(t, server.Serve)
	c.bobbyReceived()
	c.url = "http://" + server.HTTPAddr() + "/rpc"
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return c
}

// pay asks for a payment over HTTP and returns the channel of the answer.
func (c *approvalServer) pay(ctx context.Context) <-chan string {
	return c.call(ctx, "transfer", `["alice","bobby","12.25","DCT","a secret memo",true]`)
}

func (c *approvalServer) call(ctx context.Context, method, params string) <-chan string {
	out := make(chan string, 1)
	go func() {
		body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
		text, err := postAs(ctx, http.DefaultClient, c.url, c.token, body)
		if err != nil {
			text = err.Error()
		}
		out <- text
	}()
	return out
}

// postAs posts a request with a token, if it is not "", and returns the answer.
func postAs(ctx context.Context, client *http.Client, url, token, body string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// waiting waits until n requests wait, and returns them.
func (c *approvalServer) waiting(n int) []approval.Request {
	c.Helper()
	for {
		changed := c.queue.Changed()
		if list := c.queue.Waiting(); len(list) == n {
			return list
		}
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			c.Fatalf("there never were %d requests", n)
		}
	}
}

// bobbyReceived makes a block and returns how often bobby was paid since the last call.
func (c *approvalServer) bobbyReceived() int64 {
	c.Helper()
	_, err := c.box.Mine()
	must(c, err)
	who, err := c.wallet.View.Accounts.Get(c.Context(), "bobby")
	must(c, err)
	held, err := c.wallet.View.Assets.Balances(c.Context(), who.ID)
	must(c, err)
	before := c.held
	c.held = held[0].Amount
	return (c.held - before) / 12_2500_0000
}

// logSummary returns the log in short form.
func (c *approvalServer) logSummary() string {
	c.Helper()
	list, _ := verifyLog(c.T, c.log)
	var out []string
	for _, e := range list {
		out = append(out, strings.TrimSpace(fmt.Sprint(e.Decision, " ", e.Rule, e.Outcome)))
	}
	return strings.Join(out, "; ")
}

func TestAPersonIsAsked(t *testing.T) {
	t.Parallel()
	c := newApprovalServer(t, askAll)
	answer := c.pay(t.Context())
	r := c.waiting(1)[0]
	if r.Who != "anybody" || r.Via != "HTTP" || r.From != "" || r.Method != "transfer" ||
		r.Review.Amount != 12_2500_0000 || r.Review.To.Name != "bobby" || r.Review.Memo != "a secret memo" {
		t.Errorf("shown is %+v", r)
	}
	if n := c.bobbyReceived(); n != 0 {
		t.Errorf("%d payments before the yes", n)
	}
	must(t, c.queue.Approve(r.Number))
	var signed struct{ Result struct{ Signatures []string } }
	if text := <-answer; json.Unmarshal([]byte(text), &signed) != nil || len(signed.Result.Signatures) != 1 {
		t.Error(text)
	}
	if n := c.bobbyReceived(); n != 1 {
		t.Errorf("%d payments after the yes", n)
	}
	answer = c.pay(t.Context())
	must(t, c.queue.Deny(c.waiting(1)[0].Number))
	if text := <-answer; !strings.Contains(text, `"code":-32010`) || !strings.Contains(text, "Denied by the owner") {
		t.Error(text)
	}
	if n := c.bobbyReceived(); n != 0 {
		t.Errorf("%d payments after the no", n)
	}
	if got := c.logSummary(); got != "ask programs have to ask; allow a person approved; done; ask programs have to ask; deny a person denied" {
		t.Error(got)
	}
	list, _ := verifyLog(t, c.log)
	if want := "alice paid 12.25000000 DCT to bobby (asked: 12.25 DCT from alice to bobby broadcast true)"; list[0].What != want {
		t.Errorf("%q is written down", list[0].What)
	}
}

func TestNothingIsPaidAfterTheProgramStopsWaiting(t *testing.T) {
	t.Parallel()
	c := newApprovalServer(t, askAll)
	ctx, leave := context.WithCancel(t.Context())
	answer := c.pay(ctx)
	r := c.waiting(1)[0]
	leave()
	<-answer
	c.waiting(0)
	if err := c.queue.Approve(r.Number); !errors.Is(err, approval.ErrGone) {
		t.Error(err)
	}
	answer = c.pay(t.Context())
	c.waiting(1)
	c.queue.Close() // the terminal was closed
	if text := <-answer; !strings.Contains(text, `"code":-32010`) || !strings.Contains(text, "closing") {
		t.Error(text)
	}
	if n := c.bobbyReceived(); n != 0 {
		t.Errorf("%d payments", n)
	}
	if got := c.logSummary(); got != "ask programs have to ask; deny the program stopped waiting; ask programs have to ask; deny the terminal was closed" {
		t.Error(got)
	}
}

func TestTokenRevokedWhileWaitingPaysNothing(t *testing.T) {
	t.Parallel()
	tokens, err := token.OpenStore(filepath.Join(t.TempDir(), "rpc-tokens.json"))
	must(t, err)
	c := newApprovalServerWithTokens(t, askAll, tokens)
	made, credential, err := tokens.New("shop", token.Scope{})
	must(t, err)
	c.token = credential
	answer := c.pay(t.Context())
	r := c.waiting(1)[0]
	_, err = tokens.Revoke(made.Name)
	must(t, err)
	if err := c.queue.Approve(r.Number); err == nil {
		t.Error("it was approved")
	}
	if text := <-answer; !strings.Contains(text, `"code":-32010`) || !strings.Contains(text, "no longer valid") {
		t.Error(text)
	}
	if n := c.bobbyReceived(); n != 0 {
		t.Errorf("%d payments", n)
	}
	if got := c.logSummary(); got != "ask programs have to ask; deny the token was revoked, or has expired, before the answer" {
		t.Error(got)
	}
}

func TestTooManyApprovalsAreToldToRetry(t *testing.T) {
	t.Parallel()
	c := newApprovalServer(t, askAll)
	var answers []<-chan string
	for range 8 {
		answers = append(answers, c.pay(t.Context()))
	}
	for _, r := range c.waiting(8) {
		defer func() { must(t, c.queue.Deny(r.Number)) }()
	}
	if text := <-c.pay(t.Context()); !strings.Contains(text, `"code":-32005`) || !strings.Contains(text, `"retry_after_ms":10000`) {
		t.Error(text)
	}
	t.Cleanup(func() {
		for _, a := range answers {
			<-a
		}
	})
}

// Spends that a token may not make are recorded, repeated ones once a minute.
func TestRefusalsOfTokensAreRecorded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := openLog(t)
		c := audit.NewDecider(allowAll, l, nil)
		by := rpcserver.Requester{Who: "till", Via: "websocket", From: "192.0.2.7"}
		refused := func() {
			const message = "This token may not pay more than 5 DCT."
			c.Refused(t.Context(), by, "transfer", payArgs(""), &rpcserver.Denied{Message: message})
		}
		for range 100 {
			refused()
		}
		c.Refused(t.Context(), by, "get_account", rpcserver.Params{}, &rpcserver.Denied{Message: "no"})
		list, _ := verifyLog(t, l)
		if len(list) != 1 || list[0].Decision != "deny" || list[0].Rule != "This token may not pay more than 5 DCT." ||
			list[0].Via != "websocket from 192.0.2.7" {
			t.Errorf("%+v", list)
		}
		time.Sleep(time.Minute)
		refused()
		if list, _ = verifyLog(t, l); len(list) != 2 ||
			list[1].Rule != "This token may not pay more than 5 DCT. (99 more like this before)" {
			t.Errorf("a minute later: %+v", list)
		}
	})
}

// What a caller asks for makes no kind of its own: refusals of new destinations each time are one record, and many tokens
// take nobody's kind away.
func TestRefusalsDoNotFillTheLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := openLog(t)
		c := audit.NewDecider(allowAll, l, nil)
		refused := func(who, to string) {
			c.Refused(t.Context(), rpcserver.Requester{Who: who}, "transfer", payArgs(""),
				&rpcserver.Denied{Message: "This token may not pay " + to + "."})
		}
		for i := range 600 {
			refused("till", fmt.Sprint("stranger-", i))
		}
		if list, _ := verifyLog(t, l); len(list) != 1 {
			t.Errorf("%d records of 600 refusals", len(list))
		}
		for i := range 1500 {
			refused(fmt.Sprint("token-", i), "bobby")
		}
		refused("till", "bobby")
		list, _ := verifyLog(t, l)
		if len(list) != 1001 {
			t.Errorf("%d records of refusals to 1,501 tokens, want one each of 1,000 and one of the others", len(list))
		}
		time.Sleep(time.Minute)
		refused("till", "bobby")
		if list, _ = verifyLog(t, l); !strings.HasSuffix(list[len(list)-1].Rule, "(600 more like this before)") {
			t.Errorf("what was left out is not counted: %+v", list[len(list)-1])
		}
	})
}

// A token's own rule about asking overrides the policy, unless the policy denies.
func TestTokenRuleOverridesThePolicy(t *testing.T) {
	t.Parallel()
	l, written := openLog(t), 0
	for _, c := range []struct {
		policy audit.Policy
		asks   rpcserver.Approval
		want   string // ask, allow or deny
	}{
		{audit.Allow, rpcserver.ApprovalByPolicy, "allow"}, {audit.Allow, rpcserver.NeverAsk, "allow"}, {audit.Allow, rpcserver.AlwaysAsk, "ask"},
		{audit.Ask, rpcserver.ApprovalByPolicy, "ask"}, {audit.Ask, rpcserver.NeverAsk, "allow"}, {audit.Ask, rpcserver.AlwaysAsk, "ask"},
		{audit.Deny, rpcserver.ApprovalByPolicy, "deny"}, {audit.Deny, rpcserver.NeverAsk, "deny"}, {audit.Deny, rpcserver.AlwaysAsk, "deny"},
	} {
		by := rpcserver.Requester{Who: "till", Approval: c.asks, Why: "the rule of till"}
		with, _, err := audit.NewDecider(audit.Rules{Spends: c.policy}, l, approval.New()).Decide(t.Context(), by, "transfer", payArgs(""))
		got := "allow"
		switch {
		case err != nil:
			got = "deny"
		case with.Begin != nil:
			must(t, with.Begin(t.Context(), walletapi.Question{}))
		case with.Approve != nil:
			got = "ask"
		}
		list, _ := verifyLog(t, l)
		if got != c.want || (len(list) == written) != (c.want == "ask") {
			t.Errorf("policy %s, token %d: %s, %+v", c.policy, c.asks, got, list)
		}
		written = len(list)
	}
}

package rpcserver_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// A payment that counts against a limit, is recorded in the audit log and has a request key costs one
// commit, which is one wait for the disk. What is recorded about it later goes along with the next commit.
func TestAnAuditedPaymentIsOneCommit(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	kept, err := sqlite.Options{
		Linger: time.Hour,
	}.Open(
		filepath.Join(folder, sqlite.Name),
	) // records that nobody waits for get no commit of their own
	must(t, err)
	t.Cleanup(func() { must(t, kept.Close()) })
	on := testwallet.New(t, func(cfg *walletcore.Config) { cfg.Store = kept })
	on.Hold("alice")
	_, err = on.Box.Mine()
	must(t, err)
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})
	tokens, err := token.OpenStore(filepath.Join(folder, "tokens.json"))
	must(t, err)
	c := &caller{}
	limits := []token.Limit{{Amount: "1000", Asset: "DCT"}}
	_, c.credential, err = tokens.New("payer",
		token.Scope{Methods: []string{"transfer"}, PerDay: limits, AskAbove: limits, AskAboveDay: limits})
	must(t, err)
	log := audit.NewLog(kept.Audit)
	w := &walker{T: t, wallet: on.Wallet, client: &http.Client{Transport: &http.Transport{}}}
	w.server, err = rpcserver.New(rpcserver.Options{
		HTTPAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call), Spends: api.Spends,
		Authenticator: token.NewAuthenticator(tokens, token.NewSpent(kept.Limits, on.Wallet.Payments.LedgerTime), token.LedgerOf(on.Wallet)),
		Decider:       audit.NewDecider(audit.Rules{Spends: audit.Allow, Keys: audit.Deny, Guarded: true}, log, nil),
	})
	must(t, err)
	testwallet.Run(t, w.server.Serve)
	t.Cleanup(w.client.CloseIdleConnections)
	pay := func(n int) string {
		return w.post(c, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"transfer","params":["alice","bobby","1","DCT","",true,"order-%d"]}`, n))
	}
	commits := func() int64 {
		at, err := kept.Journal.Position(t.Context())
		must(t, err)
		return at.Commit
	}
	pay(0) // pins new accounts and assets
	for last := int64(-1); last != commits(); time.Sleep(500 * time.Millisecond) {
		last = commits() // what the wallet reads from the ledger on its own is written by now
	}
	const payments = 20
	before := commits()
	for n := range payments {
		if text := pay(n + 1); !strings.Contains(text, `"result"`) {
			t.Fatal(text)
		}
	}
	if made := commits() - before; made != payments {
		t.Errorf("%d payments made %d commits", payments, made)
	}
	pay(payments) // a repeat makes no commit
	if made := commits() - before; made != payments {
		t.Errorf("a repeated request made %d commits", made-payments)
	}

	// Each payment has a record that allowed it and one of its outcome, and counts.
	allowed, done := 0, 0
	_, err = log.Verify(t.Context(), func(r audit.Record) {
		switch {
		case r.Decision == string(audit.Allow):
			allowed++
		case r.Outcome == "done" && r.Of > 0:
			done++
		}
	})
	must(t, err)
	if allowed != payments+2 || done != payments+2 {
		t.Errorf("%d calls, %d allowed, %d done", payments+2, allowed, done)
	}
}

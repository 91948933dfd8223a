package rpcserver_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/rpcserver"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"
)

// A program that guesses ten times a second leaves turns to another one that knows the password.
func TestGuessingKeepsNobodyElseOut(t *testing.T) {
	t.Parallel()
	on := testwallet.New(t, nil)
	on.Hold("alice")
	on.Wallet.Vault.Lock()
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})
	folder := testwallet.Folder(t)
	store, err := token.OpenStore(filepath.Join(folder, "tokens.json"))
	must(t, err)
	kept, err := sqlite.Open(filepath.Join(folder, sqlite.Name))
	must(t, err)
	defer func() { must(t, kept.Close()) }()
	guesser, owner := &caller{}, &caller{}
	for name, c := range map[string]*caller{"guesser": guesser, "owner": owner} {
		_, c.credential, err = store.New(name, token.Scope{})
		must(t, err)
	}
	w := &walker{T: t, wallet: on.Wallet, client: &http.Client{Transport: &http.Transport{}}}
	w.server, err = rpcserver.New(rpcserver.Options{HTTPAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call),
		Authenticator: token.NewAuthenticator(store, token.NewSpent(kept.Limits, on.Wallet.Payments.LedgerTime),
			token.LedgerOf(on.Wallet)), PasswordWait: on.Wallet.Vault.PasswordWait})
	must(t, err)
	testwallet.Run(t, w.server.Serve)
	t.Cleanup(w.client.CloseIdleConnections)

	unlock := func(c *caller, password string) string {
		return w.post(c, `{"jsonrpc":"2.0","id":1,"method":"unlock","params":["`+password+`"]}`)
	}
	for range 3 { // two are free, the third makes everybody wait
		if text := unlock(guesser, "wrong"); !strings.Contains(text, "aes_exception") {
			t.Fatal(text)
		}
	}
	wait := on.Wallet.Vault.PasswordWait()
	if wait <= 0 {
		t.Fatal("nobody has to wait")
	}
	for end := time.Now().Add(wait); time.Now().Before(end.Add(100 * time.Millisecond)); time.Sleep(100 * time.Millisecond) {
		if text := unlock(guesser, "wrong"); !strings.Contains(text, "too_many_tries") {
			t.Errorf("the guesser gets a turn: %s", text)
		}
	}
	for range 3 {
		if text := unlock(guesser, "wrong"); !strings.Contains(text, "too_many_tries") {
			t.Errorf("the guesser gets the first turn: %s", text)
		}
	}
	if text := unlock(owner, testwallet.Password); !strings.Contains(text, `"result":null`) {
		t.Errorf("the owner is told %s", text)
	}
}

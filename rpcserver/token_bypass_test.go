package rpcserver_test

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"billfold/rpcserver"
	"billfold/rpcserver/audit"
	"billfold/rpcserver/auth/token"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/walletapi"

	"github.com/gorilla/websocket"
)

// However a call is written, a token that may pay bobby 2 DCT pays nobody else and no
// more. The calls are texts, as clients send them, and go through the whole server.
func TestNoWayAroundALimitedToken(t *testing.T) {
	t.Parallel()
	folder := testwallet.Folder(t)
	on, kept := testwallet.Keeping(t, folder)
	on.Mine()
	api := walletapi.New(walletapi.Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})
	store, err := token.OpenStore(filepath.Join(folder, "tokens.json"))
	must(t, err)
	c := &caller{}
	_, c.credential, err = store.New(
		"small",
		token.Scope{Accounts: []string{"alice"}, Destinations: []string{"bobby"}, Assets: []string{"DCT"},
			PerPayment: []token.Limit{{Amount: "2", Asset: "DCT"}}},
	)
	must(t, err)
	w := &walker{T: t, wallet: on.Wallet, queue: approval.New(), client: &http.Client{Transport: &http.Transport{}}}
	w.server, err = rpcserver.New(
		rpcserver.Options{HTTPAddr: "127.0.0.1:0", WSAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call), Spends: api.Spends,
			Authenticator: token.NewAuthenticator(store, token.NewSpent(kept.Limits, on.Wallet.Payments.LedgerTime), token.LedgerOf(on.Wallet)),
			Decider: audit.NewDecider(audit.Rules{Spends: audit.Allow, Keys: audit.Deny, Guarded: true}, audit.NewLog(kept.Audit),
				nil)},
	)
	must(t, err)
	testwallet.Run(t, w.server.Serve)
	t.Cleanup(w.client.CloseIdleConnections)
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+w.server.WSAddr(), http.Header{"Authorization": {"Bearer " + c.credential}})
	must(t, err)
	must(t, resp.Body.Close())
	w.conn = conn
	defer conn.Close()
	for _, body := range []string{
		`{"id":1,"method":"transfer","params":["alice","bobby","3","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","carol","1","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby","0.5","ALX.GOLD","",true]}`,
		`{"id":1,"method":"\u0074ransfer","params":["alice","carol","1","DCT","",true]}`,
		`{"id":1,"method":"Transfer","params":["alice","carol","1","DCT","",true]}`,
		`{"id":1,"method":"transfer ","params":["alice","carol","1","DCT","",true]}`,
		`{"id":1,"method":"call","params":[0,"transfer",["alice","carol","1","DCT","",true]]}`,
		`{"id":1,"method":"call","params":["wallet_api","transfer",{"from":"alice","to":"carol","amount":"1","asset_symbol":"DCT","memo":"","broadcast":true}]}`,
		`{"id":1,"method":"is_locked","method":"transfer","params":["alice","carol","1","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby","1","DCT","",false],"params":["alice","carol","1","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":{"from":"alice","to":"bobby","to":"carol","amount":"1","asset_symbol":"DCT","memo":"","broadcast":true}}`,
		`{"id":1,"method":"transfer","params":{"from":"alice","to":"bobby","\u0074o":"carol","amount":"1","asset_symbol":"DCT","memo":"","broadcast":true}}`,
		`{"id":1,"method":"transfer","params":{"from":"alice","to":"bobby","TO":"carol","amount":"1","asset_symbol":"DCT","memo":"","broadcast":true}}`,
		`{"id":1,"method":"transfer","params":{"from":"alice","to":"bobby","amount":"1","amount":"900","asset_symbol":"DCT","memo":"","broadcast":true}}`,
		`{"id":1,"method":"transfer","params":{"0":"alice","1":"carol","from":"alice","to":"bobby","amount":"1","asset_symbol":"DCT","memo":"","broadcast":true}}`,
		`{"id":1,"method":"transfer","params":["alice","bobby","2.000000001","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby",2.00000001,"DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby",1e3,"DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby","18446744073709551617","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby","92233720369","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","2.13.0","1","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","b\u043ebby","1","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["alice","bobby\u0000carol","1","DCT","",true]}`,
		`{"id":1,"method":"transfer","params":["bobby","bobby","1","DCT","",true]}`,
		`{"id":1,"method":"register_account","params":["newcomer","DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV","DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV","alice",true]}`,
		`{"id":1,"method":"dump_private_keys"}`, `{"id":1,"method":"unlock","params":["x"]}`, `{"id":1,"method":"list_my_accounts"}`,
		`{"method":"transfer","params":["alice","carol","1","DCT","",true]}`, // a notification
		`[{"id":1,"method":"is_locked"},{"id":2,"method":"transfer","params":["alice","carol","1","DCT","",true]},{"method":"transfer","params":["alice","bobby","3","DCT","",true]}]`,
		`[[{"id":2,"method":"transfer","params":["alice","carol","1","DCT","",true]}]]`,
		`{"jsonrpc":"2.0","id":1,"method":"transfer","params":["alice","bobby","1","DCT","",true,"","carol"]}`,
	} {
		for _, text := range []string{w.post(c, body), w.sendAndMark(body)} {
			if strings.Contains(text, `"transaction_id"`) || strings.Contains(text, "ec_keys") {
				t.Errorf("%s\n%s", body, text)
			}
		}
	}
	if list := w.wallet.Payments.Recent(); len(list) != 0 {
		t.Errorf("%d payments were made: %+v", len(list), list)
	}
	// The token can make the payments it is for, however they are written.
	for _, body := range []string{
		`{"id":1,"method":"transfer","params":["alice","bobby","2","DCT","",true]}`,
		`{"id":1,"method":"call","params":[0,"transfer",["alice","bobby",1.5,"1.3.0","","true"]]}`,
		`{"id":1,"method":"\u0074ransfer","params":{"from":"alice","t\u006f":"bobby","amount":"1","asset_symbol":"DCT","memo":"hello","broadcast":1}}`,
	} {
		if text := w.post(c, body); !strings.Contains(text, `"transaction_id"`) {
			t.Errorf("%s\n%s", body, text)
		}
	}
	if list := w.wallet.Payments.Recent(); len(list) != 3 {
		t.Errorf("%d payments were made", len(list))
	}
	refused := 0
	_, err = audit.NewLog(kept.Audit).Verify(context.Background(), func(e audit.Record) {
		if e.Decision == string(audit.Deny) {
			refused++
		}
	})
	must(t, err)
	if refused != 3 { // one of an operation per minute is recorded: transfer, register_account, dump_private_keys
		t.Errorf("%d denials are in the log", refused)
	}
}

// Events are about all accounts, so a token for one account gets only blocks and the lock,
// however it writes the topics.
func TestEventsForATokenOfOneAccount(t *testing.T) {
	t.Parallel()
	store, err := token.OpenStore(filepath.Join(testwallet.Folder(t), "tokens.json"))
	must(t, err)
	_, credential, err := store.New("alice", token.Scope{Accounts: []string{"alice"}, Methods: []string{"subscribe", "is_new"}})
	must(t, err)
	api := walletapi.New(walletapi.Core{})
	w := &walker{T: t}
	w.server, err = rpcserver.New(
		rpcserver.Options{WSAddr: "127.0.0.1:0", Caller: rpcserver.CallerFunc(api.Call), Feed: rpcserver.NewFeed(),
			Authenticator: token.NewAuthenticator(store, nil, token.Ledger{})},
	)
	must(t, err)
	testwallet.Run(t, w.server.Serve)
	conn, resp, err := websocket.DefaultDialer.Dial("ws://"+w.server.WSAddr(), http.Header{"Authorization": {"Bearer " + credential}})
	must(t, err)
	must(t, resp.Body.Close())
	w.conn = conn
	defer conn.Close()
	for params, hears := range map[string]bool{
		`["blocks"]`: true, `["blocks,lock"]`: true, `[["lock"]]`: true, `{"topics":"blocks"}`: true,
		`["payments"]`: false, `["blocks,payments"]`: false, `[["blocks","b\u0061lances"]]`: false, `{"topics":["deposits"]}`: false,
	} {
		text := w.send(nil, `{"id":1,"method":"subscribe","params":`+params+`}`)
		if strings.Contains(text, `"position"`) != hears || strings.Contains(text, "forbidden") == hears {
			t.Errorf("%s: %s", params, text)
		}
	}
}

// sendAndMark sends a message on the websocket, and then a marker call. It returns all that
// arrives before the answer to the marker.
func (w *walker) sendAndMark(body string) string {
	must(w, w.conn.WriteMessage(websocket.TextMessage, []byte(body)))
	all := ""
	for text := w.send(nil, `{"id":"mark","method":"is_new"}`); ; {
		all += text + "\n"
		if strings.Contains(text, `"id":"mark"`) {
			break
		}
		_, next, err := w.conn.ReadMessage()
		must(w, err)
		text = string(next)
	}
	return all
}

package walletcore_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"

	"github.com/gorilla/websocket"
)

func TestDaemonThatStartsLater(t *testing.T) {
	place, err := net.Listen("tcp", "127.0.0.1:0")
	testwallet.Must(t, err)
	address := place.Addr().String()
	testwallet.Must(t, place.Close())
	s := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), "ws://"+address, nil)
	testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
	s.Until("the first attempt", func() bool { return s.Status().Daemon == walletcore.DaemonOffline })
	if s.Status().DaemonError == "" || s.Status().Head != 0 {
		t.Errorf("the status is %+v", s.Status())
	}
	_, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	faulttest.Refused(t, err, fault.DaemonAway)
	_, err = s.Import.ImportKey(s.Ctx, "alice", testwallet.Key("alice").WIF())
	faulttest.Refused(t, err, fault.DaemonAway)

	s.Box = testwallet.Ledger(t, sandbox.Options{Listen: address})
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.ImportKey("alice", testwallet.Key("alice"))
	s.Mine()
	s.Pay("alice", "bobby", "1", "")
	if got := s.Status(); got.Daemon != walletcore.DaemonOnline || got.Lock != vault.Unlocked || got.ChainID != s.Box.ChainID() {
		t.Errorf("the status is %+v", got)
	}
}

func TestWrongChainIsReportedAndNotQueried(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	_, err := keystore.Create(path, testwallet.Password, keystore.Public{ChainID: ledger.ChainID{1, 2, 3}}, nil, testwallet.CheapKeys())
	testwallet.Must(t, err)
	chain, err := walletcore.ChainOf(path)
	testwallet.Must(t, err)
	client := daemonclient.New(daemonclient.Config{URL: box.URL(), ChainID: chain})
	s := testwallet.Connect(t, path, box.URL(), func(c *walletcore.Config) { c.Daemon = client })
	testwallet.Run(t, client.Run)
	s.Until("the refusal", func() bool { return s.Status().Daemon == walletcore.DaemonWrongChain })
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	_, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	faulttest.Refused(t, err, fault.WrongChain)
	_, err = s.View.Chain.Info(s.Ctx)
	faulttest.Refused(t, err, fault.WrongChain)
}

// garbageDaemon starts a websocket that answers every frame with the same text, and returns its URL.
func garbageDaemon(t testing.TB, answer string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		for {
			if _, _, err := conn.ReadMessage(); err != nil || conn.WriteMessage(websocket.TextMessage, []byte(answer)) != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

func TestGarbageDaemonIsReportedAsSuch(t *testing.T) {
	for _, answer := range []string{"hello", `{"id":1,"result":`, `[]`, "\x00\xff"} {
		s := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), garbageDaemon(t, answer), nil)
		s.Until("an attempt", func() bool { return s.Status().DaemonError != "" })
		_, err := s.View.Chain.Info(s.Ctx)
		if code := fault.CodeOf(err); code != fault.DaemonGarbage && code != fault.DaemonAway {
			t.Errorf("%q: %v", answer, err)
		}
	}
}

// The answers here are JSON, but not what was requested.
func TestNonsenseAnswersAreErrors(t *testing.T) {
	s, r, _ := testwallet.OpenBehindRelay(t)
	for what, c := range map[string]struct {
		from, to string
		act      func() error
	}{
		"account": {`"name":"bobby"`, `"name":{}`, func() error { _, err := s.View.Accounts.Get(s.Ctx, "bobby"); return err }},
		"asset":   {`"precision":4`, `"precision":"x"`, func() error { _, err := s.View.Assets.Get(s.Ctx, "ALX.GOLD"); return err }},
		"fees": {`"current_fees":{`, `"current_fees":7,"x":{`, func() error {
			_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
			return err
		}},
		"head": {`"head_block_id":"`, `"head_block_id":"zz`, func() error {
			_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
			return err
		}},
	} {
		t.Run(what, func(t *testing.T) {
			s.View.Chain.Forget()
			r.Set(func(r *testwallet.Relay) {
				r.Swap = func(answer string) string { return strings.ReplaceAll(answer, c.from, c.to) }
			})
			defer r.Set(func(r *testwallet.Relay) { r.Swap = nil })
			faulttest.Refused(t, c.act(), fault.DaemonGarbage)
		})
	}
	s.View.Chain.Forget() // an answer is cached until the next block
	if got := s.DCT("bobby"); got != 830_0000_0000 {
		t.Errorf("bobby has %d", got)
	}
}

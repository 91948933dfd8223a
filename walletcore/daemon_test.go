package walletcore

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

func TestDaemonThatComesLater(t *testing.T) {
	place, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := place.Addr().String()
	must(t, place.Close())
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), "ws://"+address, nil)
	must(t, s.wallet.Vault.Create(s.ctx, password))
	s.until("the first attempt", func() bool { return s.wallet.Status().Daemon == DaemonOffline })
	if s.wallet.Status().DaemonError == "" || s.wallet.Status().Head != 0 {
		t.Errorf("the status is %+v", s.wallet.Status())
	}
	_, err = s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), payment.Sending{Broadcast: true})
	refused(t, err, fault.DaemonAway)
	_, err = s.wallet.Import.ImportKey(s.ctx, "alice", keyOf("alice").WIF())
	refused(t, err, fault.DaemonAway)

	s.box = ledgerOf(t, sandbox.Options{Listen: address})
	must(t, s.client.WaitOnline(s.ctx))
	s.importKey("alice", keyOf("alice"))
	s.mine()
	s.pay("alice", "bobby", "1", "")
	if got := s.wallet.Status(); got.Daemon != DaemonOnline || got.Lock != vault.Unlocked || got.ChainID != s.box.ChainID() {
		t.Errorf("the status is %+v", got)
	}
}

func TestWrongChainIsToldAndNothingIsAsked(t *testing.T) {
	box := ledgerOf(t, sandbox.Options{})
	path := filepath.Join(t.TempDir(), "wallet.keys")
	_, err := keystore.Create(path, password, keystore.Public{ChainID: ledger.ChainID{1, 2, 3}}, nil, cheap())
	must(t, err)
	chain, err := ChainOf(path)
	must(t, err)
	client := daemonclient.New(daemonclient.Config{URL: box.URL(), ChainID: chain})
	s := connect(t, path, box.URL(), func(c *Config) { c.Daemon = client })
	run(t, client.Run)
	s.until("the refusal", func() bool { return s.wallet.Status().Daemon == DaemonWrongChain })
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	_, err = s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), payment.Sending{Broadcast: true})
	refused(t, err, fault.WrongChain)
	_, err = s.wallet.View.Chain.Info(s.ctx)
	refused(t, err, fault.WrongChain)
}

// garbageDaemon is a websocket that answers every frame with the same text.
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

func TestGarbageDaemonIsToldAsOne(t *testing.T) {
	for _, answer := range []string{"hello", `{"id":1,"result":`, `[]`, "\x00\xff"} {
		s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), garbageDaemon(t, answer), nil)
		s.until("an attempt", func() bool { return s.wallet.Status().DaemonError != "" })
		_, err := s.wallet.View.Chain.Info(s.ctx)
		if code := fault.CodeOf(err); code != fault.DaemonGarbage && code != fault.DaemonAway {
			t.Errorf("%q: %v", answer, err)
		}
	}
}

// Answers that are JSON, but not what was asked for.
func TestNonsenseAnswersAreErrors(t *testing.T) {
	s, r, _ := openBehindRelay(t)
	for what, c := range map[string]struct {
		from, to string
		act      func() error
	}{
		"account": {`"name":"bobby"`, `"name":{}`, func() error { _, err := s.wallet.View.Accounts.Get(s.ctx, "bobby"); return err }},
		"asset":   {`"precision":4`, `"precision":"x"`, func() error { _, err := s.wallet.View.Assets.Get(s.ctx, "ALX.GOLD"); return err }},
		"fees": {`"current_fees":{`, `"current_fees":7,"x":{`, func() error {
			_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), payment.Sending{Broadcast: true})
			return err
		}},
		"head": {`"head_block_id":"`, `"head_block_id":"zz`, func() error {
			_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), payment.Sending{Broadcast: true})
			return err
		}},
	} {
		t.Run(what, func(t *testing.T) {
			s.wallet.View.Chain.Forget()
			r.set(func(r *relay) {
				r.swap = func(answer string) string { return strings.ReplaceAll(answer, c.from, c.to) }
			})
			defer r.set(func(r *relay) { r.swap = nil })
			refused(t, c.act(), fault.DaemonGarbage)
		})
	}
	s.wallet.View.Chain.Forget() // nonsense counts as a fact until the next block
	if got := s.dct("bobby"); got != 830_0000_0000 {
		t.Errorf("bobby has %d", got)
	}
}

func TestAccountsAreReadAnewWithEachBlock(t *testing.T) {
	s := open(t, "alice")
	kept := s.account("bobby")
	if byID, err := s.wallet.View.Accounts.Get(s.ctx, kept.ID.String()); err != nil || byID != kept || s.account("bobby") != kept {
		t.Errorf("an account that was read is not kept until the next block: %v", err)
	}
	if s.mine(); s.account("bobby") == kept {
		t.Error("facts of an earlier block are still used")
	}
}

func TestContentIsPaidWithTheOtherOperation(t *testing.T) {
	s, r, _ := openBehindRelay(t)
	carol := s.account("carol")
	content := `[{"id":"2.13.5","author":"` + carol.ID.String() + `"}]`
	r.set(func(r *relay) {
		r.swap = func(answer string) string { return strings.Replace(answer, `"result":[null]`, `"result":`+content, 1) }
	})
	info, err := s.wallet.Payments.Spend(
		s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: "alice", To: "2.13.5", Amount: "1", Asset: "DCT", Memo: "for the author"},
			build.Transfer),
		payment.Sending{},
	)
	must(t, err)
	op, ok := info.Operations[0].Body.(*ledger.TransferOp)
	if !ok || info.Operations[0].Code != ledger.CodeTransfer || op.To != ledger.NewObjectID(2, 13, 5) {
		t.Fatalf("the operation is %+v", info.Operations[0])
	}
	if text, err := op.Memo.Decrypt(keyOf("carol")); err != nil || text != "for the author" {
		t.Errorf("the author reads %q, %v", text, err)
	}
	review := s.draft(build.TransferParams{From: "alice", To: "2.13.5", Amount: "1", Asset: "DCT"}).Review()
	if review.Operation != "transfer (39)" || review.To.Name != "" || review.ToObject != op.To {
		t.Errorf("the review says %q to %+v %s", review.Operation, review.To, review.ToObject)
	}
}

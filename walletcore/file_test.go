package walletcore

import (
	"path/filepath"
	"testing"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/event"
)

// Two wallets on one file, as in two programs: what one imports the other shows.
func TestKeysOfAnotherProgramAppear(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet.keys")
	open := func() *Wallet {
		w, err := Open(Config{Path: path, Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"}), Keystore: cheap()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { w.Lock() })
		return w
	}
	shown, other := open(), open()
	events, stop := shown.Subscribe()
	defer stop()
	if err := other.Create(t.Context(), "pw"); err != nil {
		t.Fatal(err)
	}
	if err := shown.rereadFile(); err != nil || shown.IsNew() {
		t.Fatalf("a wallet that another program made is not there: %v", err)
	}
	<-events
	<-events
	if err := shown.Unlock(t.Context(), "pw"); err != nil {
		t.Fatal(err)
	}
	<-events
	key := ledger.DeriveKey("key", 0)
	store, err := other.unlocked("test")
	if err == nil {
		err = other.storeKeys(store, &ledger.Account{ID: 34, Name: "alice"}, []ledger.PrivateKey{key})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := shown.rereadFile(); err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Kind != event.Accounts {
		t.Errorf("the event is %v", e.Kind)
	}
	if accounts := shown.Accounts(); len(accounts) != 1 || accounts[0].Name != "alice" {
		t.Errorf("the accounts are %+v", accounts)
	}
	if _, err := shown.PrivateKeyOf(key.Public()); err != nil {
		t.Errorf("the key is not there: %v", err)
	}
}

package vault

import (
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
)

// Two wallets on one file, as in two programs: what one imports the other shows.
func TestKeysOfAnotherProgramAppear(t *testing.T) {
	shown := empty(t, filepath.Join(ramdisk.Folder(t), "wallet.keys"))
	other := empty(t, shown.Path)
	events, stop := shown.Events.Subscribe()
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
	must(t, other.store.Update(func(c *keystore.Contents) error {
		c.AddAccount(34, "alice")
		return c.AddKey(34, key)
	}))
	if err := shown.rereadFile(); err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.Kind != event.Accounts {
		t.Errorf("the event is %v", e.Kind)
	}
	if accounts := shown.Listed(); len(accounts) != 1 || accounts[0].Name != "alice" {
		t.Errorf("the accounts are %+v", accounts)
	}
	if _, err := shown.PrivateKeyOf(key.Public()); err != nil {
		t.Errorf("the key is not there: %v", err)
	}
}

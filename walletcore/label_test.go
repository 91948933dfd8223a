package walletcore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/label"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

func TestOnlyItsWalletReadsALabel(t *testing.T) {
	path := filepath.Join(testwallet.Folder(t), sqlite.Name)
	kept, err := sqlite.Open(path)
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, kept.Close()) })
	w := testwallet.New(t, func(cfg *walletcore.Config) { cfg.Store = kept })
	w.Hold("alice")
	labels, row := w.History.Labels, label.Row{ID: 7, Block: 3}
	expect := func(where string, row label.Row, want string, state vault.MemoState) {
		t.Helper()
		if text, got := labels.Of(row); text != want || got != state {
			t.Errorf("%s: %q, state %d; want %q, state %d", where, text, got, want, state)
		}
	}
	expect("nothing is written", row, "", vault.MemoNone)
	testwallet.Must(t, labels.Set(t.Context(), row, "  Rent of May "))
	testwallet.Must(t, labels.Set(t.Context(), label.Row{ID: 8, Block: 3}, "food"))
	expect("it is written", row, "Rent of May", vault.MemoOpen)
	expect("the chain has another row there", label.Row{ID: 7, Block: 4}, "", vault.MemoNone)
	if found, locked := labels.Find("rent"); len(found) != 1 || found[0] != 7 || locked {
		t.Errorf("found %v, %v", found, locked)
	}
	list, err := kept.Labels.List(t.Context())
	if err != nil || len(list) != 2 || strings.Contains(list[0].Sealed, "Rent") {
		t.Errorf("the store has %+v, %v", list, err)
	}

	w.Vault.Lock()
	expect("it is locked", row, "", vault.MemoLocked)
	if found, locked := labels.Find("rent"); len(found) != 0 || !locked {
		t.Errorf("locked: found %v, %v", found, locked)
	}
	faulttest.Refused(t, labels.Set(t.Context(), row, "x"), fault.Locked)
	testwallet.Must(t, w.Vault.Unlock(t.Context(), testwallet.Password))

	faulttest.Refused(t, labels.Set(t.Context(), row, strings.Repeat("é", label.Size+1)), fault.BadValue)
	again := label.New(label.Config{Vault: w.Vault, Store: kept.Labels})
	testwallet.Must(t, again.Load(t.Context()))
	if text, _ := again.Of(row); text != "Rent of May" {
		t.Errorf("the store gives %q", text)
	}
	testwallet.Must(t, labels.Set(t.Context(), row, " "))
	expect("it is removed", row, "", vault.MemoNone)
}

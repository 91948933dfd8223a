package walletcore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/sqlite"
)

// A form is typed on the way, without a daemon, and is there again later: after a
// restart and another password, and to nobody who does not open the wallet.
func TestATypedFormIsKept(t *testing.T) {
	s := open(t, "alice")
	path := filepath.Join(t.TempDir(), sqlite.Name)
	s.keepDrafts(path)
	const alice, bobby = ledger.AccountID(16), ledger.AccountID(17)
	if list, err := s.wallet.SavedForms(s.ctx, alice); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	req := build.TransferParams{From: "alice", To: "carol", Amount: "250", Asset: "DCT", Memo: "rent november"}
	first, err := s.wallet.SaveForm(s.ctx, alice, req)
	must(t, err)
	second, err := s.wallet.SaveForm(s.ctx, alice, build.TransferParams{To: "bo"}) // half typed
	must(t, err)
	for _, name := range []string{path, path + "-wal"} {
		text, err := os.ReadFile(name)
		must(t, err)
		if strings.Contains(string(text), "rent november") || strings.Contains(string(text), "carol") {
			t.Errorf("%s tells what was typed", filepath.Base(name))
		}
	}
	must(t, s.wallet.Vault.SetPassword("another one"))
	_, err = s.wallet.SavedForms(s.ctx, alice)
	refused(t, err, fault.Locked)
	must(t, s.wallet.Vault.Unlock(s.ctx, "another one"))
	list, err := s.wallet.SavedForms(s.ctx, alice)
	if err != nil || len(list) != 2 || list[0].Number != second || list[1].Number != first || list[1].Request != req ||
		list[1].Saved.IsZero() {
		t.Fatalf("%+v, %v", list, err)
	}
	if list, err := s.wallet.SavedForms(s.ctx, bobby); err != nil || len(list) != 0 {
		t.Errorf("bobby has alice's: %v, %v", list, err)
	}
	must(t, s.wallet.DropForm(s.ctx, first))
	must(t, s.wallet.DropForm(s.ctx, first))
	if list, err = s.wallet.SavedForms(s.ctx, alice); err != nil || len(list) != 1 || list[0].Request.To != "bo" {
		t.Errorf("%+v, %v", list, err)
	}
}

func (s *stage) keepDrafts(path string) {
	s.t.Helper()
	kept, err := sqlite.Open(path)
	must(s.t, err)
	s.t.Cleanup(func() { must(s.t, kept.Close()) })
	s.wallet.drafts = kept.Drafts
}

func TestFormsThatCannotBeKeptAreTold(t *testing.T) {
	s := open(t, "alice")
	_, err := s.wallet.SaveForm(s.ctx, 16, build.TransferParams{})
	refused(t, err, fault.File)
	s.keepDrafts(filepath.Join(t.TempDir(), "missing", sqlite.Name))
	_, err = s.wallet.SaveForm(s.ctx, 16, build.TransferParams{})
	if e := refused(t, err, fault.File); !strings.Contains(e.Hint, "stays in the form") || !errors.Is(err, os.ErrNotExist) {
		t.Error(e)
	}
	s.keepDrafts(filepath.Join(t.TempDir(), sqlite.Name))
	for range mostSavedForms {
		_, err := s.wallet.SaveForm(s.ctx, 16, build.TransferParams{})
		must(t, err)
	}
	_, err = s.wallet.SaveForm(s.ctx, 16, build.TransferParams{})
	refused(t, err, fault.LimitExceeded)
	s.wallet.Vault.Lock()
	_, err = s.wallet.SaveForm(s.ctx, 16, build.TransferParams{})
	refused(t, err, fault.Locked)
}

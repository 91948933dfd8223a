package walletcore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// A form typed without a daemon is still there after a restart and a change of the
// password, and only for someone who unlocks the wallet.
func TestDraftIsKept(t *testing.T) {
	folder := testwallet.Folder(t)
	w, _ := testwallet.Keeping(t, folder)
	path := filepath.Join(folder, sqlite.Name)
	const alice, bobby = ledger.AccountID(16), ledger.AccountID(17)
	if list, err := w.Drafts.List(w.Ctx, alice); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	req := txbuild.TransferParams{From: "alice", To: "carol", Amount: "250", Asset: "DCT", Memo: "rent november"}
	first, err := w.Drafts.Save(w.Ctx, alice, req)
	testwallet.Must(t, err)
	second, err := w.Drafts.Save(w.Ctx, alice, txbuild.TransferParams{To: "bo"}) // half typed
	testwallet.Must(t, err)
	for _, name := range []string{path, path + "-wal"} {
		text, err := os.ReadFile(name)
		testwallet.Must(t, err)
		if strings.Contains(string(text), "rent november") || strings.Contains(string(text), "carol") {
			t.Errorf("%s tells what was typed", filepath.Base(name))
		}
	}
	note, err := w.Drafts.SaveMessage(w.Ctx, alice, draft.Message{To: bobby, Text: "see you", Plain: true})
	testwallet.Must(t, err)
	testwallet.Must(t, w.Vault.SetPassword("another one"))
	_, err = w.Drafts.List(w.Ctx, alice)
	faulttest.Refused(t, err, fault.Locked)
	testwallet.Must(t, w.Vault.Unlock(w.Ctx, "another one"))
	list, err := w.Drafts.List(w.Ctx, alice)
	if err != nil || len(list) != 2 || list[0].Number != second || list[1].Number != first || list[1].Request != req ||
		list[1].Saved.IsZero() {
		t.Fatalf("%+v, %v", list, err)
	}
	if list, err := w.Drafts.List(w.Ctx, bobby); err != nil || len(list) != 0 {
		t.Errorf("bobby has alice's: %v, %v", list, err)
	}
	notes, err := w.Drafts.Messages(w.Ctx, alice) // payments and messages are listed separately
	if err != nil || len(notes) != 1 || notes[0].Number != note || notes[0].To != bobby || notes[0].Text != "see you" || !notes[0].Plain {
		t.Errorf("%+v, %v", notes, err)
	}
	if again, err := w.Drafts.Save(w.Ctx, alice, req); again != first || err != nil {
		t.Errorf("the same is kept again as %d, %v", again, err)
	}
	gone, err := w.Drafts.Drop(w.Ctx, first)
	testwallet.Must(t, err)
	if nothing, err := w.Drafts.Drop(w.Ctx, first); nothing != (draft.Dropped{}) || err != nil {
		t.Errorf("dropped twice: %v", err)
	}
	if list, err = w.Drafts.List(w.Ctx, alice); err != nil || len(list) != 1 || list[0].Request.To != "bo" {
		t.Errorf("%+v, %v", list, err)
	}
	back, err := w.Drafts.Restore(w.Ctx, alice, gone)
	testwallet.Must(t, err)
	if list, err = w.Drafts.List(w.Ctx, alice); err != nil || len(list) != 2 || list[1].Request != req || back != first {
		t.Errorf("%d is back: %+v, %v", back, list, err)
	}
}

func TestInvalidDraftIsRefused(t *testing.T) {
	w := testwallet.Open(t, "alice")
	_, err := w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{})
	faulttest.Refused(t, err, fault.File)
	if list, err := w.Drafts.List(w.Ctx, 16); err != nil || len(list) != 0 {
		t.Errorf("without a store there are %+v, %v", list, err)
	}
	_, err = w.Drafts.Drop(w.Ctx, 1)
	testwallet.Must(t, err)

	folder := filepath.Join(testwallet.Folder(t), "missing")
	w, _ = testwallet.Keeping(t, folder)
	_, err = w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{})
	if e := faulttest.Refused(t, err, fault.File); !strings.Contains(e.Hint, "stays in the form") || !errors.Is(err, os.ErrNotExist) {
		t.Error(e)
	}
	testwallet.Must(t, os.Mkdir(folder, 0o700))
	_, err = w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{})
	for tries := 0; err != nil && tries < 500; tries++ { // another goroutine may still be opening the store, and have seen no folder
		time.Sleep(10 * time.Millisecond)
		_, err = w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{})
	}
	testwallet.Must(t, err)
	for n := range 99 {
		_, err := w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{To: fmt.Sprint("account-", n)})
		testwallet.Must(t, err)
	}
	_, err = w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{To: "carol"})
	faulttest.Refused(t, err, fault.LimitExceeded)
	w.Vault.Lock()
	_, err = w.Drafts.Save(w.Ctx, 16, txbuild.TransferParams{})
	faulttest.Refused(t, err, fault.Locked)
}

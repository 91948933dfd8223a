package walletcore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// A contact keeps the name, id and keys it had when it was saved, and a note that only the unlocked wallet can read.
func TestContactIsStored(t *testing.T) {
	folder := testwallet.Folder(t)
	w, _ := testwallet.Keeping(t, folder)
	path := filepath.Join(folder, sqlite.Name)
	saved, err := w.Contacts.Save(w.Ctx, "bobby", "rent, dinner")
	testwallet.Must(t, err)
	_, err = w.Contacts.Save(w.Ctx, "1.2.18", "")
	testwallet.Must(t, err)
	bobby, err := w.View.Accounts.Get(w.Ctx, "bobby")
	testwallet.Must(t, err)
	if saved.ID != bobby.ID || saved.Keys.MemoKey != bobby.Options.MemoKey || saved.Saved.IsZero() {
		t.Errorf("%+v", saved)
	}
	for _, name := range []string{path, path + "-wal"} {
		text, err := os.ReadFile(name)
		testwallet.Must(t, err)
		if strings.Contains(string(text), "rent, dinner") {
			t.Errorf("%s tells the note", filepath.Base(name))
		}
	}
	read := contact.New(w.Contacts.Config)
	testwallet.Must(t, read.Load(w.Ctx))
	list := read.List()
	if len(list) != 2 || list[0].Name != "bobby" || list[1].ID != 18 || list[1].HasNote() {
		t.Fatalf("%+v", list)
	}
	if note, state := read.Note(list[0]); note != "rent, dinner" || state != vault.MemoOpen {
		t.Errorf("%q %v", note, state)
	}
	if found := contact.Matching(list, " 1.2.18 "); len(found) != 1 || found[0].ID != 18 {
		t.Errorf("%+v", found)
	}

	w.Vault.Lock()
	if note, state := w.Contacts.Note(list[0]); note != "" || state != vault.MemoLocked {
		t.Errorf("a locked wallet tells %q %v", note, state)
	}
	_, err = w.Contacts.Save(w.Ctx, "bobby", "")
	faulttest.Refused(t, err, fault.Locked)
	faulttest.Refused(t, w.Contacts.SetNote(w.Ctx, bobby.ID, ""), fault.Locked)
	faulttest.Refused(t, w.Contacts.Remove(w.Ctx, bobby.ID), fault.Locked)
	testwallet.Must(t, w.Vault.Unlock(w.Ctx, testwallet.Password))

	testwallet.Must(t, w.Contacts.SetNote(w.Ctx, bobby.ID, "rent"))
	if one, _ := w.Contacts.Find(bobby.ID); true {
		if note, _ := w.Contacts.Note(one); note != "rent" {
			t.Errorf("the note is %q", note)
		}
	}
	faulttest.Refused(t, w.Contacts.SetNote(w.Ctx, bobby.ID, strings.Repeat("ü", contact.NoteSize+1)), fault.BadValue)
	testwallet.Must(t, w.Contacts.SetNote(w.Ctx, bobby.ID, ""))
	testwallet.Must(t, w.Contacts.Remove(w.Ctx, 18))
	faulttest.Refused(t, w.Contacts.SetNote(w.Ctx, 18, "gone meanwhile"), fault.NoSuchAccount)
	if list := w.Contacts.List(); len(list) != 1 || list[0].HasNote() {
		t.Errorf("%+v", list)
	}
}

func TestInvalidContactIsRefused(t *testing.T) {
	w := testwallet.Open(t, "alice")
	_, err := w.Contacts.Save(w.Ctx, "bobby", "")
	faulttest.Refused(t, err, fault.File)
	w, _ = testwallet.Keeping(t, testwallet.Folder(t))
	_, err = w.Contacts.Save(w.Ctx, "nobody-here", "")
	faulttest.Refused(t, err, fault.NoSuchAccount)
}

// An account's name and id never change: another id under a contact's name is not the contact.
func TestAnotherAccountUnderTheNameIsRefused(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	bobby, err := w.Contacts.Save(w.Ctx, "bobby", "")
	testwallet.Must(t, err)
	list := w.Contacts.List()
	for _, other := range []ledgerview.AccountRef{{ID: 99, Name: "bobby"}, {ID: bobby.ID, Name: "bobbie"}} {
		e := faulttest.Refused(t, contact.Compare(list, other), fault.DaemonContradicts)
		if !strings.Contains(e.Message, bobby.ID.String()) || !strings.Contains(e.Message, other.ID.String()) {
			t.Error(e)
		}
	}
	for _, same := range []ledgerview.AccountRef{bobby.AccountRef, {ID: 99, Name: "carol"}} {
		testwallet.Must(t, contact.Compare(list, same))
	}
}

// A payment is compared with contacts: names that are easily confused with theirs, and changes of their keys, are noticed.
func TestPaymentsAreComparedWithContacts(t *testing.T) {
	w, _ := testwallet.Keeping(t, testwallet.Folder(t))
	review := func() txbuild.Review {
		t.Helper()
		made, err := w.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer",
			txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}, txbuild.Transfer))
		testwallet.Must(t, err)
		return made.Review()
	}
	if review().Contact {
		t.Error("bobby is a contact before he was saved")
	}
	bobby, err := w.Contacts.Save(w.Ctx, "bobby", "")
	testwallet.Must(t, err)
	if r := review(); !r.Contact || len(r.Changed) > 0 {
		t.Errorf("%v %v", r.Contact, r.Changed)
	}
	statuses, err := w.Contacts.Check(w.Ctx, w.Contacts.List())
	testwallet.Must(t, err)
	if s := statuses[bobby.ID]; s.Account == nil || len(s.Changed) != 0 {
		t.Errorf("%+v", s)
	}
	now := *statuses[bobby.ID].Account
	now.Options.MemoKey = ledger.DeriveKey("another", 0).Public()
	if s := bobby.Compare(&now); len(s.Changed) != 1 || s.Changed[0].What != "memo key" {
		t.Errorf("%+v", s)
	}
	if s := bobby.Compare(nil); s.Account != nil {
		t.Errorf("%+v", s)
	}
}

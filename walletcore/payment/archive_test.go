package payment_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// A request whose payment was archived is answered as before: while the wallet runs, after a restart, in other words, and while it is locked.
// Where the archive is away that is said, and nothing is paid.
func TestAnArchivedPaymentIsAnsweredAsBefore(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	keys := []string{"order 1", "order 2", "order 3"}
	first := map[string]*txbuild.Signed{}
	for _, key := range keys {
		signed, err := s.keyed(key, nil)
		testwallet.Must(t, err)
		first[key] = signed
		s.mineUntil(signed.TransactionID, payment.Irreversible)
	}
	s.end()
	s = p.sit() // nothing is remembered
	told := map[string]payment.Info{}
	for _, key := range keys {
		info, err := s.Payments.Get(s.Ctx, key)
		testwallet.Must(t, err)
		told[key], first[key] = info, nil
		if first[key], err = s.keyed(key, nil); err != nil {
			t.Fatal(err)
		}
	}
	before := s.DCT("alice")
	path := filepath.Join(p.dir, sqlite.Name)
	made, _, err := sqlite.Archiver{Path: path, Before: time.Now().AddDate(10, 0, 0), Keep: 1}.Run(t.Context())
	testwallet.Must(t, err)
	if made.Payments != 2 {
		t.Fatalf("%d payments are archived", made.Payments)
	}
	answered := func(when string) {
		t.Helper()
		for _, key := range keys {
			again, err := s.keyed(key, nil)
			if err != nil || !reflect.DeepEqual(again, first[key]) {
				t.Errorf("%s %s is answered by %+v, %v", when, key, again, err)
			}
			info, err := s.Payments.Get(s.Ctx, key)
			if err != nil || !reflect.DeepEqual(info, told[key]) {
				t.Errorf("%s %s is told as %+v, %v", when, key, info, err)
			}
			_, err = s.keyed(key, func(r *txbuild.TransferParams) { r.Amount = "2" })
			faulttest.Refused(t, err, fault.RequestKey)
			if again, err := s.keyed(key, func(r *txbuild.TransferParams) { r.Amount = "1.0" }); err != nil || again.TransactionID != first[key].TransactionID {
				t.Errorf("%s %s in other words is answered by %+v, %v", when, key, again, err)
			}
		}
		if list, err := s.Payments.ListKeyed(s.Ctx, "order", 10); err != nil || len(list) != len(keys) {
			t.Errorf("%s %d payments are listed, %v", when, len(list), err)
		}
	}
	answered("while it runs,")
	s.end()
	s = p.sit()
	answered("after a restart,")
	s.Vault.Lock()
	if again, err := s.keyed("order 1", func(r *txbuild.TransferParams) { r.Memo = "" }); err == nil {
		t.Errorf("while it is locked, another request is answered by %+v", again)
	}
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))

	archive := filepath.Join(p.dir, made.Name)
	testwallet.Must(t, os.Rename(archive, archive+".away"))
	_, err = s.keyed("order 1", nil)
	e := faulttest.Refused(t, err, fault.File)
	if _, is := errors.AsType[*store.ArchiveError](err); !is || !strings.Contains(e.Hint, "this call sent nothing; put that file back") {
		t.Errorf("without the archive it is told as %q, %q", e.Message, e.Hint)
	}
	if _, err := s.keyed("another", nil); err != nil {
		t.Errorf("a new payment is refused: %v", err)
	}
	testwallet.Must(t, sqlite.GiveUp(t.Context(), path, made.Name, nil))
	for key, want := range map[string]string{
		"order 1":   "the payment under this request key was made, as transaction " + first["order 1"].TransactionID.String() + " in block ",
		"a new one": "",
	} {
		again, err := s.keyed(key, nil)
		if want == "" {
			testwallet.Must(t, err)
			continue
		}
		e := faulttest.Refused(t, err, fault.File)
		if again != nil || !strings.HasPrefix(e.Message, want) || e.RequestKey == fault.KeyNew {
			t.Errorf("without an archive that was given up, %s is answered by %+v, %q (%q)", key, again, e.Message, e.RequestKey)
		}
		info, err := s.Payments.Get(s.Ctx, key)
		was := told[key]
		was.Transaction, was.Reason = nil, info.Reason
		if err != nil || !reflect.DeepEqual(info, was) || !strings.Contains(info.Reason, made.Name) {
			t.Errorf("%s is told as %+v, %v", key, info, err)
		}
	}
	_, err = s.keyed("order 1", func(r *txbuild.TransferParams) { r.Amount = "2" })
	if e := faulttest.Refused(t, err, fault.File); !strings.HasPrefix(e.Message, "it is not known whether this is the request") {
		t.Errorf("another request under its key is told as %q", e.Message)
	}
	if list, err := s.Payments.ListKeyed(s.Ctx, "order", 10); err != nil || len(list) != len(keys) {
		t.Errorf("%d payments are listed, %v", len(list), err)
	}
	testwallet.Must(t, os.Rename(archive+".away", archive))
	answered("once it is back,")
	s.Mine()
	if after := s.DCT("alice"); before-after > 3*100_000_000 {
		t.Errorf("alice had %d and has %d", before, after)
	}
}

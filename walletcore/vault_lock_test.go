package walletcore_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"billfold/daemonclient"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

func wantLock(s *testwallet.Wallet, want vault.State) {
	s.T.Helper()
	if got := s.Status().Lock; got != want {
		s.T.Fatalf("the lock is %d, want %d", got, want)
	}
	if s.Vault.IsNew() != (want == vault.New) || s.Vault.IsLocked() != (want != vault.Unlocked) {
		s.T.Fatalf("IsNew %v and IsLocked %v do not fit %d", s.Vault.IsNew(), s.Vault.IsLocked(), want)
	}
}

func TestLockStatesOfANewWallet(t *testing.T) {
	s := testwallet.New(t, nil)
	wantLock(s, vault.New)
	faulttest.Refused(t, s.Vault.Unlock(s.Ctx, "anything"), fault.NoPassword)
	faulttest.Refused(t, s.Vault.Unlock(s.Ctx, ""), fault.EmptyPassword)
	faulttest.Refused(t, s.Vault.SetPassword(""), fault.EmptyPassword)
	if s.Vault.Lock() {
		t.Error("a new wallet was locked")
	}
	if err := s.Vault.CheckOpen("transfer"); fault.CodeOf(err) != fault.Locked || !strings.Contains(err.Error(), "there is no wallet yet") {
		t.Errorf("what needs a key is refused with %v", err)
	}
	if _, err := os.Stat(s.Vault.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused password left a file: %v", err)
	}
	testwallet.Must(t, s.Vault.SetPassword(testwallet.Password))
	wantLock(s, vault.Locked)
	faulttest.Refused(t, s.Vault.SetPassword("another"), fault.Locked)
	faulttest.Refused(t, s.Vault.Create(s.Ctx, "another"), fault.File)
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	wantLock(s, vault.Unlocked)
}

func TestUnlockAgainStillChecksThePassword(t *testing.T) {
	s := testwallet.Open(t, "alice")
	s.Vault.Lock()
	faulttest.Refused(t, s.Vault.Unlock(s.Ctx, "wrong"), fault.WrongPassword)
	wantLock(s, vault.Locked)
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	faulttest.Refused(t, s.Vault.Unlock(s.Ctx, "wrong"), fault.WrongPassword)
	if no := faulttest.Refused(t, s.Vault.Unlock(s.Ctx, ""), fault.EmptyPassword); strings.Contains(no.Hint, "choose") {
		t.Errorf("who unlocks is told how to choose a password: %s", no.Hint)
	}
	wantLock(s, vault.Unlocked)
	if !s.Vault.Lock() || s.Vault.Lock() {
		t.Error("Lock does not tell whether it locked")
	}
}

func TestSetPasswordReplacesItAndLocks(t *testing.T) {
	s := testwallet.Open(t, "alice")
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password)) // so that the wallet knows the old password
	testwallet.Must(t, s.Vault.SetPassword("new words"))
	wantLock(s, vault.Locked)
	faulttest.Refused(t, s.Vault.Unlock(s.Ctx, testwallet.Password), fault.WrongPassword)
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, "new words"))
	faulttest.Refused(t, s.Vault.Unlock(s.Ctx, testwallet.Password), fault.WrongPassword)
	stored, err := keystore.Open(s.Vault.Path)
	testwallet.Must(t, err)
	testwallet.Must(t, stored.CheckPassword("new words"))
	if got := s.Own.List(); len(got) != 1 || !got[0].CanSign() {
		t.Errorf("after the change the wallet has %v", got)
	}
}

func TestLockedWalletRefusesCallsThatNeedKeys(t *testing.T) {
	s := testwallet.Open(t, "alice")
	s.Vault.Lock()
	req := txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}
	for name, act := range map[string]func() error{
		"transfer": func() error {
			_, err := s.Transfer(req, payment.Sending{Broadcast: true})
			return err
		},
		"unsent transfer": func() error {
			_, err := s.Transfer(txbuild.TransferParams{}, payment.Sending{})
			return err
		},
		"draft": func() error {
			_, err := s.Payments.Prepare(s.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
			return err
		},
		"import_key":        func() error { _, err := s.Import.ImportKey(s.Ctx, "", ""); return err },
		"dump_private_keys": func() error { _, err := s.Vault.DumpPrivateKeys(); return err },
		"get_private_key":   func() error { _, err := s.Vault.PrivateKeyOf(testwallet.Key("alice").Public()); return err },
		"register_account": func() error {
			_, err := s.Payments.Spend(s.Ctx, txbuild.NewRequest("register_account", txbuild.RegisterAccountParams{Name: "x",
				Owner: ledger.PublicKey{}, Active: ledger.PublicKey{}, Registrar: "alice"}, txbuild.RegisterAccount),
				payment.Sending{Broadcast: true})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { faulttest.Refused(t, act(), fault.Locked) })
	}
	if got := s.Own.List(); len(got) != 1 || got[0].Name != "alice" || !got[0].CanSign() {
		t.Errorf("own accounts are not shown while locked: %v", got)
	}
}

func TestDraftIsNotSentOnceTheWalletIsLocked(t *testing.T) {
	s := testwallet.Open(t, "alice")
	d, err := s.Payments.Prepare(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "for later"},
			txbuild.Transfer),
	)
	testwallet.Must(t, err)
	s.Vault.Lock()
	_, err = s.Payments.Send(s.Ctx, d)
	faulttest.Refused(t, err, fault.Locked)
	if got := s.Payments.Recent(); len(got) != 0 {
		t.Errorf("it counts as a payment: %v", got)
	}
}

// Another program may lock the wallet while a transfer is being built.
func TestLockWhileBuildingNeverSpoilsAMemo(t *testing.T) {
	s := testwallet.Open(t, "alice")
	readable := testwallet.Key("bobby")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				s.Vault.Lock()
				if err := s.Vault.Unlock(s.Ctx, testwallet.Password); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 60 {
		info, err := s.Payments.Spend(
			s.Ctx,
			txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "kept whole"},
				txbuild.Transfer),
			payment.Sending{},
		)
		if err != nil {
			faulttest.Refused(t, err, fault.Locked)
			continue
		}
		if len(info.Signatures) != 1 {
			t.Errorf("it has %d signatures", len(info.Signatures))
		}
		if text, err := info.Operations[0].Memo().Decrypt(readable); err != nil || text != "kept whole" {
			t.Errorf("the memo reads %q, %v", text, err)
		}
	}
	close(stop)
	wg.Wait()
}

func TestDamagedOrNewerKeystoreIsRefusedAtOpen(t *testing.T) {
	s := testwallet.Open(t, "alice")
	whole, err := os.ReadFile(s.Vault.Path)
	testwallet.Must(t, err)
	for name, data := range map[string][]byte{
		"cut short":     whole[:len(whole)/2],
		"newer version": []byte(strings.Replace(string(whole), `"version":1`, `"version":2`, 1)),
		"something":     []byte("hello\n"),
		"empty":         nil,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(testwallet.Folder(t), "wallet.keys")
			testwallet.Must(t, os.WriteFile(path, data, 0o600))
			_, err := walletcore.Open(walletcore.Config{Path: path, Daemon: s.Client})
			faulttest.Refused(t, err, fault.File)
			if _, err := walletcore.ChainOf(path); fault.CodeOf(err) != fault.File {
				t.Errorf("walletcore.ChainOf gives %v", err)
			}
			if after, _ := os.ReadFile(path); string(after) != string(data) {
				t.Error("the file was changed")
			}
		})
	}
}

// A weak key file that cannot be upgraded is reported in the status, and once in the log.
func TestWeakFileIsLoggedOnce(t *testing.T) {
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	client := daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"})
	weak, err := walletcore.Open(walletcore.Config{Path: path, Keystore: testwallet.CheapKeys(), Daemon: client})
	testwallet.Must(t, err)
	testwallet.Must(t, weak.Vault.Create(t.Context(), testwallet.Password))
	weak.Vault.Lock()
	testwallet.Must(t, os.MkdirAll(filepath.Join(path+".tmp", "in the way"), 0o700)) // nothing can be saved
	var log bytes.Buffer
	stronger := testwallet.CheapKeys()
	stronger.Params.Time++
	w, err := walletcore.Open(walletcore.Config{Path: path, Keystore: stronger, Daemon: client,
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	testwallet.Must(t, err)
	for range 2 {
		testwallet.Must(t, w.Vault.Unlock(t.Context(), testwallet.Password))
		w.Vault.Lock()
	}
	if failure := w.Status().FileFault; failure == "" || strings.Count(log.String(), "could not be made stronger") != 1 {
		t.Errorf("status %q, log:\n%s", failure, log.String())
	}
}

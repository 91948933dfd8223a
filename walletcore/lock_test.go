package walletcore

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
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

func (s *stage) wantLock(want vault.State) {
	s.t.Helper()
	if got := s.wallet.Status().Lock; got != want {
		s.t.Fatalf("the lock is %d, want %d", got, want)
	}
	if s.wallet.Vault.IsNew() != (want == vault.New) || s.wallet.Vault.IsLocked() != (want != vault.Unlocked) {
		s.t.Fatalf("IsNew %v and IsLocked %v do not fit %d", s.wallet.Vault.IsNew(), s.wallet.Vault.IsLocked(), want)
	}
}

func TestLockStatesOfANewWallet(t *testing.T) {
	s := begin(t)
	s.wantLock(vault.New)
	refused(t, s.wallet.Vault.Unlock(s.ctx, "anything"), fault.NoPassword)
	refused(t, s.wallet.Vault.Unlock(s.ctx, ""), fault.EmptyPassword)
	refused(t, s.wallet.Vault.SetPassword(""), fault.EmptyPassword)
	if s.wallet.Vault.Lock() {
		t.Error("a new wallet was locked")
	}
	if _, err := os.Stat(s.wallet.Vault.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused password left a file: %v", err)
	}
	must(t, s.wallet.Vault.SetPassword(password))
	s.wantLock(vault.Locked)
	refused(t, s.wallet.Vault.SetPassword("another"), fault.Locked)
	refused(t, s.wallet.Vault.Create(s.ctx, "another"), fault.File)
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	s.wantLock(vault.Unlocked)
}

func TestUnlockAgainStillChecksThePassword(t *testing.T) {
	s := open(t, "alice")
	s.wallet.Vault.Lock()
	refused(t, s.wallet.Vault.Unlock(s.ctx, "wrong"), fault.WrongPassword)
	s.wantLock(vault.Locked)
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	refused(t, s.wallet.Vault.Unlock(s.ctx, "wrong"), fault.WrongPassword)
	refused(t, s.wallet.Vault.Unlock(s.ctx, ""), fault.EmptyPassword)
	s.wantLock(vault.Unlocked)
	if !s.wallet.Vault.Lock() || s.wallet.Vault.Lock() {
		t.Error("Lock does not tell whether it locked")
	}
}

func TestSetPasswordReplacesItAndLocks(t *testing.T) {
	s := open(t, "alice")
	must(t, s.wallet.Vault.Unlock(s.ctx, password)) // so that the old password is remembered
	must(t, s.wallet.Vault.SetPassword("new words"))
	s.wantLock(vault.Locked)
	refused(t, s.wallet.Vault.Unlock(s.ctx, password), fault.WrongPassword)
	must(t, s.wallet.Vault.Unlock(s.ctx, "new words"))
	refused(t, s.wallet.Vault.Unlock(s.ctx, password), fault.WrongPassword)
	stored, err := keystore.Open(s.wallet.Vault.Path)
	must(t, err)
	must(t, stored.CheckPassword("new words"))
	if got := s.wallet.Own.List(); len(got) != 1 || !got[0].CanSign() {
		t.Errorf("after the change the wallet has %v", got)
	}
}

func TestLockedWalletRefusesWhatNeedsKeys(t *testing.T) {
	s := open(t, "alice")
	s.wallet.Vault.Lock()
	req := build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}
	for name, act := range map[string]func() error{
		"transfer": func() error {
			_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", req, build.Transfer), payment.Sending{Broadcast: true})
			return err
		},
		"unsent transfer": func() error {
			_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", build.TransferParams{}, build.Transfer),
				payment.Sending{})
			return err
		},
		"draft": func() error {
			_, err := s.wallet.Payments.Prepare(s.ctx, build.NewRequest("transfer", req, build.Transfer))
			return err
		},
		"import_key":        func() error { _, err := s.wallet.Import.ImportKey(s.ctx, "", ""); return err },
		"dump_private_keys": func() error { _, err := s.wallet.Vault.DumpPrivateKeys(); return err },
		"get_private_key":   func() error { _, err := s.wallet.Vault.PrivateKeyOf(keyOf("alice").Public()); return err },
		"register_account": func() error {
			_, err := s.wallet.Payments.Spend(s.ctx, build.NewRequest("register_account", build.RegisterAccountParams{Name: "x",
				Owner: ledger.PublicKey{}, Active: ledger.PublicKey{}, Registrar: "alice"}, build.RegisterAccount),
				payment.Sending{Broadcast: true})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { refused(t, act(), fault.Locked) })
	}
	if got := s.wallet.Own.List(); len(got) != 1 || got[0].Name != "alice" || !got[0].CanSign() {
		t.Errorf("own accounts are not shown while locked: %v", got)
	}
}

func TestDraftIsNotSentOnceTheWalletIsLocked(t *testing.T) {
	s := open(t, "alice")
	d, err := s.wallet.Payments.Prepare(
		s.ctx,
		build.NewRequest("transfer", build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "for later"},
			build.Transfer),
	)
	must(t, err)
	s.wallet.Vault.Lock()
	_, err = s.wallet.Payments.Send(s.ctx, d)
	refused(t, err, fault.Locked)
	if got := s.wallet.Payments.Recent(); len(got) != 0 {
		t.Errorf("it counts as a payment: %v", got)
	}
}

// Another program may lock the wallet while a transfer is being built.
func TestLockedInTheMiddleNeverSpoilsAMemo(t *testing.T) {
	s := open(t, "alice")
	readable := keyOf("bobby")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				s.wallet.Vault.Lock()
				if err := s.wallet.Vault.Unlock(s.ctx, password); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 60 {
		info, err := s.wallet.Payments.Spend(
			s.ctx,
			build.NewRequest("transfer", build.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT", Memo: "kept whole"},
				build.Transfer),
			payment.Sending{},
		)
		if err != nil {
			refused(t, err, fault.Locked)
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
	s := open(t, "alice")
	whole, err := os.ReadFile(s.wallet.Vault.Path)
	must(t, err)
	for name, data := range map[string][]byte{
		"cut short":     whole[:len(whole)/2],
		"newer version": []byte(strings.Replace(string(whole), `"version":1`, `"version":2`, 1)),
		"something":     []byte("hello\n"),
		"empty":         nil,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "wallet.keys")
			must(t, os.WriteFile(path, data, 0o600))
			_, err := Open(Config{Path: path, Daemon: s.client})
			refused(t, err, fault.File)
			if _, err := ChainOf(path); fault.CodeOf(err) != fault.File {
				t.Errorf("ChainOf gives %v", err)
			}
			if after, _ := os.ReadFile(path); string(after) != string(data) {
				t.Error("the file was changed")
			}
		})
	}
}

// A file that cannot be made stronger is told in the status and once in the log.
func TestWeakFileIsLoggedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet.keys")
	client := daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"})
	weak, err := Open(Config{Path: path, Keystore: cheap(), Daemon: client})
	must(t, err)
	must(t, weak.Vault.Create(t.Context(), password))
	weak.Vault.Lock()
	must(t, os.MkdirAll(filepath.Join(path+".tmp", "in the way"), 0o700)) // nothing can be saved
	var log bytes.Buffer
	stronger := cheap()
	stronger.Params.Time++
	w, err := Open(Config{Path: path, Keystore: stronger, Daemon: client, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	must(t, err)
	for range 2 {
		must(t, w.Vault.Unlock(t.Context(), password))
		w.Vault.Lock()
	}
	if failure := w.Status().FileFault; failure == "" || strings.Count(log.String(), "could not be made stronger") != 1 {
		t.Errorf("status %q, log:\n%s", failure, log.String())
	}
}

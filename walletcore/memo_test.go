package walletcore

import (
	"runtime"
	"sync"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

func encrypted(t testing.TB, from, to ledger.PrivateKey, text string) *ledger.Memo {
	t.Helper()
	memo, err := ledger.EncryptMemo(from, to.Public(), 0, text)
	must(t, err)
	return &memo
}

func TestMemoStates(t *testing.T) {
	s := open(t, "alice", "bobby")
	alice, bobby, carol := keyOf("alice"), keyOf("bobby"), keyOf("carol")
	plain := ledger.PlainMemo("for all")
	damaged := encrypted(t, alice, carol, "sixteen and more letters")
	damaged.Message[3] ^= 1
	hostile := "\x1b[2J\x1b]0;owned\a\u202e\nFROM bank"
	for _, c := range []struct {
		name       string
		memo       *ledger.Memo
		text       string
		open, shut vault.MemoState
	}{
		{"none", nil, "", vault.MemoNone, vault.MemoNone},
		{"plain", &plain, "for all", vault.MemoPlain, vault.MemoPlain},
		{"plain cut short", &ledger.Memo{Message: ledger.Bytes{1, 2}}, "", vault.MemoDamaged, vault.MemoDamaged},
		{"to us", encrypted(t, carol, alice, "hello"), "hello", vault.MemoOpen, vault.MemoLocked},
		{"from us", encrypted(t, alice, carol, "hello"), "hello", vault.MemoOpen, vault.MemoLocked},
		{"between our own", encrypted(t, alice, bobby, "self"), "self", vault.MemoOpen, vault.MemoLocked},
		{"empty text", encrypted(t, alice, carol, ""), "", vault.MemoOpen, vault.MemoLocked},
		{"hostile text is kept as it is", encrypted(t, carol, alice, hostile), hostile, vault.MemoOpen, vault.MemoLocked},
		{"of others", encrypted(t, carol, keyOf("faucet"), "hello"), "", vault.MemoForeign, vault.MemoLocked},
		{"damaged", damaged, "", vault.MemoDamaged, vault.MemoLocked},
		{"no point of the curve", &ledger.Memo{From: ledger.PublicKey{2, 5: 9}, To: alice.Public(), Message: make(ledger.Bytes, 16)}, "", vault.MemoDamaged, vault.MemoLocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			must(t, s.wallet.Unlock(s.ctx, password))
			for range 2 { // the second time from the cache
				if text, state := s.wallet.openMemo(s.wallet.store, c.memo); state != c.open || text != c.text {
					t.Errorf("unlocked: state %d with %q, want %d with %q", state, text, c.open, c.text)
				}
			}
			s.wallet.Lock()
			text, state := s.wallet.openMemo(s.wallet.store, c.memo)
			if state != c.shut || state == vault.MemoLocked && text != "" {
				t.Errorf("locked: state %d with %q, want %d", state, text, c.shut)
			}
		})
	}
}

func TestLockingForgetsSharedSecrets(t *testing.T) {
	s := open(t, "alice")
	memo := encrypted(t, keyOf("carol"), keyOf("alice"), "hello")
	if _, state := s.wallet.openMemo(s.wallet.store, memo); state != vault.MemoOpen {
		t.Fatalf("state %d", state)
	}
	s.wallet.Lock()
	if n := len(s.wallet.secrets.by); n != 0 {
		t.Errorf("%d shared secrets are kept while locked", n)
	}
}

// A memo that is being read while the wallet is locked is locked, not damaged,
// and leaves nothing behind.
func TestMemoReadWhileLockingIsOpenOrLocked(t *testing.T) {
	t.Parallel()
	s := open(t, "alice")
	var memos []*ledger.Memo
	for n := range 8 {
		memos = append(memos, encrypted(t, ledger.DeriveKey("somebody", n), keyOf("alice"), "hello"))
	}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				text, state := s.wallet.openMemo(s.wallet.store, memos[n%len(memos)])
				if state != vault.MemoLocked && (state != vault.MemoOpen || text != "hello") {
					t.Errorf("state %d with %q", state, text)
					return
				}
			}
		})
	}
	for range 15 {
		s.wallet.Lock()
		if err := s.wallet.Unlock(s.ctx, password); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	wg.Wait()
	s.wallet.Lock()
	if n := len(s.wallet.secrets.by); n != 0 {
		t.Errorf("%d shared secrets are kept while locked", n)
	}
}

func TestMemoWrittenWhileSecretsAreWipedStaysReadable(t *testing.T) {
	var secrets sharedSecrets
	alice, bobby := keyOf("alice"), keyOf("bobby")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				secrets.wipe()
				runtime.Gosched()
			}
		}
	})
	for range 40 {
		memo, err := secrets.encrypt(alice, alice.Public(), bobby.Public(), "kept whole")
		if err != nil {
			continue
		}
		if text, err := memo.Decrypt(bobby); err != nil || text != "kept whole" {
			t.Errorf("the memo reads %q, %v", text, err)
			break
		}
	}
	close(stop)
	wg.Wait()
}

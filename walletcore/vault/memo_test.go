package vault

import (
	"encoding/hex"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"billfold/ledger"
)

func encrypted(t testing.TB, from, to ledger.PrivateKey, text string) *ledger.Memo {
	t.Helper()
	memo, err := ledger.EncryptMemo(from, to.Public(), 0, text)
	must(t, err)
	return &memo
}

func TestMemoStates(t *testing.T) {
	v := alone(t, "alice", "bobby")
	alice, bobby, carol := keyOf("alice"), keyOf("bobby"), keyOf("carol")
	plain := ledger.PlainMemo("for all")
	damaged := encrypted(t, alice, carol, "sixteen and more letters")
	damaged.Message[3] ^= 1
	hostile := "\x1b[2J\x1b]0;owned\a\u202e\nFROM bank"
	for _, c := range []struct {
		name       string
		memo       *ledger.Memo
		text       string
		open, shut MemoState
	}{
		{"none", nil, "", MemoNone, MemoNone},
		{"plain", &plain, "for all", MemoPlain, MemoPlain},
		{"plain cut short", &ledger.Memo{Message: ledger.Bytes{1, 2}}, "", MemoDamaged, MemoDamaged},
		{"to us", encrypted(t, carol, alice, "hello"), "hello", MemoOpen, MemoLocked},
		{"from us", encrypted(t, alice, carol, "hello"), "hello", MemoOpen, MemoLocked},
		{"between our own", encrypted(t, alice, bobby, "self"), "self", MemoOpen, MemoLocked},
		{"empty text", encrypted(t, alice, carol, ""), "", MemoOpen, MemoLocked},
		{"hostile text is kept as it is", encrypted(t, carol, alice, hostile), hostile, MemoOpen, MemoLocked},
		{"of others", encrypted(t, carol, keyOf("faucet"), "hello"), "", MemoForeign, MemoLocked},
		{"damaged", damaged, "", MemoDamaged, MemoLocked},
		{"no point of the curve", &ledger.Memo{From: ledger.PublicKey{2, 5: 9}, To: alice.Public(), Message: make(ledger.Bytes, 16)}, "", MemoDamaged, MemoLocked},
	} {
		t.Run(c.name, func(t *testing.T) {
			must(t, v.Unlock(t.Context(), password))
			for range 2 { // the second time from the cache
				if text, state := v.OpenMemo(c.memo); state != c.open || text != c.text {
					t.Errorf("unlocked: state %d with %q, want %d with %q", state, text, c.open, c.text)
				}
			}
			v.Lock()
			text, state := v.OpenMemo(c.memo)
			if state != c.shut || state == MemoLocked && text != "" {
				t.Errorf("locked: state %d with %q, want %d", state, text, c.shut)
			}
		})
	}
}

func TestLockingForgetsSharedSecrets(t *testing.T) {
	v := alone(t, "alice")
	memo := encrypted(t, keyOf("carol"), keyOf("alice"), "hello")
	if _, state := v.OpenMemo(memo); state != MemoOpen {
		t.Fatalf("state %d", state)
	}
	v.Lock()
	if n := v.secrets.by.Len(); n != 0 {
		t.Errorf("%d shared secrets are kept while locked", n)
	}
}

// A memo that is being read while the wallet is locked is locked, not damaged,
// and leaves nothing behind.
func TestMemoReadWhileLockingIsOpenOrLocked(t *testing.T) {
	t.Parallel()
	v := alone(t, "alice")
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
				text, state := v.OpenMemo(memos[n%len(memos)])
				if state != MemoLocked && (state != MemoOpen || text != "hello") {
					t.Errorf("state %d with %q", state, text)
					return
				}
			}
		})
	}
	for range 15 {
		v.Lock()
		if err := v.Unlock(t.Context(), password); err != nil {
			t.Error(err)
			break
		}
	}
	close(stop)
	wg.Wait()
	v.Lock()
	if n := v.secrets.by.Len(); n != 0 {
		t.Errorf("%d shared secrets are kept while locked", n)
	}
}

func TestMemoWrittenWhileSecretsAreWipedStaysReadable(t *testing.T) {
	secrets := newSharedSecrets(maxSecrets)
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

// The least used secret makes room for a new one, and is wiped.
func TestSharedSecretsAreBounded(t *testing.T) {
	secrets := newSharedSecrets(2)
	alice := keyOf("alice")
	var first ledger.SharedSecret
	for n, name := range []string{"bobby", "carol", "bobby", "faucet", "bobby"} {
		other := keyOf(name).Public()
		must(t, secrets.use(alice, secretPair{alice.Public(), other}, func(s ledger.SharedSecret) error {
			if n == 1 {
				first = s
			}
			return nil
		}))
	}
	if n := secrets.by.Len(); n != 2 {
		t.Errorf("%d secrets are kept", n)
	}
	if secrets.by.Contains(secretPair{alice.Public(), keyOf("carol").Public()}) {
		t.Error("the secret that was used least is kept")
	}
	memo := encrypted(t, keyOf("carol"), alice, "hello")
	if _, err := memo.DecryptWith(first); err == nil {
		t.Error("the secret that made room still opens memos")
	}
}

// Nothing that a vault is made of shows a secret when it is printed.
func TestPrintingAVaultShowsNoSecret(t *testing.T) {
	v := alone(t, "alice")
	_, err := v.EncryptMemo("test", keyOf("alice").Public(), keyOf("bobby").Public(), "hello")
	must(t, err)
	pair := secretPair{keyOf("alice").Public(), keyOf("bobby").Public()}
	kept, _ := v.secrets.by.Get(pair)
	wif := keyOf("alice").WIF()
	secret := secretOf(keyOf("alice"))
	for _, shown := range []any{
		v, struct{ v *Vault }{v}, v.secrets, v.secrets.by, v.secrets.by.Values(), kept, &kept, v.Config, &v.password,
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			text := fmt.Sprintf(verb, shown)
			for _, hidden := range []string{wif, hex.EncodeToString(secret[:]), fmt.Sprint(secret[:8]), password} {
				if strings.Contains(text, strings.Trim(hidden, "[]")) {
					t.Errorf("%s of %T shows a secret", verb, shown)
				}
			}
		}
	}
}

func secretOf(k ledger.PrivateKey) (secret [32]byte) {
	k.PutSecret(&secret)
	return secret
}

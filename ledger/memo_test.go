package ledger

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMemoVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).Memos {
		var memo Memo
		var own PrivateKey
		if v.PrivateWIF == nil {
			memo = PlainMemo(v.Text)
		} else {
			var err error
			own = mustWIF(t, *v.PrivateWIF)
			if memo, err = EncryptMemo(own, mustPublic(t, *v.OtherPublic), mustUint(t, v.Nonce), v.Text); err != nil {
				t.Fatal(err)
			}
		}
		if got := hex.EncodeToString(memo.Message); got != v.Message {
			t.Errorf("%q: message %s, want %s", v.Text, got, v.Message)
		}
		if text, err := memo.Decrypt(own); err != nil || text != v.Text {
			t.Errorf("%q: decrypted %q, %v", v.Text, text, err)
		}
	}
}

func TestSharedSecretVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).SharedSecrets {
		secret, err := mustWIF(t, v.PrivateWIF).SharedSecret(mustPublic(t, v.OtherPublic))
		if err != nil {
			t.Fatal(err)
		}
		key := secret.messageKey(mustUint(t, v.Nonce))
		if got := hex.EncodeToString(key[:]); got != v.MessageKey {
			t.Errorf("nonce %s: key %s, want %s", v.Nonce, got, v.MessageKey)
		}
	}
}

func testPair(t testing.TB) (alice, bobby PrivateKey) {
	t.Helper()
	return DeriveKey("ALICE", 0), DeriveKey("BOBBY", 0)
}

func TestMemoOpensForBothSidesOnly(t *testing.T) {
	alice, bobby := testPair(t)
	memo, err := EncryptMemo(alice, bobby.Public(), 0, "rent for May")
	if err != nil {
		t.Fatal(err)
	}
	if memo.From != alice.Public() || memo.To != bobby.Public() || memo.Nonce == 0 {
		t.Errorf("unexpected memo %+v", memo)
	}
	for _, own := range []PrivateKey{alice, bobby} {
		if text, err := memo.Decrypt(own); err != nil || text != "rent for May" {
			t.Errorf("got %q, %v", text, err)
		}
	}
	for _, own := range []PrivateKey{DeriveKey("CAROL", 0), {}} {
		if _, err := memo.Decrypt(own); !errors.Is(err, ErrMemoKey) {
			t.Errorf("got %v, want ErrMemoKey", err)
		}
	}
	if _, ok, err := memo.Plain(); ok || err != nil {
		t.Errorf("taken as plain: %v, %v", ok, err)
	}
}

func TestMemoRoundTrip(t *testing.T) {
	alice, bobby := testPair(t)
	secret, err := bobby.SharedSecret(alice.Public())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "text"))
		nonce := rapid.Uint64().Draw(t, "nonce")
		memo, err := EncryptMemo(alice, bobby.Public(), nonce, text)
		if err != nil || len(memo.Message)%16 != 0 {
			t.Fatalf("%d bytes, %v", len(memo.Message), err)
		}
		if got, err := memo.DecryptWith(secret); err != nil || got != text {
			t.Fatalf("%q became %q, %v", text, got, err)
		}
		at := rapid.IntRange(0, len(memo.Message)-1).Draw(t, "damaged byte")
		memo.Message[at] ^= 0x10
		if got, err := memo.DecryptWith(secret); !errors.Is(err, ErrMemoDamaged) || got != "" {
			t.Fatalf("damaged at %d: %q, %v", at, got, err)
		}
	})
}

func TestFreshNoncesDiffer(t *testing.T) {
	alice, bobby := testPair(t)
	first, err1 := EncryptMemo(alice, bobby.Public(), 0, "same")
	second, err2 := EncryptMemo(alice, bobby.Public(), 0, "same")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if first.Nonce == second.Nonce || first.Message.String() == second.Message.String() {
		t.Error("two memos are the same")
	}
}

func TestEncryptMemoNeverFallsBackToPlain(t *testing.T) {
	alice, bobby := testPair(t)
	for name, other := range map[string]PublicKey{"null": {}, "off the curve": {0: 2, 32: 5}, "bad first byte": {0: 9, 32: 1}} {
		if _, err := EncryptMemo(alice, other, 1, "secret"); !errors.Is(err, ErrPublicKeyOffCurve) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := EncryptMemo(PrivateKey{}, bobby.Public(), 1, "secret"); err == nil {
		t.Error("the null key encrypts")
	}
	// The receiver's key of a memo on the ledger may be unusable as well.
	memo := Memo{From: alice.Public(), Message: make(Bytes, 16)}
	if _, err := memo.Decrypt(alice); !errors.Is(err, ErrPublicKeyOffCurve) {
		t.Errorf("got %v", err)
	}
}

func TestPlainMemo(t *testing.T) {
	alice, bobby := testPair(t)
	for message, want := range map[string]string{"": "", "\x01\x02\x03\x04": "", "\xff\xff\xff\xffhello": "hello"} {
		memo := Memo{To: bobby.Public(), Nonce: 7, Message: Bytes(message)}
		text, ok, err := memo.Plain()
		if text != want || !ok || err != nil {
			t.Errorf("%q: got %q, %v, %v", message, text, ok, err)
		}
		if text, err := memo.Decrypt(alice); text != want || err != nil {
			t.Errorf("%q: decrypted %q, %v", message, text, err)
		}
		if text, err := memo.DecryptWith(SharedSecret{}); text != want || err != nil {
			t.Errorf("%q: decrypted %q, %v", message, text, err)
		}
	}
	for _, message := range []string{"a", "ab", "abc"} {
		if _, ok, err := (Memo{Message: Bytes(message)}).Plain(); !ok || !errors.Is(err, ErrMemoDamaged) {
			t.Errorf("%q: %v, %v", message, ok, err)
		}
	}
}

func TestEmptyEncryptedMessageIsEmptyText(t *testing.T) {
	alice, bobby := testPair(t)
	memo := Memo{From: alice.Public(), To: bobby.Public(), Nonce: 1}
	if text, err := memo.Decrypt(bobby); text != "" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	long := append(mustHex(t, "e3b0c442"), bytes.Repeat([]byte{28}, 28)...)
	if text, err := memoText(long); !errors.Is(err, ErrMemoDamaged) {
		t.Errorf("with more padding than a block has it is %q, %v", text, err)
	}
}

func TestMemoLengthsThatAreNoBlocks(t *testing.T) {
	alice, bobby := testPair(t)
	secret, err := alice.SharedSecret(bobby.Public())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 15, 16, 17, 32} {
		memo := Memo{From: alice.Public(), To: bobby.Public(), Nonce: 1, Message: make(Bytes, n)}
		if _, err := memo.DecryptWith(secret); !errors.Is(err, ErrMemoDamaged) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestMemoPaddingIsChecked(t *testing.T) {
	alice, bobby := testPair(t)
	memo, err := EncryptMemo(alice, bobby.Public(), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	plain := append(mustHex(t, "e3b0c442"), make([]byte, 12)...)
	for last, want := range map[byte]error{
		12: nil, 0: ErrMemoDamaged, 13: ErrMemoDamaged, 16: ErrMemoDamaged, 17: ErrMemoDamaged, 255: ErrMemoDamaged,
	} {
		for i := range plain[4:] {
			plain[4+i] = last
		}
		if _, err := memoText(plain); !errors.Is(err, want) {
			t.Errorf("padding %d: %v, want %v", last, err, want)
		}
	}
	if text, err := memo.Decrypt(bobby); text != "" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
}

// The old JavaScript library has a vector with an empty nonce text. Such bytes are on no
// ledger, but they show cipher, padding and checksum apart from the nonce.
func TestMemoCipherWithEmptyNonceText(t *testing.T) {
	v := loadKeyVectors(t).Misc[0]
	secret, err := mustWIF(t, v.PrivateWIF).SharedSecret(mustPublic(t, v.OtherPublic))
	if err != nil {
		t.Fatal(err)
	}
	common := valueOf(secret.secret)
	key := sha512.Sum512([]byte(hex.EncodeToString(common[:])))
	if text, err := decryptMessage(key, mustHex(t, v.Message)); err != nil || text != v.Text {
		t.Errorf("got %q, %v", text, err)
	}
	memo := Memo{From: PublicKey{0: 2}, Message: mustHex(t, v.Message)}
	if _, err := memo.DecryptWith(secret); !errors.Is(err, ErrMemoDamaged) {
		t.Errorf("nonce 0 and no nonce are taken as the same: %v", err)
	}
}

// No bytes bring the reader down, and a text that opens is what encrypt makes of it.
func FuzzMemoDecrypt(f *testing.F) {
	alice, bobby := testPair(f)
	secret, err := alice.SharedSecret(bobby.Public())
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"", "hello", strings.Repeat("x", 64)} {
		message, err := secret.encrypt(5, text)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint64(5), []byte(message), true)
		f.Add(uint64(5), append([]byte{0, 0, 0, 0}, text...), false)
	}
	f.Fuzz(func(t *testing.T, nonce uint64, message []byte, encrypted bool) {
		memo := Memo{To: bobby.Public(), Nonce: nonce, Message: message}
		if encrypted {
			memo.From = alice.Public()
		}
		text, err := memo.DecryptWith(secret)
		if err != nil {
			if !errors.Is(err, ErrMemoDamaged) {
				t.Errorf("unexpected error %v", err)
			}
			return
		}
		if again, err := secret.encrypt(nonce, text); encrypted && len(message) > 0 && (err != nil || string(again) != string(message)) {
			t.Errorf("%x reads as %q, which encrypts to %x", message, text, again)
		}
		// The decrypted layer by itself takes any bytes too.
		if len(message) > 0 {
			if text, err := memoText(message); err == nil && len(text) > len(message) {
				t.Errorf("%x grew to %q", message, text)
			}
		}
	})
}

func BenchmarkMemoDecryptWithCachedSecret(b *testing.B) {
	alice, bobby := testPair(b)
	secret, err := bobby.SharedSecret(alice.Public())
	if err != nil {
		b.Fatal(err)
	}
	memo, err := EncryptMemo(alice, bobby.Public(), 0, "rent for May, flat 12, thank you")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := memo.DecryptWith(secret); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSharedSecret(b *testing.B) {
	alice, bobby := testPair(b)
	public := bobby.Public()
	for b.Loop() {
		if _, err := alice.SharedSecret(public); err != nil {
			b.Fatal(err)
		}
	}
}

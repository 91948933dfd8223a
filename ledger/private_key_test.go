package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"testing"

	"billfold/ledger/codec"

	"pgregory.net/rapid"
)

const testWIF = "5Jd7zdvxXYNdUfnEXt5XokrE3zwJSs734yQ36a1YaqioRTGGLtn"

func TestPrivateKeyVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).Keys {
		if v.WIF == nil {
			continue
		}
		key := mustWIF(t, *v.WIF)
		secret := bytesOf(key)
		if got := hex.EncodeToString(secret[:]); got != v.SecretHex {
			t.Errorf("%s: wrong secret", *v.WIF)
		}
		if got := key.Public().String(); got != v.Public {
			t.Errorf("%s: public key %s, want %s", *v.WIF, got, v.Public)
		}
		if strings.HasPrefix(*v.WIF, "5") && key.WIF() != *v.WIF {
			t.Errorf("%s is written back as %s", *v.WIF, key.WIF())
		}
	}
}

// wifOf builds texts a real key never has.
func wifOf(payload []byte, hashes int) string {
	sum := sha256.Sum256(payload)
	if hashes == 2 {
		sum = sha256.Sum256(sum[:])
	}
	return encodeBase58(append(payload, sum[:4]...))
}

func payloadOf(version byte, secretHex, tail string) []byte {
	payload, _ := hex.DecodeString(fmt.Sprintf("%02x%064s%s", version, secretHex, tail))
	return payload
}

func TestParseWIFForms(t *testing.T) {
	const one = "5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf"
	for name, text := range map[string]string{
		"standard":         one,
		"compressed":       "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
		"one hash":         wifOf(payloadOf(0x80, "1", ""), 1),
		"one hash, K form": wifOf(payloadOf(0x80, "1", "01"), 1),
		"pasted":           "\t " + one + " \r\n",
		"in wide letters":  wide(one),
		"wide, in quotes":  "「" + wide(one) + "」",
		"in quotes":        "“" + one + "”",
		"in two lines":     one[:20] + "\r\n" + one[20:],
		"no-break blank":   "\u00a0" + one[:20] + "\u00a0" + one[20:],
		"invisible":        "\ufeff" + one[:7] + "\u200b\u00ad" + one[7:],
	} {
		key, err := ParseWIF(text)
		if err != nil || key.WIF() != one {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseWIFRefuses(t *testing.T) {
	const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	for name, text := range map[string]string{
		"empty":              "",
		"typing error":       strings.Replace(testWIF, "7zd", "7ze", 1),
		"bad character":      strings.Replace(testWIF, "7zd", "7Od", 1),
		"cut":                testWIF[:50],
		"other version":      wifOf(payloadOf(0xef, "1", ""), 2),
		"other compression":  wifOf(payloadOf(0x80, "1", "02"), 2),
		"too short":          wifOf(payloadOf(0x80, "1", "")[:32], 2),
		"too long":           wifOf(payloadOf(0x80, "1", "0101"), 2),
		"zero":               wifOf(payloadOf(0x80, "0", ""), 2),
		"the order":          wifOf(payloadOf(0x80, order, ""), 2),
		"above, compressed":  wifOf(payloadOf(0x80, strings.Repeat("f", 64), "01"), 2),
		"a public key":       "DCT6MA5TQQ6UbMyMaLPmPXE2Syh5G3ZVhv5SbFedqLPqdFChSeqTz",
		"endless":            strings.Repeat("5", 1<<20),
		"three hashes":       wifOf(payloadOf(0x80, "1", ""), 1)[:46] + "11111",
		"checksum cut to 03": wifOf(payloadOf(0x80, "1", "")[:30], 2),
	} {
		_, err := ParseWIF(text)
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("%s: the error repeats the text", name)
		}
	}
}

// What is wrong with the text of a key is told by its place or as what it is.
func TestParseWIFSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		testWIF[:50]: "has 50 characters, and a key has 51", testWIF[:20] + "0" + testWIF[21:]: "character 21 of", "5" + testWIF[2:]: "has 50 characters",
		strings.Replace(testWIF, "7zd", "7ze", 1): "the checksum of the private key text does not match", "private key: " + testWIF: "there is more in the text than a private key",
		"\xff\xfe5\x00J\x00": "the text is UTF-16", "ключ": "character 1 of",
		"DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV": "that is a public key, which signs nothing", strings.Repeat("ABANDON ", 16): "these are 16 words: a phrase is given in its own place",
	} {
		if _, err := ParseWIF(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNewPrivateKeyRange(t *testing.T) {
	last := [32]byte(mustHex(t, "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140"))
	key, err := NewPrivateKey(last)
	if err != nil || bytesOf(key) != last {
		t.Errorf("the largest secret: %v", err)
	}
	last[31]++
	if _, err := NewPrivateKey(last); err == nil {
		t.Error("the order of the curve taken as a secret")
	}
	if _, err := NewPrivateKey([32]byte{}); err == nil {
		t.Error("zero taken as a secret")
	}
}

func TestWIFRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret"))
		key, err := NewPrivateKey(secret)
		if err != nil {
			t.Skip(err)
		}
		again, err := ParseWIF(key.WIF())
		if err != nil || !again.Equal(key) {
			t.Fatalf("not read back: %v", err)
		}
	})
}

func TestGeneratePrivateKeyMakesDifferentKeys(t *testing.T) {
	a, err := GeneratePrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	b, err := GeneratePrivateKey()
	if err != nil {
		t.Fatal(err)
	}
	if a.Equal(b) || a.IsNull() || !a.Public().IsOnCurve() {
		t.Error("the generated keys are no keys, or the same")
	}
}

func TestDeriveKeyVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).KeyDerivation {
		key := DeriveKey(v.Prefix, v.Sequence)
		if key.WIF() != v.WIF || key.Public().String() != v.Public {
			t.Errorf("child %d: got %s, want %s", v.Sequence, key.Public(), v.Public)
		}
		then := DeriveKey(key.WIF(), 0)
		if then.WIF() != v.ThenWIF || then.Public().String() != v.ThenPublic {
			t.Errorf("child 0 of child %d: got %s, want %s", v.Sequence, then.Public(), v.ThenPublic)
		}
	}
}

func TestElGamalVectors(t *testing.T) {
	vectors := loadKeyVectors(t)
	check := func(wif, private, public string) {
		t.Helper()
		pair := mustWIF(t, wif).ElGamal()
		if BigText(pair.Private) != private || BigText(pair.Public) != public {
			t.Errorf("%s: public number %s, want %s", wif, BigText(pair.Public), public)
		}
		pair.Wipe()
		if BigText(pair.Private) != "0." {
			t.Error("the private number is still there")
		}
	}
	for _, v := range vectors.ElGamal {
		check(v.WIF, v.Private, v.Public)
	}
	for _, v := range vectors.Keys {
		if v.WIF != nil && v.ElGamalPrivate != "" {
			check(*v.WIF, v.ElGamalPrivate, v.ElGamalPublic)
		}
	}
}

func TestWipedKeyIsTheNullKeyInAllCopies(t *testing.T) {
	key := mustWIF(t, testWIF)
	public, kept := key.Public(), key
	shared, err := key.SharedSecret(public)
	if err != nil {
		t.Fatal(err)
	}
	key.Wipe()
	shared.Wipe()
	if !kept.IsNull() || !kept.Public().IsNull() || kept.Sign([32]byte{1}) != (Signature{}) {
		t.Error("the wiped key still works")
	}
	if _, err := kept.SharedSecret(public); err == nil {
		t.Error("the wiped key shares a secret")
	}
	if valueOf(shared.secret) != [64]byte{} {
		t.Error("the shared secret is still there")
	}
	PrivateKey{}.Wipe() // wiping nothing is no fault
}

func TestWipeWhileSigning(t *testing.T) {
	want := mustWIF(t, testWIF).Sign([32]byte{1})
	for range 20 {
		key := mustWIF(t, testWIF)
		done := make(chan Signature)
		go func() { done <- key.Sign([32]byte{1}) }()
		key.Wipe()
		if sig := <-done; sig != want && sig != (Signature{}) {
			t.Fatalf("half a key made the signature %s", sig)
		}
	}
}

// Secrets must not get into logs, error texts or files by accident, also not as an
// unexported field of some other struct, where fmt calls no methods.
func TestSecretsAreNotPrinted(t *testing.T) {
	key := mustWIF(t, testWIF)
	shared, err := key.SharedSecret(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	pair := key.ElGamal()
	type holder struct {
		key    PrivateKey
		shared SharedSecret
		keys   map[PublicKey]PrivateKey
	}
	hidden := holder{key, shared, map[PublicKey]PrivateKey{key.Public(): key}}
	for _, secret := range []any{key, &key, pair, &pair, shared, &shared, struct{ K any }{key}, []any{key, pair, shared}, hidden, &hidden} {
		var out strings.Builder
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%t", "%p"} {
			fmt.Fprintf(&out, verb+"\n", secret)
		}
		slog.New(slog.NewTextHandler(&out, nil)).Info("text", "secret", secret)
		slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "secret", secret)
		if s, ok := secret.(interface{ GoString() string }); ok {
			out.WriteString(s.GoString() + secret.(fmt.Stringer).String())
		}
		data, err := json.Marshal(secret)
		if _, isHolder := secret.(holder); err == nil && !isHolder && secret != any(&hidden) {
			t.Errorf("%T is written as JSON: %s", secret, data)
		}
		if data, err := codec.Marshal(secret); err == nil {
			out.Write(data)
		}
		if text := showsSecret(out.String(), key, shared); text != "" {
			t.Errorf("%T is shown as %s:\n%s", secret, text, out.String())
		}
	}
}

// showsSecret finds the secrets in the forms in which fmt and JSON might write them.
func showsSecret(out string, key PrivateKey, shared SharedSecret) string {
	raw, common, private := bytesOf(key), valueOf(shared.secret), key.ElGamal().Private
	for _, text := range []string{
		key.WIF(), fmt.Sprintf("%x", raw), strings.Trim(fmt.Sprint(raw), "[]"), string(raw[:]),
		fmt.Sprintf("%x", common), strings.Trim(fmt.Sprint(common), "[]"), string(common[:]),
		private.String(), private.Text(16), private.Text(2),
	} {
		if strings.Contains(strings.ToLower(out), strings.ToLower(text)) {
			return text
		}
	}
	return ""
}

// Whatever is accepted is a key whose own text is accepted and means the same.
func FuzzParseWIF(f *testing.F) {
	for _, v := range loadKeyVectors(f).Keys {
		if v.WIF != nil {
			f.Add(*v.WIF)
		}
	}
	f.Add(wifOf(payloadOf(0x80, "1", "01"), 1))
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParseWIF(text)
		if err != nil {
			if len(text) > 16 && strings.Contains(err.Error(), text) {
				t.Error("the error repeats the text")
			}
			return
		}
		if again, err := ParseWIF(key.WIF()); err != nil || !again.Equal(key) || key.IsNull() {
			t.Errorf("not read back: %v", err)
		}
	})
}

// What Memory shows is the secret itself, in every copy of the key, and nothing
// after Wipe.
func TestMemoryIsWhereTheSecretLies(t *testing.T) {
	key := DeriveKey("pinned", 1)
	copied, secret := key, bytesOf(key)
	where := key.Memory()
	if !bytes.Equal(where, secret[:]) || &where[0] != &copied.Memory()[0] || len(where) != cap(where) {
		t.Fatal("it is somewhere else")
	}
	copied.Wipe()
	if !bytes.Equal(where, make([]byte, 32)) {
		t.Fatal("it was not wiped there")
	}
	if (PrivateKey{}).Memory() != nil {
		t.Fatal("the null key has memory")
	}
}

func TestKeyTextIsTheWIFAndCanBeWiped(t *testing.T) {
	key := DeriveKey("key text", 0)
	text := key.KeyText()
	out, err := codec.Marshal(struct {
		Key KeyText `json:"key"`
	}{text})
	if err != nil || string(out) != `{"key":"`+key.WIF()+`"}` {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := json.Marshal(text); err != nil || string(out) != `"`+key.WIF()+`"` {
		t.Errorf("%s, %v", out, err)
	}
	for _, verb := range []string{"%v", "%s", "%x", "%q", "%#v"} {
		if shown := fmt.Sprintf(verb, text); shown != hiddenSecret {
			t.Errorf("%s shows %s", verb, shown)
		}
	}
	number, _ := new(big.Int).SetString(strings.Repeat("9", 150), 10)
	if got := BigKeyText(number); string(got) != BigText(number) {
		t.Errorf("%s", []byte(got))
	}
	if text.Wipe(); strings.Trim(string(text), "\x00") != "" {
		t.Errorf("%q is left", []byte(text))
	}
}

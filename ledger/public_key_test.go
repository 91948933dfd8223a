package ledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestPublicKeyVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).Keys {
		key := mustPublic(t, v.Public)
		if got := hex.EncodeToString(key[:]); got != v.PublicHex {
			t.Errorf("%s: bytes %s, want %s", v.Public, got, v.PublicHex)
		}
		if got := key.String(); got != v.Public {
			t.Errorf("text %s, want %s", got, v.Public)
		}
		if got, want := key.IsOnCurve(), v.WIF != nil; got != want {
			t.Errorf("%s: on the curve %v, want %v", v.Public, got, want)
		}
	}
}

func TestNullPublicKey(t *testing.T) {
	key := mustPublic(t, "DCT1111111111111111111111111111111114T1Anm")
	if !key.IsNull() || key != (PublicKey{}) {
		t.Errorf("the null key was read as %x", key[:])
	}
}

func TestPublicKeyOffTheCurveIsReadable(t *testing.T) {
	off := PublicKey{0: 2, 32: 5} // x = 5 has no point
	if got := mustPublic(t, off.String()); got != off {
		t.Errorf("got %x", got[:])
	}
	if off.IsOnCurve() {
		t.Error("x = 5 taken as a point")
	}
}

func TestParsePublicKeyRefuses(t *testing.T) {
	good := "DCT6MA5TQQ6UbMyMaLPmPXE2Syh5G3ZVhv5SbFedqLPqdFChSeqTz"
	mustPublic(t, good)
	for name, text := range map[string]string{
		"empty":           "",
		"prefix only":     "DCT",
		"no prefix":       good[3:],
		"other prefix":    "BTS" + good[3:],
		"lower prefix":    "dct" + good[3:],
		"typing error":    strings.Replace(good, "6MA5", "6MA6", 1),
		"bad character":   strings.Replace(good, "6MA5", "6M05", 1),
		"cut":             good[:len(good)-1],
		"longer":          good + "z",
		"leading one":     "DCT1" + good[3:],
		"space":           good + " ",
		"endless":         "DCT" + strings.Repeat("1", 1<<20),
		"a private key":   "5Jd7zdvxXYNdUfnEXt5XokrE3zwJSs734yQ36a1YaqioRTGGLtn",
		"null, one short": "DCT111111111111111111111111111111114T1Anm",
	} {
		if _, err := ParsePublicKey(text); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestComparePublicKeysIsTheOrderOfTheReference(t *testing.T) {
	order := loadKeyVectors(t).PublicKeyOrder
	slices.SortFunc(order.Input, ComparePublicKeys)
	if !slices.Equal(order.Input, order.Sorted) {
		t.Errorf("got %v, want %v", order.Input, order.Sorted)
	}
	low, high := PublicKey{0: 0x7f}, PublicKey{0: 0x80}
	if ComparePublicKeys(high, low) >= 0 || ComparePublicKeys(low, high) <= 0 || ComparePublicKeys(low, low) != 0 {
		t.Error("80 must come before 7f")
	}
}

func TestPublicKeyJSON(t *testing.T) {
	key := mustPublic(t, "DCT6MA5TQQ6UbMyMaLPmPXE2Syh5G3ZVhv5SbFedqLPqdFChSeqTz")
	in := map[PublicKey]PublicKey{key: {}}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"DCT6MA5TQQ6UbMyMaLPmPXE2Syh5G3ZVhv5SbFedqLPqdFChSeqTz":"DCT1111111111111111111111111111111114T1Anm"}`
	if string(data) != want {
		t.Errorf("got %s, want %s", data, want)
	}
	var out map[PublicKey]PublicKey
	if err := json.Unmarshal(data, &out); err != nil || len(out) != 1 || !out[key].IsNull() {
		t.Errorf("read back %v, %v", out, err)
	}
	for _, bad := range []string{`null`, `5`, `""`, `"DCT"`, `[2]`, `{}`} {
		if err := json.Unmarshal([]byte(bad), &key); err == nil {
			t.Errorf("%s accepted", bad)
		}
	}
}

func TestBase58RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zeros := rapid.IntRange(0, 8).Draw(t, "zeros")
		tail := rapid.SliceOfN(rapid.Byte(), 0, 39).Draw(t, "tail")
		src := append(make([]byte, zeros), tail...)
		text := encodeBase58(src)
		decoded, ok := decodeBase58(text)
		if !ok || !bytes.Equal(decoded, src) {
			t.Fatalf("%x became %q became %x", src, text, decoded)
		}
	})
}

func TestDecodeBase58KeepsItsBounds(t *testing.T) {
	largest, ok := decodeBase58(strings.Repeat("z", maxBase58Text))
	if !ok || len(largest) > maxBase58Bytes {
		t.Errorf("%d bytes, %v", len(largest), ok)
	}
	ones, ok := decodeBase58(strings.Repeat("1", maxBase58Text))
	if !ok || len(ones) != maxBase58Text {
		t.Errorf("%d bytes, %v", len(ones), ok)
	}
	if _, ok := decodeBase58(strings.Repeat("1", maxBase58Text+1)); ok {
		t.Error("longer text accepted")
	}
	if got := encodeBase58(bytes.Repeat([]byte{0xff}, maxBase58Bytes)); len(got) == 0 {
		t.Error("the largest number got no text")
	}
}

// A key has one text: whatever is accepted is written back the same.
func FuzzParsePublicKey(f *testing.F) {
	for _, v := range loadKeyVectors(f).Keys {
		f.Add(v.Public)
	}
	f.Add("DCT")
	f.Add("DCT1")
	f.Fuzz(func(t *testing.T, text string) {
		key, err := ParsePublicKey(text)
		if err != nil {
			return
		}
		if got := key.String(); got != text {
			t.Errorf("%q is written back as %q", text, got)
		}
	})
}

// What is remembered of keys is of these keys and texts alone: many share a place, and others write meanwhile.
func TestRememberedKeysAreNotMixedUp(t *testing.T) {
	keys, texts := make([]PublicKey, 4*knownKeys), make([]string, 4*knownKeys)
	for i := range keys {
		keys[i] = PublicKey{0: 2, 1: byte(i), 2: byte(i >> 8), 32: byte(i % 7)}
		texts[i] = string(new(PublicKeyTexts).Append(nil, keys[i]))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, key := range keys {
				for range 2 {
					if text := key.String(); text != texts[i] {
						t.Errorf("%x is written as %s", key, text)
					}
					if read, err := ParsePublicKey(texts[i]); err != nil || read != key {
						t.Errorf("%s is read as %x (%v)", texts[i], read, err)
					}
				}
				altered := []byte(texts[i])
				altered[20] ^= 1
				if read, err := ParsePublicKey(string(altered)); err == nil {
					t.Errorf("an altered text is read as %x", read)
				}
			}
		})
	}
	all.Wait()
}

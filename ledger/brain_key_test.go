package ledger

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBrainKeyVectors(t *testing.T) {
	for _, v := range loadKeyVectors(t).BrainKeys {
		prefix := v.BrainKey
		if v.Normalize {
			prefix = NormalizeBrainKey(prefix)
			if prefix != *v.Normalized {
				t.Errorf("%q: normalized %q, want %q", v.BrainKey, prefix, *v.Normalized)
			}
		}
		key := DeriveKey(prefix, v.Sequence)
		if key.WIF() != v.WIF || key.Public().String() != v.Public {
			t.Errorf("%q: got %s, want %s", v.BrainKey, key.Public(), v.Public)
		}
	}
}

func TestNormalizeBrainKeyCutsAtASCIISpaceOnly(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		" \t\r\n\v\f":          "",
		"a\vb\fc\rd":           "A B C D",
		"a\u00a0b":             "A\u00a0B", // a no-break space is part of the word
		"\xffz\xfe a":          "\xffZ\xfe A",
		"stra\u00dfe \u00e4rg": "STRA\u00dfE \u00e4RG",
	} {
		if got := NormalizeBrainKey(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestNormalizeBrainKeyTwiceIsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := NormalizeBrainKey(rapid.String().Draw(t, "text"))
		if twice := NormalizeBrainKey(once); twice != once {
			t.Fatalf("%q became %q", once, twice)
		}
	})
}

// The list is that of the standard, byte for byte: another word would be a key that others cannot restore.
func TestEnglishWordsAreThoseOfTheStandard(t *testing.T) {
	const want = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(englishWords))); got != want || len(englishList()) != 2048 {
		t.Errorf("%d words, SHA-256 %s", len(englishList()), got)
	}
}

func TestSuggestBrainKey(t *testing.T) {
	known := make(map[string]bool)
	for _, word := range englishList() {
		known[strings.ToUpper(word)] = true
	}
	seen := make(map[string]bool)
	for range 64 {
		suggested, err := SuggestBrainKey()
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Split(suggested, " ")
		if len(words) != 16 || NormalizeBrainKey(suggested) != suggested {
			t.Fatalf("%q is not sixteen normalized words", suggested)
		}
		for _, word := range words {
			if !known[word] {
				t.Errorf("%q is not in the list", word)
			}
			seen[word] = true
		}
	}
	// 1024 draws of 2048 words show about 805 different ones; 700 is ten deviations away.
	if len(seen) < 700 {
		t.Errorf("only %d different words in 1024 draws", len(seen))
	}
}

package ledger

import (
	"strings"
	"testing"

	"github.com/tyler-smith/go-bip39/wordlists"
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

func TestSuggestBrainKey(t *testing.T) {
	known := make(map[string]bool)
	for _, word := range wordlists.English {
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

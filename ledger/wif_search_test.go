package ledger

import (
	"strings"
	"testing"
)

func TestHoldsWIFFindsAKeyWhateverIsAroundOrInIt(t *testing.T) {
	const compressed = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn"
	for _, wif := range []string{DeriveKey("a key", 0).WIF(), compressed} {
		if _, err := ParseWIF(wif); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{
			wif, "x" + wif, "125" + wif, wif + "x", wif + wif[:9], "my key: " + wif + ", keep it", "é" + wif + "é", "5" + wif + "5",
			wif[:20] + " " + wif[20:], wif[:20] + "\n" + wif[20:], wif[:20] + "\r\n\t " + wif[20:], wif[:7] + "\u200b" + wif[7:], wif[:7] + "-" + wif[7:],
			strings.Join(strings.Split(wif, ""), " "),
		} {
			if !HoldsWIF(text) {
				t.Errorf("no key is seen in %q", text)
			}
		}
		for _, text := range []string{
			"", wif[1:], wif[:len(wif)-1], strings.ToLower(wif), wif[:20] + "x" + wif[20:], strings.Repeat(wif[:10], 30),
			DeriveKey("a key", 0).Public().String(), strings.Repeat("5", 5000), strings.Repeat("K ", 5000),
		} {
			if HoldsWIF(text) {
				t.Errorf("a key is seen in %q", text)
			}
		}
	}
}

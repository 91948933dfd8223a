package setting

import (
	"slices"
	"strings"

	"billfold/walletcore/spelling"
)

// didYouMean returns "; did you mean WORD?" for the word that is nearest to what was
// written, with mark before it, or "" if none is near.
func didYouMean(written string, words []string, mark string) string {
	if near := spelling.Nearest(written, words); near != "" {
		return "; did you mean " + mark + near + "?"
	}
	return ""
}

// looksSecret reports whether a word names a secret, which is never a setting, and is not near a setting's name.
func looksSecret(written string, names []string) bool {
	if spelling.Nearest(written, names) != "" {
		return false
	}
	return slices.ContainsFunc([]string{"password", "passphrase", "key", "wif", "seed", "secret", "token"}, func(word string) bool {
		return strings.Contains(strings.ToLower(written), word)
	})
}

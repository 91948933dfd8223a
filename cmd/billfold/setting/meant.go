package setting

import (
	"slices"
	"strings"

	"billfold/walletcore/spelling"
)

// meant is "; did you mean WORD?" for the word that is nearest to what was
// written, with mark before it; "" when none is near.
func meant(written string, words []string, mark string) string {
	if near := spelling.Nearest(written, words); near != "" {
		return "; did you mean " + mark + near + "?"
	}
	return ""
}

// looksSecret finds names of what never is a setting, unless one was meant.
func looksSecret(written string, names []string) bool {
	if spelling.Nearest(written, names) != "" {
		return false
	}
	return slices.ContainsFunc([]string{"password", "passphrase", "key", "wif", "seed", "secret", "token"}, func(word string) bool {
		return strings.Contains(strings.ToLower(written), word)
	})
}

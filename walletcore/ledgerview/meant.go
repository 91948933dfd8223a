package ledgerview

import (
	"strings"

	"billfold/walletcore/fault"
	"billfold/walletcore/spelling"
)

// Meant returns the account among known ones that a word which names no account was perhaps meant to be: one letter of its name is added, left
// out, changed or swapped with its neighbour, or two of a long one. It returns false if none is near, and for an id, which is never corrected.
func Meant(word string, known []AccountRef) (meant AccountRef, near bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	if len(word) < 3 || len(word) > maxNameBytes || word[0] >= '0' && word[0] <= '9' {
		return AccountRef{}, false
	}
	most := 1
	if len(word) >= longName {
		most = 2
	}
	for _, ref := range known {
		if d := spelling.Distance(word, ref.Name); d <= most && d > 0 {
			meant, near, most = ref, true, d-1
		}
	}
	return meant, near
}

// maxNameBytes is the length of the longest account name.
const maxNameBytes = 63

// unknown returns the error for a word that names no account, with the account of this wallet that was perhaps meant.
func (s *Accounts) unknown(word string) error {
	err := fault.AccountUnknown(word)
	if s.known == nil {
		return err
	}
	if ref, near := Meant(word, s.known()); near {
		err.Meant = ref.Name
	}
	return err
}

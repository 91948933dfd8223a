package uitest

import (
	"regexp"
	"strings"
)

var numberedWord = regexp.MustCompile(` (\d{1,2}) ([A-Z]{3,8})\b`)

// Phrase reads the recovery phrase from the screen, which must show all of its 16 words.
func (d *Driver) Phrase() (words []string) {
	d.T.Helper()
	for _, found := range numberedWord.FindAllStringSubmatch(d.Screen(), -1) {
		words = append(words, found[2])
	}
	if len(words) != 16 {
		d.T.Fatalf("the screen shows %d words:\n%s", len(words), d.Screen())
	}
	return words
}

// telltaleWords is the number of words of a phrase that no screen shows by chance. Some words of the list, such as help and lock, are
// also in hints.
const telltaleWords = 6

// HidesPhrase fails the test if the screen shows words of a phrase.
func (d *Driver) HidesPhrase(words []string) {
	d.T.Helper()
	shown := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(d.Screen()), func(r rune) bool { return r < 'a' || r > 'z' }) {
		shown[word] = true
	}
	var seen []string
	for _, word := range words {
		if shown[strings.ToLower(word)] {
			seen = append(seen, word)
		}
	}
	if len(seen) >= telltaleWords {
		d.T.Errorf("the screen shows %q of the phrase:\n%s", seen, d.Screen())
	}
}

package uitest

import "regexp"

var numberedWord = regexp.MustCompile(` (\d{1,2}) ([A-Z]{3,8})\b`)

// Phrase reads the recovery phrase off the screen, which must show all of its 16 words.
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

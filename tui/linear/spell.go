package linear

import (
	"regexp"
	"slices"
	"strings"

	"billfold/tui/format"
)

// spellable matches what is hard to tell apart by ear: an account name before its id, a public key, a link, a
// transaction id.
var spellable = regexp.MustCompile(`[a-z][a-z0-9.-]+(?: 1\.2\.\d+\b)|` +
	`\bDCT[0-9A-Za-z]{48,52}\b|\b(?:dcore|decent):\S+|\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b`)

// maxSpelled is the maximum number of names that are spelled at once.
const maxSpelled = 10

// spell returns the names in facts, each spelled letter by letter.
func spell(facts []fact) (out []fact) {
	var found []string
	for _, f := range facts {
		for _, one := range spellable.FindAllString(f.Text, -1) {
			one, _, _ = strings.Cut(one, " ")
			if !slices.Contains(found, one) {
				found = append(found, one)
			}
		}
	}
	if len(found) == 0 {
		return []fact{{Text: "The last answer names no account, key, link or transaction."}}
	}
	for _, one := range found[:min(len(found), maxSpelled)] {
		out = append(out, fact{Label: one, Text: spelling(one)})
	}
	return out
}

// spelling returns a text letter by letter.
func spelling(text string) string {
	var out []string
	for _, r := range text {
		said := sound(r)
		for _, article := range []string{"letter ", "a ", "an "} {
			said = strings.TrimPrefix(said, article)
		}
		out = append(out, said)
	}
	return strings.Join(out, ", ") + "."
}

// sound names a letter in words, so that 1 and l sound different.
func sound(r rune) string {
	names := map[rune]string{'-': "a hyphen", '.': "a dot", ':': "a colon", '?': "a question mark", '&': "an ampersand",
		'=': "an equals sign", '%': "a percent sign"}
	switch name := names[r]; {
	case name != "":
		return name
	case r >= '0' && r <= '9':
		return "digit " + string(r)
	case r >= 'A' && r <= 'Z':
		return "capital " + string(r)
	}
	return "letter " + format.Clean(string(r))
}

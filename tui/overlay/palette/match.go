package palette

import (
	"slices"
	"strings"

	"billfold/walletcore/spelling"
)

// rank grades the match between an entry and what was typed; a lower one is better.
type rank int

const (
	beginsSo rank = 2 * iota // the entry begins with it
	wordSo                   // one of its words does
	inside                   // it is somewhere in the entry or its description
	apart                    // its letters are in one of the words, in this order
	mistyped                 // one of its words has a letter more, less or changed, or two swapped; only for names
)

// match is the rank of an entry, and for equal ranks how many other letters it has.
type match struct {
	rank rank
	cost int
}

// match reports whether and how well an entry fits what was typed, in lower case.
func (e entry) match(want string) (match, bool) {
	if want == "" {
		return match{}, true
	}
	m, word := match{cost: len(e.word)}, strings.ToLower(e.word)
	at := strings.Index(word, want)
	starts := slices.ContainsFunc([]string{" ", "_", "-", "."}, func(before string) bool { return strings.Contains(word, before+want) })
	letters, fits := spread(want, word)
	switch {
	case at == 0:
		m.rank = beginsSo
	case starts:
		m.rank = wordSo
	case at > 0:
		m.rank = inside
	case len(want) > 2 && strings.Contains(strings.ToLower(e.help), want):
		m.rank, m.cost = inside, len(e.word)+len(e.help)
	case fits:
		m.rank, m.cost = apart, letters
	case e.misspelled(want):
		m.rank = mistyped
	default:
		return match{}, false
	}
	if verb := e.takesAway(); verb != "" && !strings.HasPrefix(want, verb) {
		m.rank += wordSo + 1
	}
	return m, true
}

// misspelled reports whether what was typed is one of the words of a name with a slip in it.
func (e entry) misspelled(want string) bool {
	switch e.group {
	case pages, accounts, contacts, others, assets, settings:
	default:
		return false
	}
	return len(want) > 3 && slices.ContainsFunc(strings.Fields(e.word), func(word string) bool { return spelling.Within(want, word, 1) })
}

// spread reports whether one of the words of a text contains the letters of want in this order; cost is the number of other letters
// among them.
func spread(want, text string) (cost int, fits bool) {
	for word := range strings.FieldsSeq(text) {
		rest, others := word, 0
		in := true
		for _, r := range want {
			i := strings.IndexRune(rest, r)
			if in = i >= 0; !in {
				break
			}
			others += i
			rest = rest[i+len(string(r)):]
		}
		if in && (!fits || others < cost) {
			cost, fits = others, true
		}
	}
	return cost, fits
}

// takesAway returns the verb of an entry that removes, withdraws or hides something; empty for any other. Until that verb is typed, it
// stands behind all entries of which a word begins with what is typed: enter must not run it for a prefix.
func (e entry) takesAway() string {
	verb, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(e.word), "_", " "), " ")
	switch verb {
	case "remove", "delete", "forget", "cancel", "withdraw", "take", "revoke", "drop", "clear", "deny", "hide", "reset":
		if e.group == actions || e.group == calls {
			return verb
		}
	}
	return ""
}

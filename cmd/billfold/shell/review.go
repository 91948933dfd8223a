package shell

import (
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
)

// longestMemo is how many letters of a memo a review has.
const longestMemo = 1000

// describe is a review as lines: what was read back from the bytes that would be signed.
func describe(r build.Review) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("what", "%s", r.Sentence)
	if r.Memo != "" {
		line("memo", "%s", printable.Quote(r.Memo, longestMemo))
	}
	line("fee", "%s", pretty(r.Fee, r.FeeAsset))
	if r.Guessable != "" {
		line("CAREFUL", "anyone can guess the brain key, and has the account then: %s", r.Guessable)
	}
	for _, c := range r.Changed {
		line("CAREFUL", "the %s of %s is no longer what it was: %s, now %s", c.What, c.Account.Name, c.Was, c.Now)
	}
	for _, e := range r.Effects {
		if e.Careful != "" {
			line("CAREFUL", "%s", e.Careful)
		}
	}
	for _, twin := range r.Twins() {
		line("CAREFUL", "more than once in it: %s", twin)
	}
	for _, other := range r.LooksLike {
		line("CAREFUL", "%s looks like %s, whom you know", r.To.Name, other.Name)
	}
	if r.Repeats != nil {
		line("CAREFUL", "the same was paid within the last day: %s", r.Repeats.Sentence)
	}
	if r.FirstTime {
		line("note", "%s was never paid before by %s", r.To.Name, r.From.Name)
	}
	keys := make([]string, len(r.SignsWith))
	for i, key := range r.SignsWith {
		keys[i] = key.String()
		for _, p := range r.SignsAs {
			if p.Key == key {
				keys[i] += fmt.Sprintf(" (%s key of %s)", p.Role, p.Account.Name)
			}
		}
	}
	line("signs with", "%s", strings.Join(keys, ", "))
	return b.String()
}

func pretty(amount int64, of ledgerview.AssetRef) string {
	return ledger.FormatAmount(amount, of.Precision) + " " + of.Symbol
}

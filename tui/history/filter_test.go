package history

import (
	"testing"

	"billfold/walletcore"
)

func FuzzFilter(f *testing.F) {
	for _, s := range []string{"", "carol", `with:carol "two words" -dir:in`, `type:transfer,vote asset:DCT -`, `"open`, "with:", "-:", "*"} {
		f.Add(s)
	}
	e := walletcore.HistoryEntry{Name: "transfer", With: walletcore.AccountRef{ID: 57, Name: "carol"}, Memo: "rent", Direction: walletcore.DirectionOut}
	f.Fuzz(func(t *testing.T, text string) {
		for _, one := range parse(text) {
			if one.value == "" {
				t.Fatalf("%q has an empty term", text)
			}
			not := one
			not.not = !one.not
			if matchAll([]term{one}, e) == matchAll([]term{not}, e) {
				t.Fatalf("%+v and its opposite agree", one)
			}
		}
	})
}

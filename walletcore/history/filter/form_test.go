package filter

import (
	"slices"
	"strings"
	"testing"
)

func lines() []string { return []string{"dir", "with", "type", "amount", "memo"} }

func TestFilterIsSplitAndJoined(t *testing.T) {
	for text, want := range map[string]struct{ values, rest, joined string }{
		"":                               {values: "||||"},
		"dir:in with:carol":              {values: "in|carol|||", joined: "dir:in with:carol"},
		`amount>=5 memo:"two words"`:     {values: "|||>=5|two words", joined: `amount>=5 memo:"two words"`},
		"with:carol or with:bob dir:out": {values: "out||||", rest: "with:carol or with:bob", joined: "dir:out with:carol or with:bob"},
		"dir:in dir:out":                 {values: "in||||", rest: "dir:out", joined: "dir:in dir:out"},
		"-dir:in -(with:a or memo:b) rent": {values: "||||", rest: "-dir:in -(with:a or memo:b) rent",
			joined: "-dir:in -(with:a or memo:b) rent"},
		"not dir:in and with:bob": {values: "|bob|||", rest: "not dir:in", joined: "with:bob not dir:in"},
		"memo:(":                  {values: "||||", rest: "memo:(", joined: "memo:("},
	} {
		values, rest := Split(text, lines())
		joined, at := Join(lines(), values, rest)
		if got := strings.Join(values, "|"); got != want.values || rest != want.rest || joined != want.joined {
			t.Errorf("%q is %s and %q, then %q", text, got, rest, joined)
		}
		if s := at[len(lines())]; joined[s.From:s.To] != rest {
			t.Errorf("%q: the span of the rest has %q", text, joined[s.From:s.To])
		}
	}
	if got := condition("memo", ` a "(b)" `); got != `memo:"a (b)"` {
		t.Error(got)
	}
}

// FuzzForm checks that a filter has the same meaning after it was split and joined.
func FuzzForm(f *testing.F) {
	for _, s := range []string{`with:carol "two words" -dir:in`, "a or dir:in type:x", "-(a or not b) and memo:c", `memo:" a"`, "amount=5",
		"amount:>5"} {
		f.Add(s)
	}
	said := func(n node) (out []string) {
		n.each(func(w word) { out = append(out, strings.ReplaceAll(w.field+w.compare+w.value, "amount=", "amount:")) })
		slices.Sort(out)
		return out
	}
	f.Fuzz(func(t *testing.T, text string) {
		was, err := parse(text)
		if err != nil || len(text) > maxLetter/2 {
			return
		}
		values, rest := Split(text, lines())
		joined, _ := Join(lines(), values, rest)
		is, err := parse(joined)
		if err != nil || !slices.Equal(said(was), said(is)) {
			t.Fatalf("%q becomes %q: %v", text, joined, err)
		}
	})
}

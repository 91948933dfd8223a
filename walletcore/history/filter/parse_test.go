package filter

import (
	"errors"
	"fmt"
	"testing"
	"time"
	"unicode/utf8"

	"billfold/ledger"
)

// FuzzWords checks that parsed words lie within the text, and that replacing a mistake by the nearest word never gives
// the same mistake again.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "carol", `with:carol "two words" -dir:in`, "a or b c", "-(a or not b)", "typ:x",
		`"open`, `a"b c"d:e`, "amount>=5", "((((", "- -", "x:", `-"a:b"`, "or and not", "é:ß"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parse(text)
		m := (*Mistake)(nil)
		switch {
		case err == nil:
			words := 0
			parsed.each(func(w word) {
				words++
				if w.from < 0 || w.from > w.at || w.at > w.to || w.to > len(text) {
					t.Fatalf("%q: %+v is not within it", text, w)
				}
				bounds, ok := w.amountBounds()
				if ok && bounds.low != nil && bounds.high != nil {
					if out, some := bounds.in(8); some && (out.Min > out.Max && out.Max != 0) {
						t.Fatalf("%q: the bounds are %+v", text, out)
					}
				}
			})
			if words > maxWords {
				t.Fatalf("%q has %d words", text, words)
			}
		case !errors.As(err, &m) || m.From < 0 || m.From > m.To || m.To > len(text) || m.What == "":
			t.Fatalf("%q: %#v", text, err)
		case m.Nearest != "" && utf8.ValidString(text):
			taken := text[:m.From] + m.Nearest + text[m.To:]
			_, err := parse(taken)
			if again := (*Mistake)(nil); errors.As(err, &again) && again.From == m.From && again.What == m.What {
				t.Fatalf("%q: replaced, it is %q, and again %v", text, taken, again)
			}
		}
	})
}

// each calls do for every word.
func (n node) each(do func(word)) {
	if n.word != nil {
		do(*n.word)
	}
	if n.not != nil {
		n.not.each(do)
	}
	for _, one := range append(n.all, n.any...) {
		one.each(do)
	}
}

// amountBounds is bounds for a word about an amount, and false for any other.
func (w word) amountBounds() (amountRange, bool) {
	if w.field != "amount" && w.field != "min" && w.field != "max" {
		return amountRange{}, false
	}
	return w.bounds()
}

func TestAmountBoundsFollowTheAssetsPrecision(t *testing.T) {
	for _, c := range []struct {
		field, compare, value string
		places                uint8
		low, high             int64
		some                  bool
	}{
		{"amount", ">", "0.001", 2, 1, 0, true}, {"amount", ">=", "0.01", 2, 1, 0, true}, {"amount", ">", "0.01", 2, 2, 0, true},
		{"amount", "<", "0.011", 2, 0, 1, true}, {"amount", "<", "0.01", 2, 0, 0, false}, {"max", ":", "0.019", 2, 0, 1, true},
		{"amount", ":", "1204", 0, 1204, 1204, true}, {"amount", ":", "0.5", 0, 0, 0, false}, {"min", ":", "92233720368547758.07", 2, 1<<63 - 1, 0, true},
		{"amount", ">", "92233720368547758.07", 2, 0, 0, false}, {"amount", ":", "5..4", 0, 0, 0, false}, {"min", ":", "0", 8, 1, 0, true},
	} {
		b, ok := word{field: c.field, compare: c.compare, value: c.value}.bounds()
		got, some := b.in(c.places)
		if !ok || some != c.some || some && (got.Min != c.low || got.Max != c.high) {
			t.Errorf("%s%s%s in %d places is %d … %d (%v)", c.field, c.compare, c.value, c.places, got.Min, got.Max, some)
		}
	}
}

func TestTimesOfAFilter(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{"2026-11-01": "2026-11-01T00:00:00 24h0m0s", "2026-11-01t09:30": "2026-11-01T09:30:00 1m0s",
		"12h": "2026-11-20T02:00:00 0s",
		"30d": "2026-10-21T14:00:00 0s", "d": "", "-1d": "", "99999d": "", "2026-02-30": "", "x": "", "": "", "9999-01-01": ""} {
		at, length, ok := Time(text, now)
		if got := fmt.Sprint(ledger.TimeOf(at), " ", length); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %s (%v)", text, got, ok)
		}
	}
}

// What is no filter though it looks like one is a mistake at its place, and never a word that is found nowhere.
func TestMistakesThatMatchedNothing(t *testing.T) {
	for text, want := range map[string]string{
		"amount > 100": `">": nothing stands between`, "with:carol OR with:bobby": `"OR": such a word is written in small letters`, "NOT dir:in": `"NOT": such a word`,
		"–asset:DCT": `"–asset:DCT": it has a dash of a word processor in front (U+2013)`, "x —dir:in": `"—dir:in": it has a dash`,
		"carol": "", `"OR"`: "", `">"`: "", "2026–05": "", "– x": "", "carol or bobby": "",
	} {
		got := ""
		_, err := parse(text)
		if m := (*Mistake)(nil); errors.As(err, &m) {
			got = fmt.Sprintf("%q: %s", text[m.From:m.To], m.What)
		}
		if (got == "") != (want == "") || len(got) < len(want) || got[:len(want)] != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for value, want := range map[string]string{"carol,": ",", ",carol": ",", "a,,b": ",", "carol": "", "a,b": ""} {
		text := "with:" + value
		got := ""
		if m := (*Mistake)(nil); errors.As(word{field: "with", compare: ":", value: value, at: 5, to: len(text)}.gap(), &m) {
			got = text[m.From:m.To]
		}
		if got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

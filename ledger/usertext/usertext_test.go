package usertext_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"billfold/ledger/usertext"
)

// inUTF16 returns a text in UTF-16, in one byte order or the other.
func inUTF16(text string, low int) (out []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		pair := []byte{byte(unit >> 8), byte(unit)}
		out = append(out, pair[1-low], pair[low])
	}
	return out
}

func TestOtherEncodingsAreNamed(t *testing.T) {
	for _, order := range []int{0, 1} {
		for _, text := range []string{"\uFEFFpassword\r\n", "ab\n", `{"id":1}`, "\uFEFFпароль"} {
			var e *usertext.EncodingError
			if _, err := usertext.Decode(inUTF16(text, order)); !errors.As(err, &e) || e.Name != "UTF-16" {
				t.Errorf("%q in UTF-16 (%d): %v", text, order, err)
			}
		}
	}
	for _, plain := range []string{"", "a", "ab", "abc", "пароль", "a\x00", "\x00\x00\x00\x00"} {
		for _, mark := range []string{"", usertext.Mark} {
			if got, err := usertext.Decode([]byte(mark + plain)); err != nil || string(got) != plain {
				t.Errorf("%q: %q, %v", mark+plain, got, err)
			}
		}
	}
}

// Files that were joined have marks in between, and programs of DOS end a text with a sign; a line that may be a password keeps it.
func TestSignsBetweenAndAfterTextsAreSkipped(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n\ufeffc,d\n": "a,b\nc,d\n", "a\r\n\ufeffc\r\n": "a\r\nc\r\n", "a\r\ufeffc": "a\rc", "a\ufeffc": "a\ufeffc", "a\r\n\x1a\ufeffb\n\x1a# d": "a\r\nb\n# d",
		"a\n\x1a": "a\n", "a\x1a": "a", "a\r\n\x1a\x1a\x1a\r\n": "a\r\n", "\x1a": "", "a\x1ab": "a\x1ab", "a\r\n\r\n": "a\r\n\r\n",
	} {
		if got, err := usertext.Decode([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	if got, err := usertext.DecodeLine("\ufeffpass\x1a"); err != nil || got != "pass\x1a" || !slices.Contains(usertext.Forms(got), "pass") {
		t.Errorf("%q, %v, %q", got, err, usertext.Forms(got))
	}
}

func TestBlanksBetweenJSONValuesAreSpaces(t *testing.T) {
	for text, want := range map[string]string{
		"\uFEFF{\u00a0\"a\u00a0b\":\u30001}\u200b": "{ \"a\u00a0b\": 1} ",
		"[\"\\\"\u00a0\",\u00a02]":                 "[\"\\\"\u00a0\", 2]",
		"[\"\\\\\",\u00a02]":                       "[\"\\\\\", 2]",
		"{\"a\":1}":                                "{\"a\":1}",
	} {
		if got, err := usertext.DecodeJSON([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestPlacesInATextAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "", " [1, 2]\n": "", "": "it was cut short: it ends in line 1", "{\n\"a\":": "it was cut short: it ends in line 2", "{\r\n\r\n x}": "line 3, column 2:",
		"[\"ä\", x]": "line 1, column 7:", "{}{}": "line 1, column 3: a second text", "{}\n\n [1]": "line 3, column 2: a second text", "{} x": "line 1, column 4: what stands",
	} {
		if got := usertext.JSONFault([]byte(text)); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string][3]int{
		"": {}, "ä\n": {}, "\xff": {1, 1, 0xff}, "a\nb\r\nc\xe9d": {3, 2, 0xe9}, "a\rä\xc3": {2, 3, 0xc3},
	} {
		if line, at, wrong := usertext.InvalidAt([]byte(text)); [3]int{line, at, int(wrong)} != want {
			t.Errorf("%q: line %d, byte %d, %#x", text, line, at, wrong)
		}
	}
}

func TestFormsOfAPassword(t *testing.T) {
	for given, want := range map[string][]string{
		"plain words":    {"plain words"},
		"cafe\u0301":     {"café", "cafe\u0301"},
		"café":           {"café"},
		"\uFEFFpass":     {"pass", "\uFEFFpass"},
		"a\u00a0b":       {"a b", "a\u00a0b"},
		"pass \u3000":    {"pass  ", "pass \u3000", "pass"},
		"\xff\xfep\x00a": {"\xff\xfep\x00a"},
		"pass\x00":       {"pass\x00", "pass"},
		"pass \x00":      {"pass \x00", "pass", "pass "},
		"":               nil,
		"  ":             {"  "},
	} {
		if got := usertext.Forms(given); !slices.Equal(got, want) {
			t.Errorf("%+q: %+q, want %+q", given, got, want)
		}
	}
}

func TestUnseenCharactersAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"four plain words here": 0, "café": 0, "cafe\u0301": 0, "a\u00a0b": 0, "密码": 0, "👍🏽": 0,
		" a": 1, "a ": 2, "a\u200bb": 2, "ab\u00a0": 3, "a\tb": 2, "\u202eab": 1, "a\u00adb": 2, "a\uFE0F": 2, "ab\x00": 3, "a\xffb": 2,
	} {
		if _, at, found := usertext.Unseen(text); at != want || found != (want > 0) {
			t.Errorf("%+q: %d", text, at)
		}
	}
}

func TestNewPasswordsHaveCharactersThatEverybodySees(t *testing.T) {
	const invisible, unknown = "is invisible: ", "has no meaning in Unicode"
	for password, want := range map[string]string{
		"ab\u3164c": "character 3 of the password is invisible: U+3164", "ab\uffa0c": "character 3 of the password is invisible: U+FFA0", "\ufeffa\u200bb": "character 2 of the password is invisible: U+200B",
		"a\ue000b": unknown, "a\U000f0000b": unknown, "a\U0010fffdb": unknown, "a\u0378b": unknown, "a\uffffb": unknown, "a\ufdd0b": unknown, "tail\ue000": "character 5",
		"a\x00b": invisible, "a\ufe0fb": invisible, "a\xffb": "character 2 of the password is not UTF-8 text", "a ": "a blank at an end",
		"пароль 한국어 ｗｉｄｅ ﬁne 🐎": "", "a\u3000b": "", "a\u00a0b": "", "caf\u0065\u0301": "", "\u1112\u1161\u11ab": "",
	} {
		if got := usertext.PasswordProblem(password); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%+q: %q, want %q", password, got, want)
		}
	}
}

func TestProblemsAreNamedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"order-31": "", "order 31, б/2": "", "caf\u00e9": "", "": "", "\ud55c": "",
		"order-31\r": "character 9 of it is invisible: U+000D", "\x01a": "character 1 of it is invisible: U+0001", "a\u200bb": "character 2 of it is invisible: U+200B",
		"\ufeffa": "character 1 of it is invisible: U+FEFF", "a\u00a0": "character 2 of it is invisible: U+00A0", "a\u00adb": "character 2 of it is invisible: U+00AD",
		" a": "it has a blank at an end, as its character 1, which nobody sees", "a ": "it has a blank at an end, as its character 2, which nobody sees",
		"  ": "it has a blank at an end, as its character 1, which nobody sees", "a\xff": "character 2 of it is not UTF-8 text",
		"a\u00a0b": "character 2 of it looks like a space and is none: U+00A0", "a\u3000b": "character 2 of it looks like a space and is none: U+3000",
		"cafe\u0301": "character 5 of it is not as Unicode composes text (NFC): U+0301", "\u212b1": "character 1 of it is not as Unicode composes text (NFC): U+212B",
		"q\u0307\u0323": "character 2 of it is not as Unicode composes text (NFC): U+0307", "\u1112\u1161": "character 1 of it is not as Unicode composes text (NFC): U+1112",
	} {
		if got := usertext.Problem("it", text); got != want {
			t.Errorf("%+q: %q, want %q", text, got, want)
		}
	}
}

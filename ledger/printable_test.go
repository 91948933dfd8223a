package ledger_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"billfold/ledger/printable"
)

func TestTextNamesWhatItTakesAway(t *testing.T) {
	for in, want := range map[string]string{
		"plain text":             "plain text",
		"žluťoučký 漢字 👍":         "žluťoučký 漢字 👍",
		"\x1b[31mred":            `\x1b[31mred`,
		"bell\a del\x7f nul\x00": `bell\x07 del\x7f nul\x00`,
		"c1 \u009b31m":           `c1 \x9b31m`,
		"cut \xff\xfe":           `cut \xff\xfe`,
		"a\u202eb":               `a\u202eb`,
		"a\u200bb\u2060c":        `a\u200bb\u2060c`,
		"tag \U000e0041":         `tag \u{e0041}`,
		"heart \u2764\ufe0f":     "heart \u2764" + `\ufe0f`,
		"two\nlines\tand":        "two⏎lines⇥and",
		"nb\u00a0sp":             "nb sp",
		"\u2800blank":            `\u2800blank`,
		"icon \ue0b0":            `icon \ue0b0`,
		"z" + strings.Repeat("\u0301", 300) + "y": "z" + strings.Repeat("\u0301", 4) + "…y",
	} {
		if got := printable.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// A file has all of a text, and nothing that controls who reads it.
func TestWholeTextIsNotCut(t *testing.T) {
	piled := "z" + strings.Repeat("\u0301", 300) + "y"
	if got := printable.Whole(piled + "\x1b\n"); got != piled+`\x1b⏎` {
		t.Errorf("%q", got)
	}
	if got := printable.WholeLines(piled + "\u202e\n\t" + piled); got != piled+"\\u202e\n\t"+piled {
		t.Errorf("%q", got)
	}
}

func TestLinesKeepTheirEnds(t *testing.T) {
	if got := printable.Lines("one\x1b\n\ttwo\u202e\r\n"); got != "one\\x1b\n\ttwo\\u202e\\x0d\n" {
		t.Errorf("%q", got)
	}
	var out bytes.Buffer
	if n, err := (printable.Writer{W: &out}).Write([]byte("a\u009bb\n")); n != 5 || err != nil || out.String() != "a\\x9bb\n" {
		t.Errorf("%d %v %q", n, err, out.String())
	}
}

func TestShortIsCutBetweenCharacters(t *testing.T) {
	for in, want := range map[string]string{
		" a\n b ": "a b", "12345678": "12345678", "123456789": "12345678…", "1234567é": "1234567…", "1234567\x1b": `1234567\…`, "": "",
	} {
		if got := printable.Short(in, 8); got != want {
			t.Errorf("Short(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJSONKeepsItsValue(t *testing.T) {
	in := "{\n  \"a\u009b\": \"x\u202ey \U000e0041 \u200b \u007f 漢字 \ue0b0\"\n}"
	got := printable.JSON([]byte(in))
	if bytes.ContainsAny(got, "\u009b\u202e\u200b\u007f\ue0b0\U000e0041") || !bytes.Contains(got, []byte("漢字")) {
		t.Errorf("%q", got)
	}
	var before, after any
	if json.Unmarshal([]byte(in), &before) != nil || json.Unmarshal(got, &after) != nil || !reflect.DeepEqual(before, after) {
		t.Errorf("%q is another value", got)
	}
}

// checkSafe fails when text could control, hide or reorder anything.
func checkSafe(t *testing.T, what, text, except string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Fatalf("%s: %q is not UTF-8", what, text)
	}
	for _, r := range text {
		if (!unicode.IsPrint(r) || printable.Invisible(r)) && !strings.ContainsRune(except, r) {
			t.Fatalf("%s: %q has %q", what, text, r)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "a\x1b[2J", "\u202e\u200b", "\xff", "e\u0301\u0301\u0301\u0301\u0301\u0301", "\U000e0041", "\u0e33\u1160", "1234567\x1b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, lines, short := printable.Text(text), printable.Lines(text), printable.Short(text, 40)
		checkSafe(t, "Text", got, "")
		checkSafe(t, "Lines", lines, "\n\t")
		checkSafe(t, "Short", short, "")
		checkSafe(t, "Whole", printable.Whole(text), "")
		checkSafe(t, "WholeLines", printable.WholeLines(text), "\n\t")
		if again := printable.Text(got); again != got {
			t.Fatalf("Text(%q) = %q, and again %q", text, got, again)
		}
		if again := printable.Short(short, 40); again != short || len(short) > 43 {
			t.Fatalf("Short(%q) = %q, and again %q", text, short, again)
		}
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if json.Unmarshal(value, &before) != nil || json.Unmarshal(printable.JSON(value), &after) != nil || before != after {
			t.Fatalf("JSON(%q) = %q", value, printable.JSON(value))
		}
		checkSafe(t, "JSON", string(printable.JSON(value)), "")
	})
}

// Text by others in a sentence is one line between quotes that it cannot end, and says how much of it is left out.
func TestQuotedTextStaysBetweenItsQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"": `""`, "rent": `"rent"`, "a\nb\tc": `"a⏎b⇥c"`, `say "x" \`: `"say \"x\" \\"`, "\x1b[2J": `"\x1b[2J"`,
		"12345678901": `"1234567890" and 1 more character`, "žžžžžžžžžžž": `"žžžžžžžžžž" and 1 more character`,
	} {
		if got := printable.Quote(text, 10); got != want {
			t.Errorf("%q became %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"ipfs:Qm5": "ipfs:Qm5", "x for 1 DCT": `"x for 1 DCT"`, "x\n": `"x⏎"`,
		`"`: `"\""`, "": `""`,
		strings.Repeat("x", 200): `"` + strings.Repeat("x", 128) + `" and 72 more characters`} {
		if got := printable.Word(text); got != want {
			t.Errorf("%q became %s, want %s", text, got, want)
		}
	}
}

// One of something is not several.
func TestOneIsNotSeveral(t *testing.T) {
	for n, want := range map[int]string{0: "0 payments", 1: "1 payment", 2: "2 payments", 1204: "1204 payments"} {
		if got := printable.Many(n, "payment"); got != want {
			t.Errorf("%d is said as %q, not %q", n, got, want)
		}
	}
}

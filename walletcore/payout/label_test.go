package payout_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"billfold/ledger"
	"billfold/walletcore/payout"

	"golang.org/x/text/unicode/norm"
)

// counts reports whether what was paid under a label counts under another.
func counts(paid, under string) bool {
	chain := ledger.ChainID{1}
	return slices.Contains(payout.LabelMarks(chain, 17, under), payout.LabelMark(chain, 17, paid))
}

// Labels that differ in letter case, or in what is not seen, are one, whichever was paid first.
func TestLabelsThatLookTheSameAreOne(t *testing.T) {
	for _, same := range [][]string{
		{"Μάιος", "ΜΆΙΟΣ", "μάιοσ"}, {"Straße", "STRASSE", "strasse", "STRAẞE"}, {"ﬁrst", "FIRST"}, {"İzmir", "izmir", "IZMIR", "ızmır"},
		{"Ꭰ", "ꭰ"}, {"ǰ", "J\u030C"}, {"ᾳ", "ΑΙ"}, {"ŉ", "ʼN"},
		{"März", "MÄRZ", "Ma\u0308rz", "März\uFE0F", "M\u034Färz", "Mär\u3164z", "\u2800März", "Mä\u2800rz", "März\u115F\u1160", "\uFFA0März", "März\u17B4\u17B5",
			"Mär\u180B\u180C\u180D\u180E\u180Fz", "März\uFE00", "März\U000E0100\U000E01EF", "März\u2065\uFFF0\U000E0080\U000E0001", "März\U0001D159", "Mär\x00z\x7F"},
		{"2026-06", "2026\u201006", "2026\u201106", "2026\u201206", "2026\u201306", "2026\u201406", "2026\u221206", "2026\uFE6306", "2026\uFF0D06", "2026\u2212\u00AD06",
			"2026\uFE5806", "2026\u279606", "2026\u02D706", "2026\u204306", "2026\u201506"},
		{"May's wages", "May’s wages", "May‘s wages", "MAYʼS WAGES", "may′s wages"}, {"May--June", "May—June", "May-June", "may---june"}, {"½ of May", "1/2 of May"}, {`the "first"`, "the “first”", "THE «First»", "the „first“"},
		{"May 2026", "may\u28002026", "May\u3164\u31642026", "May \u28002026", "MAY\u00a0\uFFA02026"},
	} {
		for _, paid := range same {
			for _, under := range same {
				if !counts(paid, under) {
					t.Errorf("what was paid under %+q does not count under %+q", paid, under)
				}
			}
		}
	}
	for _, differ := range [][2]string{{"May", "June"}, {"2026 1 11", "2026 11 1"}, {"May 2026", "May2026"}, {"März", "Marz"}, {"2026-06", "202606"}, {"2026-06", "2026_06"}, {"Straße", "Strase"}, {"Μάιος", "Μαιος"}} {
		if counts(differ[0], differ[1]) {
			t.Errorf("what was paid under %q counts under %q", differ[0], differ[1])
		}
	}
	if got := payout.LabelMark(ledger.ChainID{1}, 17, "\u2800 \uFE0F\u3164"); got != "" {
		t.Errorf("a label of which nothing is seen has the mark %s", got)
	}
}

// What has become another label's would be paid twice: each character, in each letter case, stays of one label with what it was of one label
// with under earlier versions.
func TestEveryLetterIsOneLabelInEitherCase(t *testing.T) {
	chain := ledger.ChainID{1}
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if !unicode.IsGraphic(r) || unicode.In(r, unicode.Han, unicode.Hangul) {
			continue
		}
		label := "a" + string(r) + "b"
		mark := payout.LabelMark(chain, 17, label)
		for _, other := range []string{strings.ToUpper(label), strings.ToLower(label), strings.ToTitle(label), norm.NFD.String(label), norm.NFKD.String(label),
			strings.ToLower(norm.NFKC.String(label)), string(unicode.SimpleFold('a')) + string(unicode.SimpleFold(r)) + "B"} {
			if got := payout.LabelMark(chain, 17, other); got != mark {
				t.Errorf("%+q and %+q are two labels", label, other)
			}
		}
	}
}

// Journals have marks of earlier forms.
func TestLabelsOfEarlierVersionsAreFound(t *testing.T) {
	chain := ledger.ChainID{1}
	mark := func(plain string) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "billfold payout label\n%s\n%s\n%s", chain, ledger.AccountID(17), plain))
		return hex.EncodeToString(sum[:16])
	}
	for plain, labels := range map[string][]string{
		"may 2026":                   {"May 2026", "MAY  2026\uFE0F", "May\u28002026"},
		"straße":                     {"Straße", "STRASSE", "Strasse", "straße\u3164"},
		"strasse":                    {"STRASSE", "Straße"},
		"μάιος":                      {"Μάιος", "ΜΆΙΟΣ", "Μάιος\u2800"},
		"μάιοσ":                      {"ΜΆΙΟΣ", "Μάιος"},
		"2026\u201006":               {"2026-06", "2026\u201006", "2026\u201106", "2026\u221206"}, // of the form before this one, which told dashes apart
		"2026\u221206\u221215":       {"2026-06-15", "2026\u201206\u201215"},
		"2026-06":                    {"2026\u201106", "2026\uFF0D06", "2026-06"},
		"2026\u201106":               {"2026-06", "2026\u201106"}, // of the first form
		"märz\uFE0F":                 {"März\uFE0F"},
		"mä\u2800rz":                 {"Mä\u2800rz"},
		strings.ToLower("Ｍａｙ\u200B"): {"Ｍａｙ\u200B"}, // of the first form
	} {
		for _, label := range labels {
			if !slices.Contains(payout.LabelMarks(chain, 17, label), mark(plain)) {
				t.Errorf("what an earlier version paid under %+q does not count under %+q", plain, label)
			}
		}
	}
}

// The first of the marks of a label is the one that is recorded; a payout without a label has the empty one.
func TestTheMarkThatIsRecordedComesFirst(t *testing.T) {
	for _, label := range []string{"", " ", "May", "Straße 5", "a - b"} {
		marks := payout.LabelMarks(ledger.ChainID{1}, 16, label)
		if len(marks) == 0 || marks[0] != payout.LabelMark(ledger.ChainID{1}, 16, label) || (marks[0] == "") != (strings.TrimSpace(label) == "") {
			t.Errorf("%q has the marks %q", label, marks)
		}
	}
}

package main

import (
	"strings"
	"testing"
)

// The writer of a text can choose where its lines break, so continuation lines never start where this program starts its own lines.
func TestContinuationLinesAreIndented(t *testing.T) {
	key := strings.Repeat("K", 90)
	text := "  memo         \"" + strings.Repeat("x", 20) + " what         alice pays nothing\"\n" +
		"  fee          1 DCT\n                 " + key + " may sign\n"
	got := wrapColumns(text, 50)
	for line := range strings.Lines(got) {
		if len(strings.TrimRight(line, "\n")) > 50 {
			t.Errorf("%q is too long", line)
		}
		if !strings.HasPrefix(line, "  memo ") && !strings.HasPrefix(line, "  fee ") && !strings.HasPrefix(line, strings.Repeat(" ", 17)) {
			t.Errorf("%q begins like a line of its own in\n%s", line, got)
		}
	}
	if strings.Count(got, "K") != 90 || !strings.HasSuffix(got, " may sign\n") {
		t.Errorf("something is lost:\n%s", got)
	}
	if same := wrapColumns(text, 200); same != text {
		t.Errorf("%q became %q", text, same)
	}
}

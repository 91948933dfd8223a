package tui_test

import (
	"strings"
	"testing"

	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/chart"
)

func drawn(w, h int, ascii bool, values ...int64) string {
	c := canvas.New(w, h)
	chart.Line(c.All(), values, ascii, theme.Info)
	var out []string
	for y := range h {
		out = append(out, c.TextOf(0, w, y))
	}
	return strings.Join(out, "/")
}

func TestLineGoesFromTheOldestToTheNewest(t *testing.T) {
	up := drawn(10, 3, false, 0, 5, 10)
	rows := strings.Split(up, "/")
	if strings.TrimSpace(rows[0]) == "" || strings.HasPrefix(rows[2], " ") || !strings.HasPrefix(rows[0], " ") {
		t.Errorf("a rising line is drawn as %q", up)
	}
	if drawn(10, 3, false) != strings.Repeat(" ", 10)+"/"+strings.Repeat(" ", 10)+"/"+strings.Repeat(" ", 10) {
		t.Error("a line is drawn of no values")
	}
	drawn(10, 3, false, -1<<63, 1<<63-1)
}

func TestSparkHasOneBarForEachValue(t *testing.T) {
	for want, values := range map[string][]int64{"▃▃▃": {7, 7, 7}, "▁▄█": {0, 50, 100}, " ▁█": {1, 2}, "   ": nil} {
		if got := chart.Spark(values, 3); got != want {
			t.Errorf("%v is %q, want %q", values, got, want)
		}
	}
}

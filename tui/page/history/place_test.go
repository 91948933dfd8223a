package history_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/tui"
	"billfold/tui/uitest"
)

// looked is a filter, and which rows match it.
type looked struct {
	words string
	match func(n int) bool
}

func filters() []looked {
	return []looked{
		{"", func(int) bool { return true }}, {"dir:in", isIn}, {"asset:POINTS", isPoints},
		{"memo:plain dir:out", func(n int) bool { return hasMemo(n) && !isIn(n) }},
		{"-asset:POINTS (memo:none or dir:in)", func(n int) bool { return !isPoints(n) && (!hasMemo(n) || isIn(n)) }},
	}
}

// Whatever keys are pressed and rows arrive: the row in focus is the one that
// stands at its place in the history.
func TestRowInFocusIsTheOneAtItsPlace(t *testing.T) {
	steps, seed := 40, uint64(time.Now().UnixNano())
	if stories.Played() {
		steps = 200
	}
	r := rand.New(rand.NewPCG(seed, 0))
	keys := []string{"up", "down", "pgup", "pgdown", "pgdown pgdown pgdown", "g", "G", "[", "]", "o", "w", "j j j j",
		"date", "filter", "rows", "fork", "filter", "date"}
	scene := ofShop()
	scene.Core = func(c *tui.Core) { c.History.Counter = slowCounter{c.History.Counter, 120 * time.Millisecond} }
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.StopBlocks(true)
		d.Press("2")
		top, filter, done := shopRows, filters()[0], []string{}
		var blocks []int // how many rows are in each that came since
		for range steps {
			key := keys[r.IntN(len(keys))]
			switch done = append(done, key); key {
			case "filter":
				filter = filters()[r.IntN(len(filters()))]
				d.Press("/ ctrl+u")
				d.Type(filter.words)
				d.Press("enter")
			case "date":
				if d.Press("t"); !strings.Contains(d.Screen(), "Go to ") {
					continue // not among amounts
				}
				d.Type(fmt.Sprint(r.IntN(240), "d"))
				d.Press("enter")
			case "rows":
				for range 1 + r.IntN(3) {
					top++
					sell(w, top, 1)
					blocks = append(blocks, 1)
				}
			case "fork":
				if len(blocks) == 0 {
					continue
				}
				left := len(blocks) - min(len(blocks), 1+r.IntN(3))
				_, err := w.Ledger.Fork(len(blocks)-left, false)
				uitest.Must(d.T, err)
				for _, rows := range blocks[left:] {
					top -= rows
					w.Mine()
				}
				w.Mine() // a longer chain than before
				blocks = append(blocks[:left], make([]int, len(blocks)-left+1)...)
			default:
				d.Press(key)
			}
			if d.Pump(); r.IntN(2) == 0 { // the next key does not wait for answers
				continue
			}
			for d.Wait(time.Second); strings.Contains(d.Screen(), "counting"); { // each change of the filter is behind the counts before it
				d.Wait(time.Second)
			}
			if wrong := placed(d.Screen(), matching(filter, top)); wrong != "" {
				d.T.Fatalf("seed %d, after %q: %s:\n%s", seed, done, wrong, d.Screen())
			}
		}
	})
}

// matching lists the rows that match, oldest first.
func matching(filter looked, top int) (all []int) {
	for n := 1; n <= top; n++ {
		if filter.match(n) {
			all = append(all, n)
		}
	}
	return all
}

var (
	place = regexp.MustCompile(`row ([0-9,]+) of ([0-9,]+) `)
	id    = regexp.MustCompile(`transfer  1\.7\.([0-9]+) `)
)

// placed returns what is wrong with the row in focus on a screen of these rows.
func placed(screen string, all []int) string {
	at, has := place.FindStringSubmatch(screen), id.FindStringSubmatch(screen)
	if at == nil || has == nil {
		return "there is no row"
	}
	row, total, got := number(at[1]), number(at[2]), number(has[1])+1
	if total > len(all) || row > total {
		return fmt.Sprintf("there are %d rows, not %d", len(all), total)
	}
	if strings.Contains(screen, "by amount") {
		all = all[:total] // those that came since are announced, and have no place before g
		slices.SortStableFunc(all, smaller)
	}
	want := all[total-row]
	if strings.Contains(screen, "oldest first") {
		want = all[row-1]
	}
	if got != want {
		return fmt.Sprintf("row %d is row %d of the shop, want %d", row, got, want)
	}
	return ""
}

// smaller puts the points before the coins, which have a smaller id, and the smaller amount first.
func smaller(a, b int) int {
	x, y := row(a), row(b)
	return cmp.Or(cmp.Compare(y.Asset.ID, x.Asset.ID), cmp.Compare(x.Amount, y.Amount))
}

// number reads a number with commas.
func number(text string) (n int) {
	for _, r := range strings.ReplaceAll(text, ",", "") {
		n = 10*n + int(r-'0')
	}
	return n
}

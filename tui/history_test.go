package tui

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"

	tea "github.com/charmbracelet/bubbletea"
)

// shop is how many rows the index of the drawings has.
const shop = 1204

// pause is longer than the filter waits for more to be typed.
const pause = 200 * time.Millisecond

func (d *drive) find(words string) {
	d.press("/")
	d.typed(words)
	d.wait(pause)
}

// historyScenes are drawings of the history that an index has.
func historyScenes() map[string]func(d *drive) {
	return map[string]func(d *drive){
		"index":   func(*drive) {},
		"filter":  func(d *drive) { d.find("with:carol or with:bob-trade since:90d asset:DCT"); d.press("enter down down") },
		"mistake": func(d *drive) { d.find("type:transfr") },
		"nothing": func(d *drive) { d.find("type:account-update since:1d"); d.press("enter") },
		"end":     func(d *drive) { d.press("G") },
		"oldest":  func(d *drive) { d.press("o g") },
		"export":  func(d *drive) { d.find("dir:in"); d.press("enter x down space") },
		"date":    func(d *drive) { d.press("t"); d.typed("2026-06-01") },
	}
}

func TestHistoryLooksAsDrawn(t *testing.T) {
	s := shelve(t, shop)
	for name, scene := range historyScenes() {
		for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}, {50, 16}} {
			file := fmt.Sprintf("history-%s%dx%d", name, size[0], size[1])
			t.Run(file, func(t *testing.T) {
				driven(t, size[0], size[1], onShelf(s), func(d *drive) {
					d.press("2")
					scene(d)
					d.golden(file)
				})
			})
		}
	}
}

func TestJumpsThroughAHistory(t *testing.T) {
	driven(t, 80, 24, onShelf(shelve(t, 3_000)), func(d *drive) {
		d.press("2")
		d.shows("row 1 of 3,000")
		for _, step := range []struct{ keys, row, shows string }{
			{"G", "row 3,000 of 3,000", "1.7.7 "},
			{"pgdown", "row 3,000 of 3,000", "1.7.7 "},
			{"g", "row 1 of 3,000", "1.7.21000"},
			{"pgdown pgdown pgdown", "row 25 of 3,000", "1.7.20832"},
			{"[", "row 28 of 3,000", "1.7.20811"},
			{"]", "row 24 of 3,000", "1.7.20839"},
			{"up", "row 23 of 3,000", "1.7.20846"},
			{"G [", "row 3,000 of 3,000", "No row is older"},
			{"g ]", "row 1 of 3,000", "No row is newer"},
		} {
			d.press(step.keys)
			d.shows(step.row, step.shows)
			d.wait(10 * time.Second) // the toast goes
		}
	})
}

func TestDateIsJumpedTo(t *testing.T) {
	driven(t, 100, 30, onShelf(shelve(t, shop)), func(d *drive) {
		d.press("2 t")
		d.typed("nonsense")
		d.press("enter")
		d.shows("✗ write 2026-11-20", "TYPE")
		d.press("ctrl+c")
		d.typed("2026-11-01")
		d.press("enter")
		d.shows("KEYS", "Time   2026-11-01 2") // the newest of that day
		d.press("g t")
		d.typed("2h")
		d.press("enter")
		d.shows("row 2 of 1,204") // the first is 48 s old
		d.press("t")
		d.typed("2001-01-01")
		d.press("enter")
		d.shows("No row is older", "row 2 of 1,204")
	})
}

func TestFilterIsCountedAndAddedUp(t *testing.T) {
	s := shelve(t, shop)
	for words, want := range map[string]string{"": "1,204 of 1,204", "carol": "301 of 1,204", "with:car*": "602 of 1,204", "dir:in": "602 of 1,204", "-dir:in": "602 of 1,204",
		"type:account": "0 of 1,204", "asset:POINTS": "120 of 1,204", "asset:gold": "✗ no such asset here", "amount>400": "276 of 1,204",
		"memo:plain": "401 of 1,204", "state:pending": "9 of 1,204", "id:1.7.84": "1 of 1,204", "on:2026-11-19": "5 of 1,204", "nowhere": "0 of 1,204"} {
		driven(t, 100, 30, onShelf(s), func(d *drive) {
			d.press("2")
			d.find(words)
			d.shows(want)
		})
	}
	driven(t, 140, 40, onShelf(s), func(d *drive) {
		d.press("2")
		d.find("asset:DCT dir:in")
		d.shows("of 1,204 rows   in +", "out 0.00000000 DCT")
		d.press("esc esc")
		d.shows("row 1 of 1,204")
		d.hides("in +")
	})
}

// What is typed fast is asked for once it rests; what is asked meanwhile never
// puts old rows under new words.
func TestFilterAsksWhenTypingRests(t *testing.T) {
	driven(t, 100, 30, onShelf(shelve(t, shop)), func(d *drive) {
		d.press("2 /")
		d.typed("dir:in")
		d.shows("looking", "row 1 of 1,204")
		d.wait(100 * time.Millisecond)
		d.shows("602 of 1,204")
	})
}

// Rows are there before they are counted; a count that comes too late, for other
// words, counts nothing.
func TestRowsComeBeforeTheirCount(t *testing.T) {
	core := onShelf(shelve(t, shop))
	core.slowTally = time.Second
	driven(t, 100, 30, core, func(d *drive) {
		d.press("2")
		d.find("dir:in")
		d.shows("counting in 1,204 rows", "1.7.8428", "row 1 of 91+")
		d.press("enter G")
		d.shows("row 602 of 602", "602 of 1,204 rows")
		d.press("esc g")
		d.find("memo:plain")
		d.shows("counting in 1,204 rows")
		d.press("esc esc")
		d.shows("row 2 of 1,204") // the first one with a memo
		d.wait(3 * time.Second)
		d.shows("row 2 of 1,204")
	})
}

func TestMistakeKeepsTheRowsAndOffersTheNearestWord(t *testing.T) {
	driven(t, 80, 24, onShelf(shelve(t, shop)), func(d *drive) {
		d.press("2")
		d.find("dir:in")
		d.hides("nearest")
		d.typed(" type:transfr")
		d.wait(pause)
		d.shows("✗ no such operation, nearest: transfer", "row 1 of 602", "take the nearest word")
		d.press("tab")
		d.wait(pause)
		d.shows("Filter / dir:in type:transfer", "602 of 1,204 rows")
		d.hides("✗")
	})
}

func TestFocusStaysWhenFilterAndOrderChange(t *testing.T) {
	driven(t, 100, 30, onShelf(shelve(t, shop)), func(d *drive) {
		d.press("2 t")
		d.typed("2026-06-01")
		d.press("enter")
		d.shows("1.7.2660")
		d.find("dir:in")
		d.shows("1.7.2660")
		d.press("enter o")
		d.shows("oldest first", "1.7.2660", "row 190 of 602")
		d.press("g")
		d.shows("row 1 of 602", "1.7.14 ")
		d.press("G")
		d.shows("row 602 of 602")
		d.press("esc")
		d.shows("oldest first", "row 1,204 of 1,204")
	})
}

// New rows wait to be asked for; following shows them at once.
func TestNewRowsDoNotPushTheView(t *testing.T) {
	s := shelve(t, shop)
	core := onShelf(s)
	driven(t, 100, 30, core, func(d *drive) {
		news := func(n uint64) {
			s.arrive(n)
			core.change(event.History, func() {})
			d.pump()
		}
		d.press("2")
		d.shows("1.7.8428")
		news(3)
		d.shows("• 3 new, g shows them", "row 1 of 1,204", "1.7.8428")
		d.press("down")
		news(1)
		d.shows("• 4 new", "row 2 of 1,204", "1.7.8421")
		d.press("g")
		d.shows("row 1 of 1,208", "1.7.8456")
		d.hides("new, g")
		d.press("w")
		news(1)
		d.shows("follows", "row 1 of 1,209", "1.7.8463")
		d.press("down")
		news(1)
		d.shows("• 1 new", "row 2 of 1,209")
		d.hides("follows")
		d.press("1 2") // the page keeps its place
		d.shows("• 1 new", "row 2 of 1,209")
	})
}

func TestRowsThatAForkTookBackAreTold(t *testing.T) {
	s := shelve(t, shop)
	core := onShelf(s)
	driven(t, 80, 24, core, func(d *drive) {
		d.press("2")
		d.shows("▌◐11-20", "row 1 of 1,204", "◐ not final yet")
		s.step(1203, 1202)
		core.change(event.History, func() {})
		d.pump()
		d.shows("The chain took back blocks: 2 rows are gone", "row 1 of 1,202", "1.7.8414")
	})
}

func TestBuildingTheIndexIsTold(t *testing.T) {
	s := shelve(t, 0)
	core := onShelf(s)
	part := func(n uint64) {
		ctx := context.Background()
		was, err := s.index.Standing(ctx, alice.ID)
		must(t, err)
		must(t, s.index.Prepend(ctx, was, s.rows(was.Bottom-n, was.Bottom-1), false))
	}
	driven(t, 100, 30, core, func(d *drive) {
		s.first, s.top = 5000, 5000
		must(t, s.index.Extend(context.Background(), historyindex.Standing{Account: alice.ID}, historyindex.Step{From: 4901, Rows: s.rows(4901, 5000), Final: headOf - 17, Head: headOf, Total: 5000}))
		d.press("2")
		d.shows("Building the index: 100 of 5,000 rows", "row 1 of 100")
		for range 6 {
			part(500)
			core.change(event.History, func() {})
			d.wait(time.Second)
		}
		d.shows("3,100 of 5,000 rows · ~", "left", "row 1 of 3,100")
		d.find("amount>999999")
		d.press("enter")
		d.shows("Nothing matches amount>999999", "older rows are not looked through yet")
		d.press("esc")
		core.change(event.Daemon, func() { core.status.Daemon = walletcore.DaemonOffline })
		d.wait(time.Second)
		d.shows("waits for a node", "as of 14:02:10, node away")
		core.change(event.Daemon, func() { core.status.Daemon = walletcore.DaemonOnline })
		part(1900)
		core.change(event.History, func() {})
		d.wait(time.Second)
		d.shows("newest first", "row 1 of 5,000")
	})
}

func TestHistoryIsThereWithoutADaemon(t *testing.T) {
	core := onShelf(shelve(t, shop))
	core.status.Daemon = walletcore.DaemonOffline
	core.readErr = &fault.Error{Code: fault.DaemonAway, Message: "no daemon answers"}
	driven(t, 80, 24, core, func(d *drive) {
		d.press("2 G /")
		d.shows("as of 14:02:10, node away", "1,204 of 1,204 rows")
		d.typed("with:carol")
		d.wait(pause)
		d.shows("301 of 1,204 rows")
	})
}

// An account whose index is not there yet is read from the daemon; the filter
// waits, and is asked for when the index comes.
func TestFilterWaitsForTheIndex(t *testing.T) {
	s := shelve(t, 0)
	core := onShelf(s)
	driven(t, 100, 30, core, func(d *drive) {
		d.press("2")
		d.shows("row 1 of 6")
		d.press("t")
		d.shows("Not yet: that works as soon as the history index is there", "KEYS")
		d.find("dir:in")
		d.shows("the filter waits for the history index", "row 1 of 6")
		s.first, s.top = shop, shop
		s.fill(shop)
		core.change(event.History, func() {})
		d.wait(pause)
		d.shows("602 of 1,204 rows", "row 1 of 602")
	})
}

// The row of a payment opens as soon as the index has it.
func TestRowThatIsAskedForOpensWhenItIsThere(t *testing.T) {
	s := shelve(t, shop)
	core := onShelf(s)
	driven(t, 100, 30, core, func(d *drive) {
		d.run(d.model.open("history", ledger.HistoryID(8435)))
		d.pump()
		d.shows("row 1 of 1,204")
		s.arrive(1)
		core.change(event.History, func() {})
		d.pump()
		d.shows("History › Detail", "1.7.8435")
	})
}

func TestHistoryFitsEveryTerminal(t *testing.T) {
	s := shelve(t, shop)
	core := onShelf(s)
	for _, words := range []string{"", "dir:in asset:DCT", "with:a-name-that-is-longer-than-any-room-there-is-for-it type:transfr"} {
		driven(t, 80, 24, core, func(d *drive) {
			d.press("2")
			d.find(words)
			s.arrive(1)
			core.change(event.History, func() {})
			d.pump()
			for _, w := range []int{40, 59, 60, 80, 100, 120, 170} {
				for _, h := range []int{12, 16, 24, 40} {
					d.send(tea.WindowSizeMsg{Width: w, Height: h})
					d.screen()
				}
			}
		})
	}
}

// Whatever keys are pressed and rows arrive: the row in focus is the one that
// stands at its place in the history.
func TestRowInFocusIsTheOneAtItsPlace(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	s := shelve(t, 900)
	core := onShelf(s)
	core.slowTally = 120 * time.Millisecond
	filters := []string{"", "dir:in", "asset:POINTS", "memo:plain dir:out", "-asset:POINTS (memo:none or dir:in)"}
	matches := []func(n uint64) bool{
		func(uint64) bool { return true }, func(n uint64) bool { return n%2 == 0 }, func(n uint64) bool { return n%10 == 0 },
		func(n uint64) bool { return n%3 == 0 && n%2 == 1 }, func(n uint64) bool { return n%10 != 0 && (n%3 != 0 || n%2 == 0) },
	}
	place := regexp.MustCompile(`row ([0-9,]+) of ([0-9,]+) `)
	id := regexp.MustCompile(`transfer  1\.7\.([0-9]+) `)
	keys := []string{"up", "down", "pgup", "pgdown", "pgdown pgdown pgdown", "g", "G", "[", "]", "o", "w", "j j j j", "date", "filter", "rows", "fork", "filter", "date"}
	driven(t, 100, 30, core, func(d *drive) {
		d.press("2")
		filter, done := 0, []string{}
		for range 100 {
			key := keys[r.IntN(len(keys))]
			switch done = append(done, key); key {
			case "filter":
				filter = r.IntN(len(filters))
				d.press("/ ctrl+u")
				d.typed(filters[filter])
				d.press("enter")
			case "date":
				d.press("t")
				d.typed(fmt.Sprint(r.IntN(190), "d"))
				d.press("enter")
			case "rows":
				s.arrive(1 + uint64(r.IntN(3)))
				core.change(event.History, func() {})
			case "fork":
				if back := min(s.top-900, uint64(r.IntN(3))); back > 0 {
					s.step(s.top-back+1, s.top-back)
					core.change(event.History, func() {})
				}
			default:
				d.press(key)
			}
			if d.pump(); r.IntN(2) == 0 { // the next key does not wait for answers
				continue
			}
			d.wait(2 * pause)
			var all []uint64
			for n := uint64(1); n <= s.top; n++ {
				if matches[filter](n) {
					all = append(all, n)
				}
			}
			screen := d.screen()
			at, has := place.FindStringSubmatch(screen), id.FindStringSubmatch(screen)
			if at == nil || has == nil {
				t.Fatalf("seed %d, after %q there is no row:\n%s", seed, done, screen)
			}
			row, total, got := number(at[1]), number(at[2]), number(has[1])/7
			if total > len(all) || row > total {
				t.Fatalf("seed %d, after %q there are %d rows, not %d:\n%s", seed, done, len(all), total, screen)
			}
			want := all[total-row]
			if strings.Contains(screen, "oldest first") {
				want = all[row-1]
			}
			if got != int(want) {
				t.Fatalf("seed %d, after %q row %d is 1.7.%d, want 1.7.%d:\n%s", seed, done, row, got*7, want*7, screen)
			}
		}
	})
}

// number reads a number with commas.
func number(text string) (n int) {
	for _, r := range strings.ReplaceAll(text, ",", "") {
		n = 10*n + int(r-'0')
	}
	return n
}

// What goes wrong while rows are shown is said once, and they stay.
func TestFaultKeepsTheRows(t *testing.T) {
	s := shelve(t, shop)
	core := onShelf(s)
	driven(t, 100, 30, core, func(d *drive) {
		d.press("2")
		core.shelfErr = &fault.Error{Code: fault.File, Message: "the history index cannot be read"}
		core.change(event.History, func() {})
		d.pump()
		d.shows("✗ the history index cannot be read", "row 1 of 1,204")
		d.wait(10 * time.Second)
		core.change(event.History, func() {})
		d.pump()
		d.hides("cannot be read")
	})
}

func TestExportWritesWhatTheFilterShows(t *testing.T) {
	core := onShelf(shelve(t, shop))
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	driven(t, 100, 30, core, func(d *drive) {
		d.press("2")
		d.find("dir:in")
		d.press("enter x")
		d.shows("602  (everything", "~/billfold-alice-2026-11-20.csv", "MODAL")
		d.press("down")
		d.shows("~/billfold-alice-2026-11-20.jsonl")
		d.press("shift+tab ctrl+c")
		d.typed(path)
		d.press("enter")
		d.shows("✓ 602 rows written to " + path)
		d.hides("Export history")
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte("\n")); err != nil || n != 602 {
			t.Errorf("the file has %d lines, %v", n, err)
		}
		d.wait(5 * time.Second) // a second ctrl+c would quit
		d.press("x tab tab ctrl+c")
		d.typed(path)
		d.press("enter")
		d.shows("✗ there is a file already at", "Export history")
	})
}

func TestExportIsStopped(t *testing.T) {
	core := onShelf(shelve(t, shop))
	core.slowExport = 5 * time.Second
	dir := t.TempDir()
	driven(t, 80, 24, core, func(d *drive) {
		d.press("2 x tab tab ctrl+c")
		d.typed(filepath.Join(dir, "rows.csv"))
		d.press("enter")
		d.wait(time.Second)
		d.shows("0 of 1,204 rows", "esc stops and leaves no file")
		d.press("enter 1")
		d.shows("Writing")
		d.press("esc")
		d.wait(5 * time.Second)
		d.shows("Export stopped. No file was written")
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	})
}

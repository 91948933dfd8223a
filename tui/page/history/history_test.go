package history_test

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
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
)

// shop is how many rows the index of the drawings has.
const shop = 1204

// historyScenes are drawings of the history that an index has.
func historyScenes() map[string]func(d *uitest.Driver) {
	return map[string]func(d *uitest.Driver){
		"index": func(*uitest.Driver) {},
		"filter": func(d *uitest.Driver) {
			d.Find("with:carol or with:bob-trade since:90d asset:DCT")
			d.Press("enter down down")
		},
		"mistake": func(d *uitest.Driver) { d.Find("type:transfr") },
		"nothing": func(d *uitest.Driver) { d.Find("type:account-update since:1d"); d.Press("enter") },
		"end":     func(d *uitest.Driver) { d.Press("G") },
		"oldest":  func(d *uitest.Driver) { d.Press("o g") },
		"export":  func(d *uitest.Driver) { d.Find("dir:in"); d.Press("enter x down space") },
		"date":    func(d *uitest.Driver) { d.Press("t"); d.Type("2026-06-01") },
	}
}

func TestHistoryLooksAsDrawn(t *testing.T) {
	s := uitest.NewHistory(t, shop)
	for name, scene := range historyScenes() {
		t.Run(name, func(t *testing.T) {
			uitest.Run(t, 80, 24, uitest.WithHistory(s), func(d *uitest.Driver) {
				d.Press("2")
				scene(d)
				d.GoldenSizes("history-"+name, [][2]int{{80, 24}, {100, 30}, {140, 40}, {50, 16}})
			})
		})
	}
}

func TestJumpsThroughAHistory(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.WithHistory(uitest.NewHistory(t, 3_000)), func(d *uitest.Driver) {
		d.Press("2")
		d.Shows("row 1 of 3,000")
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
			d.Press(step.keys)
			d.Shows(step.row, step.shows)
			d.Wait(10 * time.Second) // the toast goes
		}
	})
}

func TestDateIsJumpedTo(t *testing.T) {
	uitest.Run(t, 100, 30, uitest.WithHistory(uitest.NewHistory(t, shop)), func(d *uitest.Driver) {
		d.Press("2 t")
		d.Type("nonsense")
		d.Press("enter")
		d.Shows("✗ write 2026-11-20", "TYPE")
		d.Press("ctrl+c")
		d.Type("2026-11-01")
		d.Press("enter")
		d.Shows("KEYS", "Time   2026-11-01 2") // the newest of that day
		d.Press("g t")
		d.Type("2h")
		d.Press("enter")
		d.Shows("row 2 of 1,204") // the first is 48 s old
		d.Press("t")
		d.Type("2001-01-01")
		d.Press("enter")
		d.Shows("No row is older", "row 2 of 1,204")
	})
}

func TestFilterIsCountedAndAddedUp(t *testing.T) {
	s := uitest.NewHistory(t, shop)
	for words, want := range map[string]string{"": "1,204 of 1,204",
		"carol": "301 of 1,204", "with:car*": "602 of 1,204", "dir:in": "602 of 1,204",
		"-dir:in":      "602 of 1,204",
		"type:account": "0 of 1,204", "asset:POINTS": "120 of 1,204", "asset:gold": "✗ no such asset here", "amount>400": "276 of 1,204",
		"memo:plain": "401 of 1,204", "state:pending": "9 of 1,204", "id:1.7.84": "1 of 1,204", "on:2026-11-19": "5 of 1,204", "nowhere": "0 of 1,204"} {
		uitest.Run(t, 100, 30, uitest.WithHistory(s), func(d *uitest.Driver) {
			d.Press("2")
			d.Find(words)
			d.Shows(want)
		})
	}
	uitest.Run(t, 140, 40, uitest.WithHistory(s), func(d *uitest.Driver) {
		d.Press("2")
		d.Find("asset:DCT dir:in")
		d.Shows("of 1,204 rows   in +", "out 0.00000000 DCT")
		d.Press("esc esc")
		d.Shows("row 1 of 1,204")
		d.Hides("in +")
	})
}

// What is typed fast is asked for once it rests; what is asked meanwhile never
// puts old rows under new words.
func TestFilterAsksWhenTypingRests(t *testing.T) {
	uitest.Run(t, 100, 30, uitest.WithHistory(uitest.NewHistory(t, shop)), func(d *uitest.Driver) {
		d.Press("2 /")
		d.Type("dir:in")
		d.Shows("looking", "row 1 of 1,204")
		d.Wait(100 * time.Millisecond)
		d.Shows("602 of 1,204")
	})
}

// Rows are there before they are counted; a count that comes too late, for other
// words, counts nothing.
func TestRowsComeBeforeTheirCount(t *testing.T) {
	core := uitest.WithHistory(uitest.NewHistory(t, shop))
	core.CountTakes = time.Second
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("2")
		d.Find("dir:in")
		d.Shows("counting in 1,204 rows", "1.7.8428", "row 1 of 91+")
		d.Press("enter G")
		d.Shows("row 602 of 602", "602 of 1,204 rows")
		d.Press("esc g")
		d.Find("memo:plain")
		d.Shows("counting in 1,204 rows")
		d.Press("esc esc")
		d.Shows("row 2 of 1,204") // the first one with a memo
		d.Wait(3 * time.Second)
		d.Shows("row 2 of 1,204")
	})
}

func TestMistakeKeepsTheRowsAndOffersTheNearestWord(t *testing.T) {
	uitest.Run(t, 80, 24, uitest.WithHistory(uitest.NewHistory(t, shop)), func(d *uitest.Driver) {
		d.Press("2")
		d.Find("dir:in")
		d.Hides("nearest")
		d.Type(" type:transfr")
		d.Wait(uitest.FilterPause)
		d.Shows("✗ no such operation, nearest: transfer", "row 1 of 602", "accept the nearest word")
		d.Press("tab")
		d.Wait(uitest.FilterPause)
		d.Shows("Filter / dir:in type:transfer", "602 of 1,204 rows")
		d.Hides("✗")
	})
}

func TestFocusStaysWhenFilterAndOrderChange(t *testing.T) {
	uitest.Run(t, 100, 30, uitest.WithHistory(uitest.NewHistory(t, shop)), func(d *uitest.Driver) {
		d.Press("2 t")
		d.Type("2026-06-01")
		d.Press("enter")
		d.Shows("1.7.2660")
		d.Find("dir:in")
		d.Shows("1.7.2660")
		d.Press("enter o")
		d.Shows("oldest first", "1.7.2660", "row 190 of 602")
		d.Press("g")
		d.Shows("row 1 of 602", "1.7.14 ")
		d.Press("G")
		d.Shows("row 602 of 602")
		d.Press("esc")
		d.Shows("oldest first", "row 1,204 of 1,204")
	})
}

// New rows wait to be asked for; following shows them at once.
func TestNewRowsDoNotPushTheView(t *testing.T) {
	s := uitest.NewHistory(t, shop)
	core := uitest.WithHistory(s)
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		news := func(n uint64) {
			s.Arrive(n)
			core.Change(event.History, func() {})
			d.Pump()
		}
		d.Press("2")
		d.Shows("1.7.8428")
		news(3)
		d.Shows("• 3 new, g shows them", "row 1 of 1,204", "1.7.8428")
		d.Press("down")
		news(1)
		d.Shows("• 4 new", "row 2 of 1,204", "1.7.8421")
		d.Press("g")
		d.Shows("row 1 of 1,208", "1.7.8456")
		d.Hides("new, g")
		d.Press("w")
		news(1)
		d.Shows("follows", "row 1 of 1,209", "1.7.8463")
		d.Press("down")
		news(1)
		d.Shows("• 1 new", "row 2 of 1,209")
		d.Hides("follows")
		d.Press("1 2") // the page keeps its place
		d.Shows("• 1 new", "row 2 of 1,209")
	})
}

func TestRowsThatAForkTookBackAreTold(t *testing.T) {
	s := uitest.NewHistory(t, shop)
	core := uitest.WithHistory(s)
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("2")
		d.Shows("▌◐11-20", "row 1 of 1,204", "◐ not final yet")
		s.Extend(1203, 1202)
		core.Change(event.History, func() {})
		d.Pump()
		d.Shows("The chain took back blocks: 2 rows are gone", "row 1 of 1,202", "1.7.8414")
	})
}

func TestBuildingTheIndexIsTold(t *testing.T) {
	s := uitest.NewHistory(t, 0)
	core := uitest.WithHistory(s)
	part := func(n uint64) {
		ctx := context.Background()
		was, err := s.Index.Status(ctx, uitest.Alice.ID)
		uitest.Must(t, err)
		uitest.Must(t, s.Index.Prepend(ctx, was, s.Rows(was.Bottom-n, was.Bottom-1), false))
	}
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		s.First, s.Top = 5000, 5000
		uitest.Must(
			t,
			s.Index.Extend(
				context.Background(),
				historyindex.Status{Account: uitest.Alice.ID},
				historyindex.Batch{From: 4901, Rows: s.Rows(4901, 5000), Final: uitest.HeadOf - 17, Head: uitest.HeadOf, Total: 5000},
			),
		)
		d.Press("2")
		d.Shows("Building the index: 100 of 5,000 rows", "row 1 of 100")
		for range 6 {
			part(500)
			core.Change(event.History, func() {})
			d.Wait(time.Second)
		}
		d.Shows("3,100 of 5,000 rows · ~", "left", "row 1 of 3,100")
		d.Find("amount>999999")
		d.Press("enter")
		d.Shows("Nothing matches amount>999999", "older rows are not searched yet")
		d.Press("esc")
		core.Change(event.Daemon, func() { core.State.Daemon = walletcore.DaemonOffline })
		d.Wait(time.Second)
		d.Shows("waits for a node", "as of 14:02:10, node away")
		core.Change(event.Daemon, func() { core.State.Daemon = walletcore.DaemonOnline })
		part(1900)
		core.Change(event.History, func() {})
		d.Wait(time.Second)
		d.Shows("newest first", "row 1 of 5,000")
	})
}

func TestHistoryIsThereWithoutADaemon(t *testing.T) {
	core := uitest.WithHistory(uitest.NewHistory(t, shop))
	core.State.Daemon = walletcore.DaemonOffline
	core.ReadErr = &fault.Error{Code: fault.DaemonAway, Message: "no daemon answers"}
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("2 G /")
		d.Shows("as of 14:02:10, node away", "1,204 of 1,204 rows")
		d.Type("with:carol")
		d.Wait(uitest.FilterPause)
		d.Shows("301 of 1,204 rows")
	})
}

// An account whose index is not there yet is read from the daemon; the filter
// waits, and is asked for when the index comes.
func TestFilterWaitsForTheIndex(t *testing.T) {
	s := uitest.NewHistory(t, 0)
	core := uitest.WithHistory(s)
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("2")
		d.Shows("row 1 of 6")
		d.Press("t")
		d.Shows("Not yet: this works once the history index is ready", "KEYS")
		d.Find("dir:in")
		d.Shows("the filter waits for the history index", "row 1 of 6")
		s.First, s.Top = shop, shop
		s.Fill(shop)
		core.Change(event.History, func() {})
		d.Wait(uitest.FilterPause)
		d.Shows("602 of 1,204 rows", "row 1 of 602")
	})
}

// The row of a payment opens as soon as the index has it.
func TestRowThatIsAskedForOpensWhenItIsThere(t *testing.T) {
	s := uitest.NewHistory(t, shop)
	core := uitest.WithHistory(s)
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Send(screen.Navigate{To: screen.History, With: ledger.HistoryID(8435)})
		d.Shows("row 1 of 1,204")
		s.Arrive(1)
		core.Change(event.History, func() {})
		d.Pump()
		d.Shows("History › Detail", "1.7.8435")
	})
}

func TestHistoryFitsEveryTerminal(t *testing.T) {
	s := uitest.NewHistory(t, shop)
	core := uitest.WithHistory(s)
	for _, words := range []string{"", "dir:in asset:DCT", "with:a-name-that-is-longer-than-any-room-there-is-for-it type:transfr"} {
		uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
			d.Press("2")
			d.Find(words)
			s.Arrive(1)
			core.Change(event.History, func() {})
			d.Pump()
			for _, w := range []int{40, 59, 60, 80, 100, 120, 170} {
				for _, h := range []int{12, 16, 24, 40} {
					d.Resize(w, h)
					d.Screen()
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
	s := uitest.NewHistory(t, 900)
	core := uitest.WithHistory(s)
	core.CountTakes = 120 * time.Millisecond
	filters := []string{"", "dir:in", "asset:POINTS", "memo:plain dir:out", "-asset:POINTS (memo:none or dir:in)"}
	matches := []func(n uint64) bool{
		func(uint64) bool { return true }, func(n uint64) bool { return n%2 == 0 }, func(n uint64) bool { return n%10 == 0 },
		func(n uint64) bool { return n%3 == 0 && n%2 == 1 }, func(n uint64) bool { return n%10 != 0 && (n%3 != 0 || n%2 == 0) },
	}
	place := regexp.MustCompile(`row ([0-9,]+) of ([0-9,]+) `)
	id := regexp.MustCompile(`transfer  1\.7\.([0-9]+) `)
	keys := []string{"up", "down", "pgup", "pgdown", "pgdown pgdown pgdown", "g", "G", "[", "]", "o", "w", "j j j j",
		"date", "filter", "rows", "fork", "filter", "date"}
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("2")
		filter, done := 0, []string{}
		for range 100 {
			key := keys[r.IntN(len(keys))]
			switch done = append(done, key); key {
			case "filter":
				filter = r.IntN(len(filters))
				d.Press("/ ctrl+u")
				d.Type(filters[filter])
				d.Press("enter")
			case "date":
				d.Press("t")
				d.Type(fmt.Sprint(r.IntN(190), "d"))
				d.Press("enter")
			case "rows":
				s.Arrive(1 + uint64(r.IntN(3)))
				core.Change(event.History, func() {})
			case "fork":
				if back := min(s.Top-900, uint64(r.IntN(3))); back > 0 {
					s.Extend(s.Top-back+1, s.Top-back)
					core.Change(event.History, func() {})
				}
			default:
				d.Press(key)
			}
			if d.Pump(); r.IntN(2) == 0 { // the next key does not wait for answers
				continue
			}
			d.Wait(2 * uitest.FilterPause)
			var all []uint64
			for n := uint64(1); n <= s.Top; n++ {
				if matches[filter](n) {
					all = append(all, n)
				}
			}
			screen := d.Screen()
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
	s := uitest.NewHistory(t, shop)
	core := uitest.WithHistory(s)
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("2")
		core.IndexErr = &fault.Error{Code: fault.File, Message: "the history index cannot be read"}
		core.Change(event.History, func() {})
		d.Pump()
		d.Shows("✗ the history index cannot be read", "row 1 of 1,204")
		d.Wait(10 * time.Second)
		core.Change(event.History, func() {})
		d.Pump()
		d.Hides("cannot be read")
	})
}

func TestExportWritesWhatTheFilterShows(t *testing.T) {
	core := uitest.WithHistory(uitest.NewHistory(t, shop))
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	uitest.Run(t, 100, 30, core, func(d *uitest.Driver) {
		d.Press("2")
		d.Find("dir:in")
		d.Press("enter x")
		d.Shows("602  (everything", "~/billfold-alice-2026-11-20.csv", "MODAL")
		d.Press("down")
		d.Shows("~/billfold-alice-2026-11-20.jsonl")
		d.Press("shift+tab ctrl+c")
		d.Type(path)
		d.Press("enter")
		d.Shows("✓ 602 rows written to " + path)
		d.Hides("Export history")
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte("\n")); err != nil || n != 602 {
			t.Errorf("the file has %d lines, %v", n, err)
		}
		d.Wait(5 * time.Second) // a second ctrl+c would quit
		d.Press("x tab tab ctrl+c")
		d.Type(path)
		d.Press("enter")
		d.Shows("✗ a file already exists at", "Export history")
	})
}

func TestExportIsStopped(t *testing.T) {
	core := uitest.WithHistory(uitest.NewHistory(t, shop))
	core.ExportTakes = 5 * time.Second
	dir := t.TempDir()
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("2 x tab tab ctrl+c")
		d.Type(filepath.Join(dir, "rows.csv"))
		d.Press("enter")
		d.Wait(time.Second)
		d.Shows("0 of 1,204 rows", "esc stops and leaves no file")
		d.Press("enter 1")
		d.Shows("Writing")
		d.Press("esc")
		d.Wait(5 * time.Second)
		d.Shows("Export stopped. No file was written")
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	})
}

// Without an index, rows come from the node.
func TestHistoryOfTheNodeLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 down")
		d.GoldenMeanings("history80x24")
		d.GoldenSizes("history", uitest.Sizes())
		d.Press("enter")
		d.GoldenSizes("detail", uitest.Sizes())
	})
}

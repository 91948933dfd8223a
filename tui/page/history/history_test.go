package history_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/fault"
)

// Each of these drawings of the history that an index has is of a UI of its own, at one world.
// What is refused filters nothing, so it does not say what is exported either.
func TestARefusedFilterExportsNothing(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Find("dir:in amount>1,000")
		d.Press("enter")
		d.Shows("TYPE", "dir:in amount>1,000") // the field stays, to be corrected
		d.Press("esc x")
		d.Shows("the filter is not valid; esc clears it")
		d.Hides("Export history")
	})
}

func TestHistoryLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, ofShop(), func(_ *uitest.Driver, w *uitest.World) {
		for _, drawing := range []struct {
			name  string
			scene func(d *uitest.Driver)
		}{
			{"index", func(*uitest.Driver) {}},
			{"end", func(d *uitest.Driver) { d.Press("G") }},
			{"oldest", func(d *uitest.Driver) { d.Press("o g") }},
			{"date", func(d *uitest.Driver) { d.Press("t"); d.Type("2026-06-01") }},
			{"filter", func(d *uitest.Driver) {
				d.Find("with:carol or with:bob-trade since:90d asset:DCT")
				d.Press("enter down down")
			}},
			{"mistake", func(d *uitest.Driver) { d.Find("type:transfr") }},
			{"nothing", func(d *uitest.Driver) { d.Find("type:account-update since:1d"); d.Press("enter") }},
			{"export", func(d *uitest.Driver) { d.Find("dir:in"); d.Press("enter x down m m") }},
		} {
			w.Look(80, 24, func(d *uitest.Driver) {
				d.Press("2")
				drawing.scene(d)
				d.GoldenSizes("history-"+drawing.name, [][2]int{{80, 24}, {100, 30}, {140, 40}, {50, 16}})
			})
		}
	})
}

func TestJumpsThroughAHistory(t *testing.T) {
	uitest.Play(t, 80, 24, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Shows("row 1 of 1,204")
		for _, step := range []struct{ keys, row, shows string }{
			{"G", "row 1,204 of 1,204", "1.7.0 "},
			{"pgdown", "row 1,204 of 1,204", "1.7.0 "},
			{"g", "row 1 of 1,204", "1.7.1203"},
			{"pgdown pgdown pgdown", "row 25 of 1,204", "1.7.1179"},
			{"[", "row 29 of 1,204", "1.7.1175"},
			{"]", "row 25 of 1,204", "1.7.1179"},
			{"up", "row 24 of 1,204", "1.7.1180"},
			{"G [", "row 1,204 of 1,204", "No row is older"},
			{"g ]", "row 1 of 1,204", "No row is newer"},
		} {
			d.Press(step.keys)
			d.Shows(step.row, step.shows)
			d.Wait(10 * time.Second) // the toast goes
		}
	})
}

func TestDateIsJumpedTo(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 t")
		d.Type("nonsense")
		d.Press("enter")
		d.Shows("✗ write 2026-11-20", "TYPE")
		d.Press("ctrl+c")
		d.Type("2026-11-01")
		d.Press("enter")
		d.Shows("KEYS", "Time   2026-11-01 10:02:58") // the newest of that day
		d.Press("g t")
		d.Type("2h")
		d.Press("enter")
		d.Shows("row 5 of 1,204") // the first four are 12 s old
		d.Press("t")
		d.Type("2001-01-01")
		d.Press("enter")
		d.Shows("No row is older", "row 5 of 1,204")
	})
}

func TestFilterIsCountedAndAddedUp(t *testing.T) {
	uitest.Play(t, 140, 40, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		for words, want := range map[string]string{"": "1,204 of 1,204",
			"carol": "301 of 1,204", "with:car*": "602 of 1,204", "dir:in": "602 of 1,204",
			"-dir:in":      "602 of 1,204",
			"type:account": "0 of 1,204", "asset:POINTS": "120 of 1,204", "asset:gold": "✗ no such asset here", "amount>400": "168 of 1,204",
			"memo:plain": "401 of 1,204", "state:pending": "4 of 1,204", "id:1.7.84": "1 of 1,204", "on:2026-11-19": "4 of 1,204",
			"nowhere": "0 of 1,204"} {
			w.Look(100, 30, func(d *uitest.Driver) {
				d.Press("2")
				d.Find(words)
				d.Shows(want)
			})
		}
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Press("2")
			d.Find("since:2026-02-30")
			d.Shows("✗ not a time; write today, month, 2026-11-20, 30d…")
		})
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
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
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
	scene := ofShop()
	scene.Core = func(c *tui.Core) { c.History.Counter = slowCounter{c.History.Counter, time.Second} }
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Find("dir:in")
		d.Shows("counting in 1,204 rows", "1.7.1203", "row 1 of 91+")
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
	uitest.Play(t, 80, 24, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
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
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 t")
		d.Type("2026-06-01")
		d.Press("enter")
		d.Shows("1.7.379")
		d.Find("dir:in")
		d.Shows("1.7.379")
		d.Press("enter o")
		d.Shows("oldest first", "1.7.379", "row 190 of 602")
		d.Press("g")
		d.Shows("row 1 of 602", "1.7.1 ")
		d.Press("G")
		d.Shows("row 602 of 602")
		d.Press("esc")
		d.Shows("oldest first", "row 1,204 of 1,204")
	})
}

func TestLargestAmountsComeFirst(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2")
		d.Find("dir:in asset:DCT")
		d.Press("enter o o")
		d.Shows("by amount", "row 1 of 482")
		d.Golden("history-amount100x30")
		d.Press("G")
		d.Shows("row 482 of 482")
		d.Press("t")
		d.Shows("order of amount")
		d.Press("g esc")
		d.Shows("by amount", "row 1 of 1,204")
		sell(w, shopRows+1, 1)
		d.Pump()
		d.Shows("by amount", "• 1 new")
		d.Press("o")
		d.Shows("newest first", "row 1 of 1,205", "1.7.1204")
	})
}

// New rows wait to be asked for; following shows them at once.
func TestNewRowsDoNotPushTheView(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		top := shopRows
		news := func(n int) {
			sell(w, top+1, n)
			top += n
			d.Pump()
		}
		d.Press("2")
		d.Shows("1.7.1203")
		news(3)
		d.Shows("• 3 new, g shows them", "row 1 of 1,204", "1.7.1203")
		d.Press("down")
		news(1)
		d.Shows("• 4 new", "row 2 of 1,204", "1.7.1202")
		d.Press("g")
		d.Shows("row 1 of 1,208", "1.7.1207")
		d.Hides("new, g")
		d.Press("w")
		news(1)
		d.Shows("follows", "row 1 of 1,209", "1.7.1208")
		d.Press("down")
		news(1)
		d.Shows("• 1 new", "row 2 of 1,209")
		d.Hides("follows")
		d.Press("1 2") // the page keeps its place
		d.Shows("• 1 new", "row 2 of 1,209")
	})
}

func TestRowsThatAForkTookBackAreTold(t *testing.T) {
	uitest.Play(t, 80, 24, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.StopBlocks(true)
		sell(w, shopRows+1, 2)
		d.Pump() // the index has them
		d.Press("2")
		d.Shows("▌◐11-20", "row 1 of 1,206", "◐ not final yet")
		_, err := w.Ledger.Fork(1, false)
		uitest.Must(t, err)
		w.Mine()
		d.Wait(time.Second)
		d.Shows("The chain took back blocks: 2 rows are gone", "row 1 of 1,204", "1.7.1203")
	})
}

func TestBuildingTheIndexIsTold(t *testing.T) {
	uitest.Play(t, 100, 30, newShop(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2")
		d.Wait(3 * time.Second)
		d.Shows("Building the index: 100 of 1,204 rows", "row 1 of 100")
		d.Wait(3 * time.Second)
		d.Shows("1,099 of 1,204 rows · ~", "left", "row 1 of 1,099")
		d.Find("amount>999999")
		d.Press("enter")
		d.Shows("Nothing matches amount>999999", "older rows are not searched yet")
		d.Press("esc")
		w.Cut()
		d.Wait(time.Second)
		d.Shows("1,099 of 1,204 rows", "as of 14:0", "node away")
		w.Join()
		d.Wait(20 * time.Second)
		d.Shows("newest first", "row 1 of 1,204")
	})
}

func TestHistoryIsThereWithoutADaemon(t *testing.T) {
	uitest.Play(t, 80, 24, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		w.Cut()
		d.Wait(time.Second)
		d.Press("2 G /")
		d.Shows("as of 14:02:55 UTC, node away", "1,204 of 1,204 rows")
		d.Type("with:carol")
		d.Wait(uitest.FilterPause)
		d.Shows("301 of 1,204 rows")
	})
}

// An account whose index is not there yet is read from the daemon; the filter
// waits, and is asked for when the index comes.
func TestFilterWaitsForTheIndex(t *testing.T) {
	uitest.Play(t, 100, 30, newShop(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2")
		d.Shows("row 1 of 100+")
		d.Press("t")
		d.Shows("Not yet: this works once the history index is ready", "KEYS")
		d.Find("dir:in")
		d.Shows("the filter waits for the history index", "row 1 of 100+")
		w.Ledger.DelayMethod("get_relative_account_history", 0)
		d.Wait(10 * time.Second)
		d.Shows("602 of 1,204 rows", "row 1 of 602")
	})
}

// The row of a payment opens as soon as the index has it.
func TestRowThatIsAskedForOpensWhenItIsThere(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		d.Send(screen.Navigate{To: screen.History, With: ledger.HistoryID(shopRows)})
		d.Shows("row 1 of 1,204")
		sell(w, shopRows+1, 1)
		d.Pump()
		d.Shows("History › Detail", "1.7.1204")
	})
}

func TestHistoryFitsEveryTerminal(t *testing.T) {
	uitest.Play(t, 80, 24, ofShop(), func(_ *uitest.Driver, w *uitest.World) {
		for i, words := range []string{"", "dir:in asset:DCT", "with:a-name-that-is-longer-than-any-room-there-is-for-it type:transfr"} {
			w.Look(80, 24, func(d *uitest.Driver) {
				d.Press("2")
				d.Find(words)
				sell(w, shopRows+1+i, 1)
				d.Pump()
				for _, w := range []int{40, 59, 60, 80, 100, 120, 170} {
					for _, h := range []int{12, 16, 24, 40} {
						d.Resize(w, h)
						d.Screen()
					}
				}
			})
		}
	})
}

// What goes wrong while rows are shown is said once, and they stay.
func TestFaultKeepsTheRows(t *testing.T) {
	scene, broken := ofShop(), &brokenIndex{}
	scene.Core = func(c *tui.Core) { broken.Index, c.History.Index = c.History.Index, broken }
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("2")
		broken.err = &fault.Error{Code: fault.File, Message: "the history index cannot be read"}
		sell(w, shopRows+1, 1)
		d.Pump()
		d.Shows("✗ the history index cannot be read", "row 1 of 1,204")
		d.Wait(10 * time.Second)
		sell(w, shopRows+2, 1)
		d.Pump()
		d.Hides("cannot be read")
	})
}

func TestExportWritesWhatTheFilterShows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Find("dir:in")
		d.Press("enter x")
		d.Shows("602  (everything", "~/billfold-alice-2026-11-20.csv", "MODAL")
		d.Press("down")
		d.Shows("~/billfold-alice-2026-11-20.jsonl")
		d.Press("shift+tab shift+tab ctrl+c")
		d.Type("'" + path + "'") // as a terminal pastes a dropped file
		d.Press("enter")
		d.Shows("✓ 602 rows written to " + path)
		d.Hides("Export history")
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte("\n")); err != nil || n != 602 {
			t.Errorf("the file has %d lines, %v", n, err)
		}
		d.Wait(5 * time.Second) // a second ctrl+c would quit
		d.Press("x shift+tab shift+tab ctrl+c")
		d.Type(path)
		d.Press("enter")
		d.Shows("✗ a file already exists at", "Export history")
	})
}

// What was said of an export ends where the next one begins, which is refused here.
func TestAnExportIsNotSaidToBeDoneOverTheNext(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Find("dir:in")
		d.Press("enter x enter")
		d.Shows("✓ 602 rows written to")
		d.Press("x")
		d.Hides("rows written to")
		d.Press("enter")
		d.Shows("✗ a file already exists at", "Export history")
		d.Hides("rows written to")
	})
}

func TestExportIsStopped(t *testing.T) {
	scene := ofShop()
	scene.Core = func(c *tui.Core) { c.History.Exporter = slowExporter{c.History.Exporter, 5 * time.Second} }
	dir := t.TempDir()
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 x shift+tab shift+tab ctrl+c")
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

// What came in is answered from its row: b fills in the sender and the asset, so that only the amount is typed; e writes to the sender.
func TestAnIncomingRowIsAnswered(t *testing.T) {
	uitest.Play(t, 80, 24, ofShop(), func(_ *uitest.Driver, w *uitest.World) {
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Press("2")
			d.Find("dir:in with:carol asset:POINTS")
			d.Press("enter")
			d.Shows("b pay back · e message")
			d.Press("b")
			d.Shows("Send › Amount", "POINTS", "carol")
			d.Type("3")
			d.Press("ctrl+s")
			d.Shows("carol 1.2.57", "3          POINTS")
		})
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Press("2")
			d.Find("dir:out")
			d.Press("enter")
			d.Shows("b repeat")
			d.Press("e")
			d.Shows("Messages › merchant-7", "TYPE")
		})
	})
}

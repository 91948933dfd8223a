package tui_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/internal/stories"
	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/home"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// hostile is a memo made to attack the terminal and the reader.
const hostile = "\x1b[2J\x1b]0;pwned\x07\u202egnp.exe\u200b\r\nsecond\tline \u0301\u0301\u0301\u0301\u0301\u0301\u0301 \x9b31m ｗｉｄｅ 👩‍👩‍👧 \ufeff\U000e0041"

// hostileScene returns a scene whose ledger, node and wallet pass on hostile texts.
func hostileScene() uitest.Scene {
	return uitest.Scene{Past: hostilePast, Wallet: refusedWith(hostile), Core: func(c *tui.Core) {
		c.Session = hostileSession{c.Session}
		c.Home.Reader = hostileReader{c.Home.Reader}
		c.History.Recent = c.Home.Reader
		c.Send.Payer = hostilePayer{c.Send.Payer}
	}}
}

var hostilePast = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(3 * time.Hour)
	w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Bob, Amount: 1})
	w.Ago(2 * time.Hour)
	w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7, Memo: uitest.Plain(hostile)})
	w.Ago(time.Hour)
	w.Pay(uitest.Transfer{From: uitest.Longest, To: uitest.Alice, Asset: uitest.Huge, Amount: 1<<63 - 1, Memo: uitest.Plain(hostile)})
}}

// refusedWith returns what sends a payment that the node refuses with a reason.
func refusedWith(reason string) func(w *uitest.World) {
	return func(w *uitest.World) {
		w.Ago(10 * time.Second)
		uitest.Must(w.T, w.Ledger.RefuseBroadcast(10, reason))
		if paid, err := w.Send(uitest.Bob, "10"); err == nil {
			w.T.Fatal("the payment was accepted:", paid.State)
		}
	}
}

// hostileReader adds an asset with a hostile symbol, and its oldest row has hostile words.
type hostileReader struct{ home.Reader }

func (h hostileReader) Balances(ctx context.Context, id ledger.AccountID) ([]ledgerview.Balance, error) {
	held, err := h.Reader.Balances(ctx, id)
	made := ledgerview.AssetRef{ID: 99, Symbol: hostile, Precision: 12}
	return append(held, ledgerview.Balance{Asset: made, Amount: 1<<63 - 1}), err
}

func (h hostileReader) Entries(
	ctx context.Context, id ledger.AccountID, before ledger.HistoryID, limit int,
) ([]corehistory.Entry, error) {
	out, err := h.Reader.Entries(ctx, id, before, limit)
	if n := len(out); n > 0 {
		out[n-1].Name, out[n-1].Sentence = hostile, hostile
	}
	return out, err
}

// hostileSession reports a hostile error and a hostile network name.
type hostileSession struct{ tui.Session }

func (h hostileSession) Status() walletcore.Status {
	s := h.Session.Status()
	s.DaemonError, s.Network = hostile, hostile
	return s
}

// hostilePayer builds a payment with a hostile memo to the longest name, whatever was requested.
type hostilePayer struct{ send.Payer }

func (h hostilePayer) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	req.To, req.Memo = uitest.Longest.Name, hostile
	made, err := h.Payer.Prepare(ctx, req)
	return hostilePrepared{made}, err
}

// hostilePrepared has an amount of half the largest int64.
type hostilePrepared struct{ screen.Built }

func (h hostilePrepared) Review() txbuild.Review {
	r := h.Built.Review()
	r.Amount = 1 << 62
	return r
}

func TestTextByOthersNeverReachesTheTerminalRaw(t *testing.T) {
	uitest.Play(t, 100, 30, hostileScene(), func(_ *uitest.Driver, w *uitest.World) {
		for keys, shows := range map[string]string{
			"1": `\x1b`, "2": `\x1b`, "2 enter": `▏“\x1b[2J\x1b]0;pwned\x07\u202egnp.exe\u200b`, "2 G": `\x1b`,
			"3 c a r o l tab 1 ctrl+s": `\x1b`, "p enter": "", "~": "",
		} {
			w.Look(100, 30, func(d *uitest.Driver) {
				d.Press(keys)
				d.Wait(time.Second)
				d.Shows(shows)
				for _, bad := range []string{"\x07", "\u202e", "\u200b", "\u009b", "\ufeff", "\U000e0041", "\t", "\r", "\x1b]", "\x1b[2J"} {
					if strings.Contains(d.Model.View(), bad) {
						t.Errorf("after %q the frame has %q", keys, bad)
					}
				}
			})
		}
	})
}

// Every frame is exactly as large as the terminal, whatever is in it. make stories draws both sides of each size at which the layout
// changes.
func TestFramesFitEveryTerminal(t *testing.T) {
	widths, heights := []int{1, 40, 60, 100}, []int{1, 12, 16, 24}
	if stories.Played() {
		widths, heights = []int{1, 39, 40, 59, 60, 80, 100, 120, 170}, []int{1, 12, 15, 16, 23, 24, 40}
	}
	uitest.Play(t, 80, 24, hostileScene(), func(_ *uitest.Driver, world *uitest.World) {
		for _, keys := range []string{
			"1", "1 tab tab", "2", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "2 ?", "@", "4", "- ?", "q",
		} {
			world.Look(80, 24, func(d *uitest.Driver) {
				d.Press(keys)
				for _, w := range widths {
					for _, h := range heights {
						d.Resize(w, h)
						d.Screen()
					}
				}
			})
		}
	})
}

// numbers matches amounts and ids: everything with a point between digits.
var numbers = regexp.MustCompile(`[\d,]*\d(\.\d+)+`)

// A page shows the same amounts and ids at every size, or fewer: none is cut or broken.
// LAYOUTS=all draws every width and height.
func TestNumbersAreWholeAtEverySize(t *testing.T) {
	widths, heights := 40, 24
	if os.Getenv("LAYOUTS") == "all" {
		widths, heights = 1, 3
	}
	uitest.Play(t, 240, 70, uitest.Shown(), func(_ *uitest.Driver, world *uitest.World) {
		for _, keys := range []string{"1", "2", "2 enter", "3 c a r o l tab 1 ctrl+s", "4", "5", "6", "7", "8", "9", "-", "="} {
			world.Look(240, 70, func(d *uitest.Driver) {
				d.Press(keys)
				d.Wait(time.Second)
				whole := map[string]bool{}
				for _, n := range numbers.FindAllString(d.Screen(), -1) {
					whole[n] = true
				}
				for w := 40; w <= 240; w += widths {
					for h := 12; h <= 70; h += heights {
						d.Resize(w, h)
						for _, n := range numbers.FindAllString(d.Screen(), -1) {
							if !whole[n] {
								t.Fatalf("after %q %dx%d shows %s, which is not a number of the page:\n%s", keys, w, h, n, d.Screen())
							}
						}
					}
				}
			})
		}
	})
}

func TestAmountsAndAccountsAreShownInFullAtEverySize(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: hostilePast}, func(_ *uitest.Driver, w *uitest.World) {
		for _, s := range uitest.Sizes() {
			w.Look(s[0], s[1], func(d *uitest.Driver) {
				d.Press("2 v")
				flat := strings.NewReplacer("┃", "", "█", "", "│", "", "▌", "", "\n", "", " ", "").Replace(d.Screen())
				for _, part := range []string{uitest.Longest.Name, "1.2.113", "92,233,720,368.54775807HUGE"} {
					if !strings.Contains(flat, part) {
						t.Errorf("%dx%d does not show the whole of %s:\n%s", s[0], s[1], part, d.Screen())
					}
				}
			})
		}
	})
}

func TestASCIIWritesOnlyASCII(t *testing.T) {
	scene := hostileScene()
	scene.Options.ASCII = true
	uitest.Play(t, 80, 24, scene, func(_ *uitest.Driver, w *uitest.World) {
		for _, keys := range []string{"1", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "?"} {
			w.Look(80, 24, func(d *uitest.Driver) {
				d.Press(keys)
				for i, r := range ansi.Strip(d.Model.View()) {
					if r > 0x7e || r < 0x20 && r != '\n' {
						t.Fatalf("after %q byte %d is %q", keys, i, r)
					}
				}
				d.Screen()
			})
		}
	})
}

func TestOnePanelHasTheHeavyFrame(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Shown(), func(_ *uitest.Driver, w *uitest.World) {
		for _, keys := range []string{"1", "1 tab", "1 tab tab", "2", "2 enter", "3", "4", "p enter", "2 v"} {
			w.Look(100, 30, func(d *uitest.Driver) {
				d.Press(keys)
				if n := strings.Count(d.Screen(), "┏"); n != 1 {
					t.Errorf("after %q there are %d heavy frames:\n%s", keys, n, d.Screen())
				}
			})
		}
	})
}

func TestSandboxShowsItsChipOnEveryPage(t *testing.T) {
	scene := uitest.Rows()
	scene.Options.Sandbox = true
	uitest.Play(t, 80, 24, scene, func(_ *uitest.Driver, world *uitest.World) {
		for _, w := range []int{50, 60, 80, 100, 140} {
			world.Look(w, 30, func(d *uitest.Driver) {
				for _, p := range tui.Pages() {
					d.Press("esc esc esc " + p.Key)
					d.Shows("▒ SANDBOX ▒")
				}
				d.Press("esc esc 1")
				d.ToReview()
				d.Shows("▒ Review")
			})
		}
	})
}

func TestHiddenAmountsAreShownInTheReviewOnly(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("*")
		d.Shows("••••••••••••••")
		for _, key := range []string{"1", "2", "3"} {
			d.Press(key)
			d.Hides("12,600", "240.0", "1,204", "0.00100000")
		}
		d.Type("carol")
		d.Press("tab")
		d.Type("7")
		d.Press("ctrl+s")
		d.Shows("7.00000000 DCT", "amounts are visible here")
	})
}

func TestOldValuesAreDatedWhileNoNodeAnswers(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		w.Cut()
		d.Wait(time.Second)
		d.Shows("No node answers", "as of 14:02:58", "12,600.50410000", "= ✗ offline")
	})
}

func TestAccountSwitchReadsTheOtherAccount(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("@ down enter")
		d.Shows("savings-1 1.2.88 ▾", "Balances of savings-1")
		d.Press("2")
		d.Shows("History of savings-1 1.2.88")
	})
}

func TestScrollingHistoryReadsOlderRows(t *testing.T) {
	scene := uitest.Scene{Past: &uitest.Past{Ledger: func(w *uitest.World) {
		for n := range int64(250) {
			w.Pay(uitest.Transfer{From: uitest.Carol, To: uitest.Alice, Amount: 250 - n})
			time.Sleep(time.Minute)
		}
	}}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Shows("row 1 of 100+")
		d.Press("G")
		d.Shows("row 250 of 250", "+0.00000250 DCT")
		d.Press("g")
		d.Shows("row 1 of 250", "+0.00000001 DCT")
	})
}

func TestClicksRunWhatTheyHit(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Click("2 History")
		d.Shows("[2 History]")
		d.Click("bob-trade 1.2.110")
		d.Shows("row 4 of 6")
		d.Click("/ filter")
		d.Shows("TYPE")
		d.Press("esc")
		d.Send(tea.MouseMsg{X: 5, Y: 8, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		d.Shows("row 5 of 6")
		d.Click("- RPC")
		d.Shows("This program has no listeners")
		d.ToReview()
		d.Wait(time.Second)
		d.Click("S sign and send")
		d.Shows("Review", "Press S")
	})
}

package tui_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// hostile is the memo of somebody who wants more than to pay.
const hostile = "\x1b[2J\x1b]0;pwned\x07\u202egnp.exe\u200b\r\nsecond\tline \u0301\u0301\u0301\u0301\u0301\u0301\u0301 \x9b31m ｗｉｄｅ 👩‍👩‍👧 \ufeff\U000e0041"

func hostileWallet() *uitest.FakeWallet {
	core := uitest.Drawn()
	for i := range core.Rows {
		core.Rows[i].Memo, core.Rows[i].MemoState = hostile, vault.MemoPlain
	}
	core.Rows[1].With, core.Rows[1].From = uitest.Longest, uitest.Longest
	core.Rows[2].Amount = 1<<63 - 1
	core.Rows[3].Name, core.Rows[3].Sentence = hostile, hostile
	core.Held = append(
		core.Held,
		ledgerview.Balance{Asset: ledgerview.AssetRef{ID: 99, Symbol: hostile, Precision: 12}, Amount: 1<<63 - 1},
	)
	core.Paid[1].Reason = hostile
	core.Next = uitest.Review(uitest.Longest, 1<<62)
	core.Next.Memo, core.Next.MemoState, core.Next.FirstTime = hostile, vault.MemoPlain, true
	core.State.DaemonError, core.State.Network = hostile, hostile
	return core
}

func TestTextByOthersNeverReachesTheTerminalRaw(t *testing.T) {
	for _, keys := range []string{"1", "2", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "~"} {
		uitest.Run(t, 100, 30, hostileWallet(), func(d *uitest.Driver) {
			d.Press(keys)
			d.Wait(time.Second)
			d.Screen()
			for _, bad := range []string{"\x07", "\u202e", "\u200b", "\u009b", "\ufeff", "\U000e0041", "\t", "\r", "\x1b]", "\x1b[2J"} {
				if strings.Contains(d.Model.View(), bad) {
					t.Errorf("after %q the frame has %q", keys, bad)
				}
			}
		})
	}
	uitest.Run(t, 100, 30, hostileWallet(), func(d *uitest.Driver) {
		d.Press("2 enter")
		d.Shows(`▏“\x1b[2J\x1b]0;pwned\x07\u202egnp.exe\u200b`)
	})
}

// Every frame is exactly as large as the terminal, whatever is in it.
func TestFramesFitEveryTerminal(t *testing.T) {
	for _, keys := range []string{"1", "1 tab tab", "2", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "2 ?", "@", "4", "- ?", "q"} {
		uitest.Run(t, 80, 24, hostileWallet(), func(d *uitest.Driver) {
			d.Press(keys)
			for _, w := range []int{1, 39, 40, 59, 60, 80, 100, 120, 170} {
				for _, h := range []int{1, 12, 15, 16, 23, 24, 40} {
					d.Resize(w, h)
					d.Screen()
				}
			}
		})
	}
}

func TestAmountsAndAccountsAreWholeAtEverySize(t *testing.T) {
	core := hostileWallet()
	core.State.Network = "mainnet"
	core.Rows = core.Rows[1:3]
	for _, s := range uitest.Sizes() {
		uitest.Run(t, s[0], s[1], core, func(d *uitest.Driver) {
			d.Press("2 v")
			flat := strings.NewReplacer("┃", "", "█", "", "│", "", "▌", "", "\n", "", " ", "").Replace(d.Screen())
			for _, part := range []string{uitest.Longest.Name, "1.2.113", "92,233,720,368.54775807DCT"} {
				if !strings.Contains(flat, part) {
					t.Errorf("%dx%d does not show the whole of %s:\n%s", s[0], s[1], part, d.Screen())
				}
			}
		})
	}
}

func TestASCIIWritesOnlyASCII(t *testing.T) {
	for _, keys := range []string{"1", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "?"} {
		uitest.RunWith(t, 80, 24, hostileWallet(), tui.Options{ASCII: true}, func(d *uitest.Driver) {
			d.Press(keys)
			for i, r := range ansi.Strip(d.Model.View()) {
				if r > 0x7e || r < 0x20 && r != '\n' {
					t.Fatalf("after %q byte %d is %q", keys, i, r)
				}
			}
			d.Screen()
		})
	}
}

func TestOnePanelHasTheHeavyFrame(t *testing.T) {
	for _, keys := range []string{"1", "1 tab", "1 tab tab", "2", "2 enter", "3", "4", "p enter", "2 v"} {
		uitest.Play(t, 100, 30, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
			d.Press(keys)
			if n := strings.Count(d.Screen(), "┏"); n != 1 {
				t.Errorf("after %q there are %d heavy frames:\n%s", keys, n, d.Screen())
			}
		})
	}
}

func TestSandboxShowsItsChipOnEveryPage(t *testing.T) {
	for _, w := range []int{50, 60, 80, 100, 140} {
		scene := uitest.Rows()
		scene.Options.Sandbox = true
		uitest.Play(t, w, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
			for _, p := range tui.Pages() {
				d.Press("esc esc esc " + p.Key)
				d.Shows("▒ SANDBOX ▒")
			}
			d.Press("esc esc 1")
			d.ToReview()
			d.Shows("▒ Review ▒")
		})
	}
}

func TestHiddenAmountsStayHiddenButInTheReview(t *testing.T) {
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

func TestOldValuesStayWithTheirTimeWhenTheNodeIsAway(t *testing.T) {
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

func TestHistoryReadsOlderRowsOnTheWayDown(t *testing.T) {
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

func TestClicksDoWhatTheyStandOn(t *testing.T) {
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
		d.Shows("Listener is off")
		d.ToReview()
		d.Wait(time.Second)
		d.Click("S sign and send")
		d.Shows("Review", "Press S")
	})
}

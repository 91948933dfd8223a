package tui

import (
	"strings"
	"testing"
	"time"

	corehistory "billfold/walletcore/history"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// hostile is the memo of somebody who wants more than to pay.
const hostile = "\x1b[2J\x1b]0;pwned\x07\u202egnp.exe\u200b\r\nsecond\tline \u0301\u0301\u0301\u0301\u0301\u0301\u0301 \x9b31m ｗｉｄｅ 👩‍👩‍👧 \ufeff\U000e0041"

func hostileWallet() *paper {
	core := sample()
	for i := range core.history {
		core.history[i].Memo, core.history[i].MemoState = hostile, vault.MemoPlain
	}
	core.history[1].With, core.history[1].From = longest, longest
	core.history[2].Amount = 1<<63 - 1
	core.history[3].Name, core.history[3].Sentence = hostile, hostile
	core.balances = append(core.balances, ledgerview.Balance{Asset: ledgerview.AssetRef{ID: 99, Symbol: hostile, Precision: 12}, Amount: 1<<63 - 1})
	core.payments[1].Reason = hostile
	core.review = review(longest, 1<<62)
	core.review.Memo, core.review.MemoState, core.review.FirstTime = hostile, vault.MemoPlain, true
	core.status.DaemonError, core.status.Network = hostile, hostile
	return core
}

func TestTextByOthersNeverReachesTheTerminalRaw(t *testing.T) {
	for _, keys := range []string{"1", "2", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "~"} {
		driven(t, 100, 30, hostileWallet(), func(d *drive) {
			d.press(keys)
			d.wait(time.Second)
			d.screen()
			for _, bad := range []string{"\x07", "\u202e", "\u200b", "\u009b", "\ufeff", "\U000e0041", "\t", "\r", "\x1b]", "\x1b[2J"} {
				if strings.Contains(d.model.View(), bad) {
					t.Errorf("after %q the frame has %q", keys, bad)
				}
			}
		})
	}
	driven(t, 100, 30, hostileWallet(), func(d *drive) {
		d.press("2 enter")
		d.shows(`▏“\x1b[2J\x1b]0;pwned\x07\u202egnp.exe\u200b`)
	})
}

// Every frame is exactly as large as the terminal, whatever is in it.
func TestFramesFitEveryTerminal(t *testing.T) {
	for _, keys := range []string{"1", "1 tab tab", "2", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "2 ?", "@", "4", "- ?", "q"} {
		driven(t, 80, 24, hostileWallet(), func(d *drive) {
			d.press(keys)
			for _, w := range []int{1, 39, 40, 59, 60, 80, 100, 120, 170} {
				for _, h := range []int{1, 12, 15, 16, 23, 24, 40} {
					d.model.w, d.model.h = w, h
					d.model.measure()
					d.screen()
				}
			}
		})
	}
}

func TestAmountsAndAccountsAreWholeAtEverySize(t *testing.T) {
	core := hostileWallet()
	core.status.Network = "mainnet"
	core.history = core.history[1:3]
	for _, s := range sizes() {
		driven(t, s[0], s[1], core, func(d *drive) {
			d.press("2 v")
			flat := strings.NewReplacer("┃", "", "█", "", "│", "", "▌", "", "\n", "", " ", "").Replace(d.screen())
			for _, part := range []string{longest.Name, "1.2.99001", "92,233,720,368.54775807DCT"} {
				if !strings.Contains(flat, part) {
					t.Errorf("%dx%d does not show the whole of %s:\n%s", s[0], s[1], part, d.screen())
				}
			}
		})
	}
}

func TestOnePanelHasTheHeavyFrame(t *testing.T) {
	for _, keys := range []string{"1", "1 tab", "1 tab tab", "2", "2 enter", "3", "4", "p enter", "2 v"} {
		driven(t, 100, 30, sample(), func(d *drive) {
			d.press(keys)
			if n := strings.Count(d.screen(), "┏"); n != 1 {
				t.Errorf("after %q there are %d heavy frames:\n%s", keys, n, d.screen())
			}
		})
	}
}

func TestSandboxShowsItsChipOnEveryPage(t *testing.T) {
	for _, w := range []int{50, 60, 80, 100, 140} {
		drivenWith(t, w, 30, sample(), Options{Sandbox: true}, func(d *drive) {
			for _, p := range pages() {
				d.press("esc esc esc " + p.Key)
				d.shows("▒ SANDBOX ▒")
			}
			d.press("esc esc 1")
			toReview(d)
			d.shows("▒ Review ▒")
		})
	}
}

func TestHiddenAmountsStayHiddenButInTheReview(t *testing.T) {
	driven(t, 100, 30, sample(), func(d *drive) {
		d.press("*")
		d.shows("••••••••••••••")
		for _, key := range []string{"1", "2", "3"} {
			d.press(key)
			d.hides("12,480", "250.0", "1,204", "0.00500000")
		}
		d.typed("carol")
		d.press("tab")
		d.typed("7")
		d.press("ctrl+s")
		d.shows("250.00000000 DCT", "amounts are visible here")
	})
}

func TestASCIIWritesOnlyASCII(t *testing.T) {
	for _, keys := range []string{"1", "2 enter", "3 c a r o l tab 1 ctrl+s", "p enter", "?"} {
		driven(t, 80, 24, hostileWallet(), func(d *drive) {
			set := d.model.theme.Settings()
			set.ASCII = true
			d.model.theme = themeOf(set)
			d.press(keys)
			for i, r := range ansi.Strip(d.model.View()) {
				if r > 0x7e || r < 0x20 && r != '\n' {
					t.Fatalf("after %q byte %d is %q", keys, i, r)
				}
			}
			d.screen()
		})
	}
}

func TestOldValuesStayWithTheirTimeWhenTheNodeIsAway(t *testing.T) {
	core := sample()
	driven(t, 100, 30, core, func(d *drive) {
		core.readErr = &fault.Error{Code: fault.DaemonAway, Message: "no daemon answers"}
		core.change(event.Daemon, func() { core.status.Daemon = walletcore.DaemonOffline })
		d.wait(time.Second)
		d.shows("No node answers", "as of 14:02:58", "12,480.50310000", "= ✗ offline")
	})
}

func TestAccountSwitchReadsTheOtherAccount(t *testing.T) {
	driven(t, 100, 30, sample(), func(d *drive) {
		d.press("@ down enter")
		d.shows("savings-1 1.2.88 ▾", "Balances of savings-1")
		d.press("2")
		d.shows("History of savings-1 1.2.88")
	})
}

func TestHistoryReadsOlderRowsOnTheWayDown(t *testing.T) {
	core := sample()
	core.history = nil
	for i := range 250 {
		e := entry(ledger.HistoryID(1000-i), corehistory.In, carol, int64(i+1), "", vault.MemoNone, time.Duration(i)*time.Hour)
		core.history = append(core.history, e)
	}
	driven(t, 80, 24, core, func(d *drive) {
		d.press("2")
		d.shows("row 1 of 100+")
		d.press("G")
		d.shows("row 250 of 250", "+0.00000250 DCT")
		d.press("g")
		d.shows("row 1 of 250", "+0.00000001 DCT")
	})
}

func TestClicksDoWhatTheyStandOn(t *testing.T) {
	driven(t, 100, 30, sample(), func(d *drive) {
		click := func(text string) {
			t.Helper()
			for y, l := range strings.Split(d.screen(), "\n") {
				if i := strings.Index(l, text); i >= 0 {
					d.send(tea.MouseMsg{X: ansi.StringWidth(l[:i]), Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
					return
				}
			}
			t.Fatalf("there is no %q to click", text)
		}
		click("2 History")
		d.shows("[2 History]")
		click("bob-trade 1.2.410")
		d.shows("row 4 of 6")
		click("/ filter")
		d.shows("TYPE")
		d.press("esc")
		d.send(tea.MouseMsg{X: 5, Y: 8, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		d.shows("row 5 of 6")
		click("- RPC")
		d.shows("Listener is off")
		toReview(d)
		d.wait(time.Second)
		click("S sign and send")
		d.shows("Review", "Press S")
	})
}

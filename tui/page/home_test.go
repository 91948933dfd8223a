package page_test

import (
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/lastview"
	"billfold/tui/page/home"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"
)

func TestHomeLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenMeanings("home/home80x24")
		d.GoldenSizes("home/home", uitest.Sizes())
	})
}

// With an index the past of the balances is known: a column of 30 days, and a chart where there is room.
func TestTheChartLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Charted(), func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenSizes("home/chart", append(uitest.Sizes(), [2]int{200, 60}))
		d.Resize(100, 30)
		d.Press("c")
		d.Shows("1 year · c range")
		d.Press("c c down")
		d.Shows("24 hours · c range", "ALX.GOLD balance")
		d.Press("z")
		d.Hides("Recent activity")
		d.Press("z *")
		d.Shows("Amounts are hidden", "▒▒▒▒▒▒▒▒")
		d.Hides("3.25")
	})
}

// What happens while a reading is under way is shown after it, not after the next block.
func TestWhatComesDuringAReadingIsRead(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.StopBlocks(true)
		d.Shows("12,600.50410000")
		for _, method := range []string{"get_account_balances", "get_account_history"} {
			w.Ledger.DelayMethod(method, 3*time.Second)
		}
		w.Mine()
		d.Wait(time.Second)
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
		d.Wait(time.Second)
		d.Hides("12,607", "+7.00000000 DCT")
		d.Wait(10 * time.Second)
		d.Shows("12,607.50410000", "+7.00000000 DCT")
	})
}

// What is on hold, and what came in since the last time that somebody looked.
func TestHomeTellsWhatIsOnHoldAndWhatIsNew(t *testing.T) {
	scene := uitest.Charted()
	scene.Options.Visits = lastview.Open(filepath.Join(t.TempDir(), lastview.Name))
	scene.Wallet = func(w *uitest.World) {
		w.Push(&ledger.VestingBalanceCreateOp{
			Creator: uitest.Carol.ID, Owner: uitest.Alice.ID, Amount: ledger.AssetAmount{Amount: 1000_00000000},
			Policy: ledger.VestingPolicy{
				Linear: &ledger.LinearVesting{BeginTimestamp: ledger.TimeOf(uitest.Start), VestingDurationSeconds: 86400 * 30},
			},
		})
		w.Push(&ledger.WithdrawPermissionCreateOp{WithdrawFromAccount: uitest.Alice.ID, AuthorizedAccount: uitest.Carol.ID,
			WithdrawalLimit: ledger.AssetAmount{Amount: 5_00000000}, WithdrawalPeriodSec: 86400, PeriodsUntilExpiration: 7,
			PeriodStartTime: ledger.TimeOf(uitest.Start.Add(time.Hour))})
		w.Mine()
	}
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Shows("1,000.00000000 DCT  1.9.", "all of it on 2026-12-20", "Your next visit will list")
		d.Shows("▲ carol 1.2.57 may withdraw", "5.00000000 DCT each day", "5.00000000 DCT left now",
			"in 7 periods", "until 2026-11-27 UTC  1.8.0")
		d.Resize(80, 24)
		d.Shows("on hold 1,000.00000000 DCT")
		d.Press("@ down enter")
		d.Shows("savings-1 1.2.88")
		d.Press("@ up enter")
		d.Shows("alice 1.2.34 ▾")
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Asset: uitest.Points, Amount: 3})
		d.Wait(20 * time.Second)
		w.Look(140, 40, func(d *uitest.Driver) {
			d.Wait(time.Second)
			d.Shows("Since 2026-11-20 14:0")
			d.Shows("Nothing happened")
		})
		uitest.Must(t, scene.Options.Visits.Note(w.Wallet.Status().ChainID, uitest.Alice.ID,
			lastview.View{Row: 3, At: uitest.Start.Add(-24 * time.Hour)}))
		w.Look(140, 40, func(d *uitest.Driver) {
			d.Wait(time.Second)
			d.Shows("Since 2026-11-19 14:02", "+19.50000000 DCT", "+3 POINTS", "-240.00000000 DCT", "• 6 new since 11-19 14:02")
		})
	})
}

func TestTheAccountInFocusIsRemembered(t *testing.T) {
	scene := uitest.Rows()
	path := filepath.Join(t.TempDir(), lastview.Name)
	scene.Setup = func(o *tui.Options) { o.Visits = lastview.Open(path) }
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Shows("alice 1.2.34 ▾")
		d.Press("@ down enter")
		w.Look(80, 24, func(d *uitest.Driver) { d.Shows("savings-1 1.2.88 ▾", "500.00000000") })
		d.Press("@ up enter")
		w.Look(80, 24, func(d *uitest.Driver) { d.Shows("alice 1.2.34 ▾") })
	})
}

// A row under Recent is answered as in History; without one in focus the keys say how to get there.
func TestRecentRowIsAnswered(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
		w.Mine()
		d.Wait(10 * time.Second)
		d.Press("b")
		d.Shows("Not now: choose a row under Recent activity first")
		d.Wait(5 * time.Second) // until the edge of the panel is seen again
		d.Press("tab tab")
		d.Shows("b pay back · e message")
		d.Press("b")
		d.Shows("Send › Amount", "bob-trade")
		d.Type("7")
		d.Press("ctrl+s")
		d.Shows("7.00000000 DCT", "bob-trade 1.2.110")
		d.Press("esc esc 1 e")
		d.Shows("Messages", "bob-trade")
	})
}

// The list of accounts and the one to switch by show what each has of DCT and of the asset in focus, and the sums.
func TestAccountsShowWhatTheyHave(t *testing.T) {
	uitest.Play(t, 140, 40, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Shows("│    12,600.50410000 DCT ", "│    500.00000000 DCT ", "Sum 13,100.50410000 DCT")
		d.Press("down")
		d.Shows("│    3.2500 ALX.GOLD ", "Sum 3.2500 ALX.GOLD")
		d.Press("up @")
		d.Shows("Switch account", "Sum 13,100.50410000 DCT", "only watched are counted, too", "savings-1 1.2.88     500.00000000 DCT")
		d.Press("esc *")
		d.Hides("13,100", "500.0")
		d.Press("*")
		w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Savings, Amount: 1_00000000})
		d.Wait(20 * time.Second)
		d.Shows("12,599.50310000 DCT ", "501.00000000 DCT", "Sum 13,100.50310000 DCT") // less the fee
		_, err := w.Send(uitest.Bob, "1")
		uitest.Must(t, err)
		d.Press("@")
		d.Shows("Sum 13,099.50210000 DCT  ", "sent, waiting for a block") // the node counts it, and its fee
		d.Press("esc")
		d.Resize(50, 16)
		d.Press("@")
		d.Shows("Sum 13,099.50210000 DCT", "savings-1 1.2.88")
	})
}

// Home opens on the account with money although another is first on the list, but not over what a person chose.
func TestHomeOpensOnTheAccountWithMoney(t *testing.T) {
	scene := uitest.Scene{Unmade: true, Wallet: func(w *uitest.World) {
		uitest.Must(t, w.Wallet.Vault.Create(w.Ctx, uitest.Password))
		for _, account := range []ledgerview.AccountRef{uitest.Alice, uitest.Carol} {
			w.Hold(account, uitest.KeyOf(account.Name))
		}
		w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Carol, Amount: 11503_00609999}) // all but the fee
		w.Mine()
		w.Reopen(func(string) {})
	}}
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Wait(5 * time.Second)
		if first := w.Wallet.Own.List()[0]; first.ID != uitest.Alice.ID {
			t.Fatalf("the first account is %s", first.Name)
		}
		d.Shows("Balances of carol", "1,011,503.00609999 DCT")
		d.Press("@ up enter")
		d.Wait(30 * time.Second)
		d.Shows("Balances of alice")
	})
}

// What no node has accepted is in the balances still, and the sum says so.
func TestTheSumSaysWhatItDoesNotCount(t *testing.T) {
	own := []vault.OwnAccount{{AccountRef: uitest.Alice}, {AccountRef: uitest.Savings}}
	for state, want := range map[payment.State]string{payment.Prepared: "Not counting 1 pending payment", payment.Unknown: "Not counting 1 pending payment",
		payment.Sent: "", payment.InBlock: "", payment.Irreversible: "", payment.Rejected: ""} {
		env := screen.Env{Accounts: own, Payments: []payment.Payment{{State: state, Prepared: time.Unix(1, 0), Review: uitest.Review(uitest.Carol, 1)}}}
		if got := home.Uncounted(env).String(); got != want {
			t.Errorf("%v: %s", state, got)
		}
	}
}

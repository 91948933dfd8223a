package history_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// A label is written, shown, found, exported and removed; a locked wallet shows none.
func TestRowGetsAPrivateLabel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2 down down n")
		d.Shows("Label of 1.7.1201", "TYPE", "never leaves it")
		d.Golden("history-label100x30")
		d.Type("Rent of May")
		d.Press("enter")
		d.Shows("Label  Rent of May  private", "KEYS")
		d.Find("label:rent")
		d.Shows("1 of 1,204 rows", "1.7.1201")
		d.Press("ctrl+c")
		d.Type("may")
		d.Wait(uitest.FilterPause)
		d.Shows("1 of 1,204 rows")
		d.Wait(5 * time.Second) // a second ctrl+c would quit
		d.Press("enter x tab tab space tab space tab ctrl+c")
		d.Type(path)
		d.Press("enter")
		d.Shows("✓ 1 row written to")
		text, err := os.ReadFile(path)
		if err != nil || !regexp.MustCompile(`provisional,[0-9a-f]{40},Rent of May,bob-trade\n$`).Match(text) {
			t.Errorf("the file has %q, %v", text, err)
		}
		w.Wallet.Vault.Lock()
		d.Pump()
		d.Press("esc 2")
		d.Find("label:rent")
		d.Shows("0 of 1,204 rows", "locked memos are not searched")
		d.Press("esc esc down down")
		d.Shows("1.7.1201", "Label  locked")
		d.Press("n")
		d.Shows("Unlock")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Wait(5 * time.Second)
		d.Shows("History of alice")
		d.Find("label:rent")
		d.Press("enter")
		d.Shows("1.7.1201", "Rent of May")
		d.Press("n ctrl+c enter esc")
		d.Shows("Label  – n adds one")
	})
}

// The id of the transaction is in the detail, and first in the copy menu: 2, y, enter from anywhere.
func TestTransactionIDIsShownAndCopied(t *testing.T) {
	scene, copied := ofShop(), ""
	scene.Options.Clipboard = func(text string) error { copied = text; return nil }
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, w *uitest.World) {
		id := regexp.MustCompile(`^[0-9a-f]{40}$`)
		d.Press("2 y enter")
		if !id.MatchString(copied) {
			t.Errorf("%q is copied", copied)
		}
		first := copied
		d.Shows("Tx id")
		d.Press("down")
		d.Wait(time.Second)
		d.Press("y 1")
		if !id.MatchString(copied) || copied == first {
			t.Errorf("%q is copied of the second row", copied)
		}
		d.Press("y 9")
		for _, want := range []string{"From          alice 1.2.34\n", "Transaction   ", "Memo          invoice 1203\n", "not final yet"} {
			if !strings.Contains(copied, want) {
				t.Errorf("the receipt lacks %q:\n%s", want, copied)
			}
		}
		w.Cut()
		d.Wait(time.Second)
		d.Press("down")
		d.Wait(time.Second)
		d.Shows("asked again when a")
		w.Join()
		d.Wait(20 * time.Second)
		d.Hides("asked again")
	})
}

func TestAccountCardIsShown(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2 a")
		d.Shows("Account card", "carol 1.2.57", "no contact", "one signer alone", "Memo key", "301 in, in your whole history")
		d.GoldenSizes("history-card", [][2]int{{100, 30}, {50, 16}})
		d.Press("o")
		d.Shows("Account card", "Not now: it is no account of this wallet")
		d.Press("y")
		d.Shows("Memo key", "Account id")
		d.Press("esc esc")
		d.Hides("Account card")
		for keys, want := range map[string][]string{
			"s": {"Send › Amount", "carol"}, "t": {"Messages › carol", "TYPE"}, "n": {"Contacts", "carol 1.2.57", "is on the ledger"},
			"h": {"Filter / with:carol", "301 of 1,204 rows"},
		} {
			w.Look(100, 30, func(d *uitest.Driver) {
				d.Press("2 a")
				d.Shows("Account card", "s pay  t message  h history  n save")
				d.Press(keys)
				d.Hides("Account card")
				d.Shows(want...)
			})
		}
		w.Look(100, 30, func(d *uitest.Driver) { // the person's own account
			d.Press("a")
			d.Shows("Account card", "alice 1.2.34  yours", "o keys")
			d.Press("s")
			d.Shows("Not now: it is the account in focus")
			d.Press("o")
			d.Shows("Keys of alice")
		})
		w.Cut()
		d.Wait(time.Second)
		d.Press("a")
		d.Wait(6 * time.Second)
		d.Shows("Account card", "✗", "301 in")
	})
}

// This month goes to a file with four keys.
func TestMonthIsExported(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	uitest.Play(t, 80, 24, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 x t")
		d.Shows("96  (of this month", "~/billfold-alice-2026-11.csv")
		d.Press("t")
		d.Shows("148  (of last month", "~/billfold-alice-2026-10.csv")
		d.Press("t")
		d.Shows("1,204  (everything", "~/billfold-alice-2026-11-20.csv")
		d.Press("t enter")
		d.Shows("✓ 96 rows written")
		text, err := os.ReadFile(filepath.Join(home, "billfold-alice-2026-11.csv"))
		if n := strings.Count(string(text), "\n2026-11-"); err != nil || n != 96 {
			t.Errorf("%d rows of the month, %v", n, err)
		}
	})
}

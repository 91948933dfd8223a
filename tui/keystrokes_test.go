package tui_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/action"
	"billfold/tui/page/rpc"
	"billfold/tui/uitest"
	"billfold/tui/widget/frame"
	"billfold/walletcore/approval"
)

// counter counts the keys that a person presses.
type counter struct {
	*uitest.Driver
	keys int
}

func (c *counter) press(keys string) {
	c.keys += len(strings.Fields(keys))
	c.Press(keys)
}

func (c *counter) letters(text string) {
	c.keys += len([]rune(text))
	c.Type(text)
}

// atMost fails the test if more than most keys were pressed, not counting the letters of own, which only the person can know.
func (c *counter) atMost(most int, own string) {
	c.T.Helper()
	if got := c.keys - len([]rune(own)); got > most {
		c.T.Errorf("it takes %d keys, at most %d are allowed", got, most)
	}
}

// keystrokes runs a test that counts keys from Home on, in a wallet with the contact carol.
func keystrokes(t *testing.T, scene uitest.Scene, test func(c *counter, w *uitest.World)) {
	t.Helper()
	scene.Wallet = func(w *uitest.World) {
		_, err := w.Wallet.Contacts.Save(w.Ctx, uitest.Carol.Name, "rent")
		uitest.Must(w.T, err)
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) { test(&counter{Driver: d}, w) })
}

// indexedRows has two payments, which are in the history index.
var indexedRows = &uitest.Past{Index: true, Ledger: func(w *uitest.World) {
	alice, carol := uitest.KeyOf(uitest.Alice.Name), uitest.KeyOf(uitest.Carol.Name)
	secret := w.Secret(alice, carol.Public(), "rent october, thank you")
	w.Ago(50 * time.Hour)
	w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
	w.Ago(40 * time.Hour)
	w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Carol, Amount: 240_00000000, Memo: secret})
}}

func TestKeysToPayAContact(t *testing.T) {
	keystrokes(t, uitest.Scene{}, func(c *counter, w *uitest.World) {
		const amount = "12.5"
		c.press("3")
		c.letters("ca")
		c.Wait(time.Second)
		c.press("enter")
		c.letters(amount)
		c.press("ctrl+s")
		c.Wait(time.Second) // it is read
		c.press("S")
		c.Wait(10 * time.Second)
		if c.Shows("12.50000000 DCT", "carol 1.2.57"); w.Paid() != 1 {
			t.Errorf("%d payments were made:\n%s", w.Paid(), c.Screen())
		}
		c.atMost(9, amount)
	})
}

func TestKeysToFindAPaymentByItsMemo(t *testing.T) {
	keystrokes(t, uitest.Scene{Past: indexedRows}, func(c *counter, _ *uitest.World) {
		c.press("2 /")
		c.letters("october")
		c.Wait(time.Second)
		c.Shows("1 of 2 rows", "rent oct")
		c.atMost(2, "october")
	})
}

func TestKeysToCopyATransactionID(t *testing.T) {
	scene, copied := uitest.Scene{Past: indexedRows}, ""
	scene.Options.Clipboard = func(text string) error { copied = text; return nil }
	keystrokes(t, scene, func(c *counter, _ *uitest.World) {
		if c.press("2 y enter"); len(copied) != 40 {
			t.Errorf("%q is copied", copied)
		}
		c.atMost(3, "")
	})
}

func TestKeysToExportThisMonth(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	keystrokes(t, uitest.Scene{Past: indexedRows}, func(c *counter, _ *uitest.World) {
		c.press("2 x t enter")
		c.Wait(time.Second)
		c.Shows("2 rows written")
		if _, err := os.Stat(filepath.Join(home, "billfold-alice-2026-11.csv")); err != nil {
			t.Error(err)
		}
		c.atMost(5, "")
	})
}

func TestKeysToApproveAPaymentOfAProgram(t *testing.T) {
	var q *approval.Queue
	scene := uitest.Scene{Setup: func(o *tui.Options) {
		q = approval.New()
		o.RPC = rpc.Core{Traffic: uitest.Listeners{}, Server: uitest.Listeners{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true}}}
		o.Approvals = q
	}}
	keystrokes(t, scene, func(c *counter, _ *uitest.World) {
		defer q.Close()
		answer := make(chan approval.Answer, 1)
		go func() {
			ctx, cancel := context.WithTimeout(c.Ctx, time.Minute)
			defer cancel()
			answer <- q.Ask(ctx, approval.Request{Who: "shop", Via: "HTTP", Method: "transfer", Why: "programs have to ask",
				Review: uitest.Review(uitest.Carol, 5_00000000)})
		}()
		c.Pump()
		c.press("!")
		c.Wait(time.Second) // it is read
		c.press("A")
		if got := <-answer; got != approval.Yes {
			t.Errorf("the answer is %v", got)
		}
		c.atMost(2, "")
	})
}

func TestKeysFromAnyPageToAnyOther(t *testing.T) {
	keystrokes(t, uitest.Scene{}, func(c *counter, _ *uitest.World) {
		there := slices.DeleteFunc(tui.Pages(), func(p frame.Page) bool { return c.Model.Screen(p.ID) == nil })
		if len(there) < len(tui.Pages())-2 { // Console and Settings are pages of the whole program
			t.Fatalf("only the pages %v are made; model.go makes them", there)
		}
		for _, from := range there {
			for _, to := range there {
				leaveField(c)
				c.Press(from.Key)
				c.keys = 0
				leaveField(c)
				if c.press(to.Key); c.Model.Page() != to.ID {
					t.Errorf("from %s, %s opens %s", from.Name, to.Key, c.Model.Page())
				}
				c.atMost(3, "")
			}
		}
	})
}

// leaveField presses esc where letters are text.
func leaveField(c *counter) {
	for range 2 {
		if strings.Contains(c.Screen(), " TYPE ") {
			c.press("esc")
		}
	}
}

// A page whose keys are not in the key table would do nothing, and the help would not name them.
func TestEveryPageHasKeys(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for _, p := range tui.Pages() {
			page := d.Model.Screen(p.ID)
			if page == nil { // Console and Settings are pages of the whole program
				continue
			}
			place, _ := page.Place()
			if !slices.ContainsFunc(tui.KeyTable(), func(of action.Place) bool { return of.ID == place }) {
				t.Errorf("%s: the key table has no place %q; keys.go adds the page's Places", p.Name, place)
			}
		}
	})
}

func TestKeysToReplyToARow(t *testing.T) {
	scene := uitest.Scene{Past: &uitest.Past{Ledger: func(w *uitest.World) {
		w.Ago(50 * time.Hour)
		w.Pay(uitest.Transfer{From: uitest.Bob, To: uitest.Alice, Amount: 7_00000000})
	}}}
	keystrokes(t, scene, func(c *counter, w *uitest.World) {
		const amount = "3.5"
		c.press("2")
		c.Wait(time.Second)
		c.press("b")
		c.Shows("bob-trade")
		c.letters(amount)
		c.press("ctrl+s")
		c.Wait(time.Second) // it is read
		c.press("S")
		c.Wait(10 * time.Second)
		if c.Shows("3.50000000 DCT", "bob-trade 1.2.110"); w.Paid() != 1 {
			t.Errorf("%d payments were made:\n%s", w.Paid(), c.Screen())
		}
		c.atMost(4, amount)
	})
}

// From any page `:`, a name and enter lead to an own account, a contact, somebody who was paid, an asset, a setting or an action.
func TestKeysToFindAnythingByName(t *testing.T) {
	for name, shows := range map[string]string{
		"savings":  "savings-1 1.2.88",
		"carol":    "Send",
		"bob":      "Account card",
		"ALX":      "Assets › ALX.GOLD",
		"receive":  "[4 Receive]",
		"import":   "Imports are added",
		"contacts": "[7 Contacts]",
	} {
		keystrokes(t, uitest.Scene{Past: indexedRows}, func(c *counter, _ *uitest.World) {
			for _, from := range tui.Pages() {
				if c.Model.Screen(from.ID) == nil {
					continue
				}
				leaveField(c)
				c.Press(from.Key)
				leaveField(c)
				c.keys = 0
				c.press(":")
				c.letters(name)
				c.Wait(time.Second)
				if c.press("enter"); !strings.Contains(c.Screen(), shows) {
					c.Wait(time.Second)
				}
				if !strings.Contains(c.Screen(), shows) {
					t.Errorf("from %s, %s does not lead to %q:\n%s", from.Name, name, shows, c.Screen())
				}
				c.atMost(2, name)
				c.Press("esc")
				leaveField(c)
			}
		})
	}
}

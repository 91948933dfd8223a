package page_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
)

// savedContacts is alice with three contacts, one of whom took another memo key since.
func savedContacts() uitest.Scene {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		w.Ago(25 * time.Second)
		for _, c := range [][2]string{{"carol", "rent, dinner"}, {"bob-trade", ""},
			{"merchant-7", "shop till\x1b[2J of the corner, open until late"}} {
			_, err := w.Wallet.Contacts.Save(w.Ctx, c[0], c[1])
			uitest.Must(w.T, err)
		}
		w.Ago(20 * time.Second)
		options := ledger.NewAccountOptions(uitest.KeyOf("another").Public())
		w.Push(&ledger.AccountUpdateOp{Account: uitest.Merchant.ID, NewOptions: &options})
		w.Mine()
	}
	return scene
}

func TestContactsLookAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, savedContacts(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("7")
		d.Until("bob-trade", "Registered")
		d.GoldenMeanings("contacts/contacts80x24")
		d.GoldenSizes("contacts/contacts", uitest.Sizes())
		d.Resize(80, 24)
		d.Press("down down")
		d.Until("memo key changed", "CHANGED since saved")
		d.GoldenSizes("contacts/contacts-changed", [][2]int{{80, 24}, {140, 40}})
		d.Resize(80, 24)
		d.Press("enter")
		d.Until("esc back", "DCT4y3RztzJKLcic4GSezr8YMmRGKZqwTxQZgLy33y2qXBtTn7ZVX")
		d.GoldenSizes("contacts/contacts-whole", [][2]int{{80, 24}, {50, 16}, {40, 12}})
		d.Press("G")
		d.Shows("12.50000000 DCT")
		d.Resize(80, 24)
		d.Press("esc n")
		d.Type("caro1")
		d.Until("✓ caro1 1.2.112", "looks like carol")
		d.GoldenSizes("contacts/contacts-new", [][2]int{{80, 24}, {140, 40}, {40, 12}})
		d.Resize(80, 24)
		d.Press("esc x")
		d.GoldenSizes("contacts/contacts-remove", [][2]int{{80, 24}, {50, 16}})
		d.Resize(80, 24)
		d.Press("esc ctrl+l esc 7")
		d.Shows("locked", "merchant-7")
		w.Look(80, 24, func(d *uitest.Driver) {
			w.Cut()
			d.Wait(time.Second)
			d.Press("esc 7")
			d.Until("away", "carol")
			d.Golden("contacts/contacts-away80x24")
		})
	})
}

// A contact is added, found, described and removed with keys alone.
func TestAContactIsAddedAndRemoved(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("7")
		d.Shows("No contacts. n adds one")
		d.Press("n")
		d.Type("nobody-here")
		d.Until("no such account")
		d.Press("tab enter")
		d.Shows("not found yet")
		d.Press("tab ctrl+u")
		d.Type("1.2.57")
		d.Until("✓ carol 1.2.57 is on the ledger")
		d.Press("enter")
		d.Type("rent")
		d.Press("enter")
		d.Until("carol 1.2.57 is a contact now", "unchanged since saved", "1 out, 0 in", "240.00000000 DCT")
		d.Press("e ctrl+u")
		d.Type("rent and dinner")
		d.Press("enter")
		d.Until("rent and dinner")
		d.Press("/")
		d.Type("nothing")
		d.Shows("No contact matches")
		d.Press("ctrl+u")
		d.Type("dinner")
		d.Shows("1.2.57")
		d.Press("enter esc x X")
		d.Type("Xcarol")
		if len(w.Wallet.Contacts.List()) != 1 {
			t.Fatal("X removed a contact before its name was typed")
		}
		d.Press("ctrl+u")
		d.Type("carol")
		d.Press("enter") // does nothing: X does
		d.Shows("X remove")
		d.Sure("X")
		d.Until("No contacts.")
		if left := w.Wallet.Contacts.List(); len(left) != 0 {
			t.Errorf("%+v is left", left)
		}
	})
}

// An account that is registered while the form says that there is none is found, and what was said of it goes; so it is with a node
// that comes back.
func TestAContactThatIsRegisteredMeanwhileIsFound(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("7 n")
		d.Type("new-shop")
		d.Until("no such account")
		d.Press("tab enter")
		d.Shows("not found yet")
		key := uitest.KeyOf("new-shop").Public()
		keys := ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: key, Weight: 1}}}
		w.Push(&ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: "new-shop", Owner: keys, Active: keys,
			Options: ledger.NewAccountOptions(key)})
		w.Mine()
		d.Wait(time.Second)
		d.Shows("✓ new-shop", "is on the ledger")
		d.Hides("no such", "not found yet")
		d.Press("esc")
		d.Press("n")
		w.Cut()
		d.Wait(time.Second)
		d.Type("carol")
		d.Shows("cannot check: no node")
		w.Join()
		d.Wait(20 * time.Second) // a block comes, at the latest once the node is there again
		d.Shows("✓ carol 1.2.57 is on the ledger")
	})
}

// Paying a contact opens the form with it; what is copied is whole.
func TestAContactIsPaidAndCopied(t *testing.T) {
	var copied []string
	scene := savedContacts()
	scene.Options = tui.Options{Clipboard: func(text string) error { copied = append(copied, text); return nil }}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("7 o o o down")
		d.Until("carol")
		d.Press("y 2")
		if len(copied) != 1 || copied[0] != "1.2.57" {
			t.Errorf("copied %q", copied)
		}
		d.Press("s")
		d.Until("Send", "✓ carol 1.2.57", "contact")
	})
}

// A note that cannot be read is replaced by another, never removed by the empty field that its form begins with.
func TestANoteThatCannotBeReadIsNotRemovedByAnEmptyField(t *testing.T) {
	scene := savedContacts()
	save := scene.Wallet
	scene.Wallet = func(w *uitest.World) {
		save(w)
		book := w.Wallet.Contacts
		for _, c := range book.List() {
			uitest.Must(w.T, book.Store.SetNote(w.Ctx, book.Pins.Chain(), c.ID, "damaged"))
		}
		uitest.Must(w.T, book.Load(w.Ctx))
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("7")
		d.Until("cannot be read with the keys of this wallet")
		d.Press("e")
		d.Shows("What is written here replaces it.")
		d.Press("enter")
		d.Shows("write the note that replaces it")
		for _, c := range w.Wallet.Contacts.List() {
			if !c.HasNote() {
				t.Errorf("enter removed the note on %s", c.Name)
			}
		}
		d.Type("known from the fair")
		d.Press("enter")
		d.Until("has a new note", "known from the fair")
	})
}

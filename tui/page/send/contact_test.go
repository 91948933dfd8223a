package send_test

import (
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore/store"
)

// withCarol is alice whose contact is carol.
func withCarol() uitest.Scene {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		_, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "rent")
		uitest.Must(w.T, err)
	}
	return scene
}

// Contacts come first among those who may be meant, are found by ctrl+o, and are what a strange name is compared with.
func TestAContactIsFoundAndPaid(t *testing.T) {
	uitest.Play(t, 100, 30, withCarol(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("3")
		d.Type("caro1")
		d.Until("caro1 1.2.112 looks like carol 1.2.57")
		d.Press("tab")
		d.Type("2")
		d.Press("ctrl+o")
		d.Type("nobody")
		d.Shows("No contact matches")
		d.Press("ctrl+u")
		d.Golden("contact-finder100x30")
		d.Press("enter")
		d.Until("✓ carol 1.2.57  contact · paid once")
		d.Press("ctrl+s")
		d.Until("✓ contact · paid once before")
		d.Press("esc esc ctrl+o esc")
		d.Shows("Send")
	})
}

// Whom was paid and is no contact yet can be saved from the page of the payment.
func TestWhoWasPaidCanBeSaved(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("bob-trade", "2")
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("is not a contact yet: c saves it")
		d.Press("c")
		d.Until("New contact", "✓ bob-trade 1.2.110 is on the ledger")
		d.Press("enter enter")
		d.Until("bob-trade 1.2.110 is a contact now")
		d.Press("3")
		d.Hides("not a contact yet")
	})
}

// Another account under a contact's name is refused before anything is built.
func TestAnotherAccountUnderAContactsNameIsRefused(t *testing.T) {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		saved, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "")
		uitest.Must(w.T, err)
		kept := store.Contact{Chain: w.Wallet.View.Pins.Chain(), SeenAccount: saved.Keys, Name: saved.Name}
		kept.ID = 99
		uitest.Must(w.T, w.Wallet.Contacts.Store.Put(w.Ctx, kept))
		uitest.Must(w.T, w.Wallet.Contacts.Remove(w.Ctx, saved.ID))
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.FillPayment()
		d.Until("✗ not your contact", "the node says that", "Do not pay")
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Hides("Sign and send")
		if w.Paid() != 0 {
			t.Error("it was paid")
		}
	})
}

package page_test

import (
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
)

// overLock locks the wallet, looks at the page without the password, and unlocks on it; what is private is not
// seen while it is locked.
func overLock(d *uitest.Driver, page string, private ...string) {
	d.T.Helper()
	d.Press("ctrl+l")
	d.Until("Unlock")
	d.Press("esc " + page)
	d.Hides(private...)
	d.Press("ctrl+l")
	d.Until("Unlock")
	d.Type(uitest.Password)
	d.Press("enter")
	d.Until("unlocked")
	d.Wait(time.Second) // an enter right after unlocking is a repeated one
}

// A lock loses nothing that was typed into a form; it is there again with the open wallet.
func TestALockLosesNothingThatWasTyped(t *testing.T) {
	b, store := &nodeBook{}, someSettings()
	scene := savedContacts()
	console := consoleScene()
	wallet := scene.Wallet
	scene.Wallet = func(w *uitest.World) { wallet(w); console.Wallet(w) }
	scene.Setup = console.Setup
	scene.Core = func(c *tui.Core) { console.Core(c); c.Node.Addresses, c.Settings = b, store }
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("7 n")
		d.Type("rec-nobody")
		d.Press("ctrl+u")
		d.Type("1.2.57")
		d.Until("✓ carol 1.2.57 is on the ledger")
		d.Press("tab")
		d.Type("her flat")
		overLock(d, "7", "her flat")
		d.Shows("New contact", "✓ carol 1.2.57 is on the ledger", "her flat")
		d.Press("esc")
		d.Until("unchanged since saved")
		d.Press("e ctrl+u")
		d.Type("the new note")
		overLock(d, "7", "the new note")
		d.Shows("Note on ", "the new note")
		d.Press("enter")
		d.Until("has a new note", "the new note")

		d.Press("=")
		d.Until("in use")
		d.Press("n")
		d.Type("wss://half.exam")
		d.Press("ctrl+l")
		d.Until("Unlock")
		d.Press("esc = enter") // whoever finds it locked adds no node
		d.Until("Unlock", "Password")
		if b.added != "" {
			t.Errorf("a locked wallet added %q", b.added)
		}
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Add a node", "wss://half.exam")
		d.Type("ple")
		d.Press("enter")
		d.Until("Added wss://half.example")

		d.Press("4 e shift+tab")
		d.Type("DCT")
		d.Press("tab")
		d.Type("12.")
		overLock(d, "4")
		d.Shows("TYPE")
		d.Type("5")
		d.Shows("amount=12.5")

		d.Press("esc 8 f")
		d.Type("half/of/a-file")
		overLock(d, "8")
		d.Shows("half/of/a-file", "TYPE")
		d.Press("esc")

		d.Press(",")
		d.Until("theme")
		d.Press("/")
		d.Type("daemon-url")
		d.Press("enter enter ctrl+u")
		d.Type("wss://half.again")
		overLock(d, ",")
		d.Shows("Nodes: wss://half.again", "TYPE")
		d.Press("esc esc 0")
		d.Type(`transfer alice "bob`)
		overLock(d, "0", "transfer alice")
		d.Shows(`transfer alice "bob`)
		d.Press("ctrl+u")
		d.Type("transfer alice")
		d.Press("f2")
		d.Until("asset_symbol")
		d.Press("tab tab")
		d.Type("12.2")
		overLock(d, "0", "12.2")
		d.Until("asset_symbol", "transfer alice", "12.2")
	})
}

// What is secret in a form goes with the lock.
func TestALockKeepsNoSecretThatWasTyped(t *testing.T) {
	b, store, scene := &nodeBook{}, someSettings(), consoleScene()
	console := scene.Core
	scene.Core = func(c *tui.Core) { console(c); c.Node.Addresses, c.Settings = b, store }
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		const key = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
		again := func(page, keeps string) {
			t.Helper()
			overLock(d, page, "5KQw", "hunter2")
			d.Shows(keeps)
			d.Hides("••••", "5KQw", "hunter2")
		}
		d.Press("0")
		d.Type("unlock hunter2")
		again("0", "> unlock")
		d.Press("ctrl+u")
		d.Type("import_key alice")
		d.Press("f2")
		d.Until("import_key")
		d.Press("tab")
		d.Paste(key)
		again("0", "import_key")
		d.Press("esc")
		d.Press("ctrl+u esc =")
		d.Until("in use")
		d.Press("n")
		d.Type("wss://alice:hunter2@node.example")
		again("=", "Add a node")
		d.Press("esc 7 n")
		d.Paste(key)
		again("7", "New contact")
		d.Press("esc 4 e tab tab")
		d.Paste(key)
		again("4", "TYPE")
		d.Press("esc ,")
		d.Until("theme")
		d.Press("/")
		d.Type("daemon-url")
		d.Press("enter enter ctrl+u")
		d.Type("wss://alice:hunter2@node.example")
		again(",", "daemon-url")
	})
}

// A lock on the way of a backup or an import leads back to where that was begun, without what is secret in it.
func TestALockOnAWayLeadsBackToItsPage(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		secret := uitest.KeyOf(uitest.Carol.Name).WIF()
		for _, way := range []struct{ keys, typed, there, back string }{
			{"6 b", uitest.Password, "Back up alice", "Keys › Accounts"},
			{"6 i 3", secret, "Import a private key", "Imports are added to this wallet"},
			{"1 i 4", "ANGRY RIVER", "Restore from a phrase", "Imports are added to this wallet"},
		} {
			d.Press("esc esc esc " + way.keys)
			d.Until(way.there)
			d.Type(way.typed)
			d.Press("ctrl+l")
			d.Until("Unlock")
			d.Type(uitest.Password)
			d.Press("enter")
			d.Until(way.back)
			d.Press("3 ctrl+t") // nothing is left in a field
			d.Hides(way.typed)
			d.Press("esc esc esc")
		}
	})
}

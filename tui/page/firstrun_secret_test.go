package page_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
)

// secret has the keys that do something where letters are no text.
const secret = "q?:y3/hunter xyzzy"

// An answer that stands in clear may be refused, by its check, by the ledger, or because no node answers, while a person already types
// the secret that comes next: not a letter of it is ever on the screen, and none does anything but stand in the field as a dot.
func TestASecretTypedBehindARefusedAnswerIsNotShown(t *testing.T) {
	away := func(d *uitest.Driver, w *uitest.World) {
		w.Cut()
		d.Wait(10 * time.Second)
	}
	for name, c := range map[string]struct {
		unmade bool
		to     func(d *uitest.Driver, w *uitest.World) // the answer that is refused
		label  string
	}{
		"the account of a key": {true, func(d *uitest.Driver, w *uitest.World) {
			away(d, w)
			d.Press("3")
			d.Paste(ledger.DeriveKey("a key", 0).WIF())
			d.Press("enter")
			d.Type("alice")
			d.Press("enter")
		}, "Account "},
		"an account to watch": {true, func(d *uitest.Driver, w *uitest.World) {
			away(d, w)
			d.Press("5")
			d.Type("alice")
			d.Press("enter")
		}, "Account "},
		"the accounts of a phrase": {true, func(d *uitest.Driver, w *uitest.World) {
			d.Press("4")
			d.Type("some words that nobody uses")
			d.Press("enter")
			d.Until("Accounts  ")
			away(d, w)
			d.Type("alice")
			d.Press("enter")
		}, "Accounts  "},
		"no file": {true, func(d *uitest.Driver, _ *uitest.World) { d.Press("2 enter") }, "File  "},
		"a file that is not there": {true, func(d *uitest.Driver, _ *uitest.World) {
			d.Press("2")
			d.Type("/nowhere/nothing.json")
			d.Press("enter")
		}, "File  "},
		"a name that is taken": {false, func(d *uitest.Driver, _ *uitest.World) {
			d.Press("6 n")
			d.Type("alice")
			d.Press("enter")
		}, "Account name"},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, uitest.Scene{Unmade: c.unmade}, func(d *uitest.Driver, w *uitest.World) {
				c.to(d, w)
				for range 2 { // as fast as it goes, and once the answer was refused
					for range 2 { // a password is typed twice
						for _, letter := range secret {
							d.Type(string(letter))
							d.Hides("hunter", "xyzzy", secret[:6])
						}
						d.Press("enter")
						d.Hides("hunter", "xyzzy", secret[:6])
					}
					d.Until("✗", "ctrl+t shows it, ctrl+u clears it")
				}
				d.Shows(c.label, "TYPE")
				if d.Quit {
					t.Error("a letter of the secret quit the program")
				}
				d.Press("ctrl+u")
				d.Type("other")
				d.Shows("┃ other")
				d.Press("esc")
				d.Hides("ctrl+t shows it")
			})
		})
	}
}

// A refused answer is corrected where it stands: nothing that was typed is lost, and every key edits it.
func TestARefusedAnswerIsCorrectedInPlace(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Type("/nowhere/nothing.jso")
		d.Press("enter")
		d.Until("✗")
		d.Shows("┃ /nowhere/nothing.jso", "TYPE")
		d.Type("n")
		d.Shows("┃ /nowhere/nothing.jso•", "ctrl+t shows it")
		d.Press("ctrl+t")
		d.Shows("┃ /nowhere/nothing.json")
		d.Press("enter")
		d.Until("✗")
		d.Press("backspace")
		d.Type("m")
		d.Shows("┃ /nowhere/nothing.jsom")
	})
}

// A name that is refused for its capitals is not advised in lower case where no account can be called so.
func TestARegistrationAdvisesOnlyNamesThatThereCanBe(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6 n")
		d.Type("Hurry One")
		d.Press("enter")
		d.Shows("✗ Names have 5 to 63 of a–z, 0–9, - and ., and no capital letters.")
		d.Hides("write hurry one")
		d.Press("ctrl+u")
		d.Type("Hurry-One")
		d.Press("enter")
		d.Shows("✗ Names are lower case; write hurry-one.")
	})
}

// A phrase that is pasted as several lines is one phrase, and its line ends answer nothing.
func TestAPhraseIsPastedAsLines(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("4")
		d.Paste("copper river canvas walnut\r\nvelvet olive\n")
		d.Shows("✓ 6 words", "step 2 of 5")
		d.Hides("velvet", "invisible character")
		d.Press("enter")
		d.Until("No account uses its first 20 keys", "step 3 of 5")
	})
}

// While an answer is looked up, the letters of the secret that comes next do nothing: ? opened the help, in which / takes text, and q quit.
func TestASecretTypedWhileAnAnswerIsLookedUpIsNotShown(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5")
		d.Type("alice")
		_, look := d.Model.Update(uitest.Key("enter")) // which the node has not answered
		d.Shows("BUSY")
		for _, letter := range secret {
			d.Type(string(letter))
			d.Hides("hunter", "xyzzy", "Help")
		}
		if d.Quit {
			t.Error("a letter of the secret quit the program")
		}
		d.Run(look)
		d.Until("New password")
	})
}

// esc starts the passwords over, as the page says, and a refused secret leaves no dots that the next key would add to or wipe.
func TestEscStartsThePasswordsOver(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("1")
		d.Type("plums orbit seldom marble")
		d.Press("enter")
		d.Type("something else")
		d.Press("enter")
		d.Shows("The two passwords differ", "or press esc to start", "Once more")
		d.Hides("┃ •")
		d.Press("esc")
		d.Shows("New password", "step 2 of")
		d.Hides("┃ •", "strong", "differ")
		d.Type("abc")
		d.Shows("┃ •••  ")
		d.Hides("••••")
		d.Press("esc")
		d.Shows("Welcome")
		d.Press("1")
		d.Hides("┃ •")
	})
}

// esc stops the look-up of an answer, which stays to be corrected; what the node answers later changes nothing.
func TestEscStopsTheLookUpOfAnAnswer(t *testing.T) {
	onNew(t, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5")
		d.Type("alice")
		_, look := d.Model.Update(uitest.Key("enter")) // which the node has not answered
		d.Shows("BUSY", "esc stop")
		d.Press("esc")
		d.Shows("TYPE", "┃ alice", "step 2 of")
		d.Run(look)
		d.Shows("┃ alice", "step 2 of")
		d.Press("enter")
		d.Until("New password")
	})
}

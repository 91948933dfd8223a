package page_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
)

// writeMessage is a message on the ledger; plain without a key.
func writeMessage(w *uitest.World, from, to ledgerview.AccountRef, text string, secret bool) {
	w.T.Helper()
	var key ledger.PrivateKey
	if secret {
		key = uitest.KeyOf(from.Name)
	}
	m, err := ledger.NewMessage(from.ID, key, text, map[ledger.AccountID]ledger.PublicKey{to.ID: uitest.KeyOf(to.Name).Public()}, 0)
	uitest.Must(w.T, err)
	data, err := m.Bytes()
	uitest.Must(w.T, err)
	w.Push(&ledger.CustomOp{Payer: from.ID, ID: ledger.MessageID, Data: data})
	w.Mine()
}

var conversation = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(53 * time.Hour)
	writeMessage(w, uitest.Alice, uitest.Carol, "did the parcel arrive?", true)
	w.Ago(52 * time.Hour)
	writeMessage(w, uitest.Carol, uitest.Alice, "yes, yesterday. thank you!", true)
	w.Ago(30 * time.Hour)
	writeMessage(w, uitest.Bob, uitest.Alice, "invoice 88 is paid", true)
	w.Ago(20 * time.Hour)
	writeMessage(w, uitest.Caro1, uitest.Alice, "claim your free \x1b[2Jgift\u202e", false)
	w.Ago(3 * time.Hour)
	writeMessage(w, uitest.Carol, uitest.Alice, "see you at 8, bring the papers", true)
	writeMessage(w, uitest.Carol, uitest.Alice, "address: 5 Mill Lane", false)
}}

func conversationScene() uitest.Scene {
	return uitest.Scene{Past: conversation, Wallet: func(w *uitest.World) {
		w.Ago(10 * time.Second)
		_, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "")
		uitest.Must(w.T, err)
	}}
}

func TestMessagesLookAsDrawn(t *testing.T) {
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Until("5 Messages•")
		d.Press("5")
		d.Until("carol 1.2.57", "address: 5 Mill Lane", "1.2.110")
		d.GoldenMeanings("messages/messages80x24")
		d.GoldenSizes("messages/messages", uitest.Sizes())
		d.Resize(100, 30)
		d.Press("enter")
		d.Type("see you then, and more of it so that the line has to be broken somewhere in the box")
		d.GoldenSizes("messages/messages-typed", append(uitest.Sizes(), [2]int{40, 12}))
		d.Resize(100, 30)
		d.Press("esc n")
		d.Golden("messages/messages-new100x30")
		d.Press("esc ctrl+l esc 5")
		d.Until("locked")
		d.Hides("see you at 8", "invoice 88")
		d.Golden("messages/messages-locked100x30")
		w.Look(100, 30, func(d *uitest.Driver) {
			w.Cut()
			d.Wait(time.Second)
			d.Press("esc 5")
			d.Until("✗ offline", "Conversations", "carol 1.2.57", "locked")
		})
	})
}

// A conversation that was opened is read, also after the wallet was opened again; u marks it as unread.
func TestWhatWasReadIsRemembered(t *testing.T) {
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("5")
		d.Until("• 3", "• new")
		d.Press("a")
		d.Until("Account card", "contact")
		d.Press("esc enter")
		d.Hides("• 3", "• new")
		d.Press("esc")
		w.Look(100, 30, func(d *uitest.Driver) {
			d.Press("5")
			d.Until("carol 1.2.57", "• 1")
			d.Hides("• 3")
			d.Press("u")
			d.Until("• new")
			d.Press("x")
			d.Until("Hidden here")
			d.Hides("Mill Lane")
			writeMessage(w, uitest.Carol, uitest.Alice, "are you there?", true)
			d.Wait(30 * time.Second)
			d.Until("carol 1.2.57", "are you there?")
			d.Hides("Mill Lane")
		})
	})
}

// A message goes through the review: S sends it, and enter does not.
func TestAMessageIsReviewedAndSent(t *testing.T) {
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("5")
		d.Until("carol 1.2.57")
		d.Press("n")
		d.Type("nobody-here")
		d.Press("enter")
		d.Until("there is no account")
		d.Press("ctrl+u")
		d.Type("bob-trade")
		d.Press("enter")
		d.Until("To bob-trade 1.2.110", "invoice 88 is paid")
		d.Press("enter")
		d.Shows("write something first")
		d.Type("thank you")
		d.Press("ctrl+j")
		d.Type("until monday")
		d.Press("enter")
		d.Until("Review", "alice 1.2.34 sends a message to bob-trade 1.2.110",
			"▏“thank you", "▏until monday”", "encrypted for its readers")
		d.Wait(time.Second)
		d.Press("enter")
		if w.Paid() != 0 {
			t.Fatal("enter sent the message")
		}
		d.Press("esc")
		d.Shows("until monday")
		d.Press("enter")
		d.Until("Review")
		d.Wait(time.Second)
		d.Press("S")
		d.Wait(20 * time.Second)
		if w.Paid() != 1 {
			t.Fatalf("%d operations were sent:\n%s", w.Paid(), d.Screen())
		}
		d.Press("esc esc 5")
		d.Until("▏“thank you", "▏until monday”")
		if got, err := w.Wallet.Messages.Sent(w.Ctx, "alice", 1); err != nil || len(got) != 1 || got[0].Text != "thank you\nuntil monday" {
			t.Errorf("sent %+v, %v", got, err)
		}
		d.Press("enter")
		d.Type("again")
		d.Press("ctrl+t")
		d.Shows("plain, anyone can read it, for ever")
		d.Press("enter")
		d.Until("Review", "plain, anyone can read it, for ever")
	})
}

// A lock during the review loses no word: the way back is to the conversation.
func TestALockDuringTheReviewKeepsTheMessage(t *testing.T) {
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5")
		d.Until("carol 1.2.57")
		d.Press("enter enter")
		d.Type("see you monday")
		d.Press("enter")
		d.Until("Review")
		d.Press("ctrl+l")
		d.Until("Unlock")
		d.Hides("see you monday")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("[5 Messages", "see you monday")
	})
}

// A private key never leaves the box, and text of others stays text.
func TestWhatIsDangerousIsContained(t *testing.T) {
	var copied []string
	scene := conversationScene()
	scene.Options = tui.Options{Clipboard: func(text string) error { copied = append(copied, text); return nil }}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5 /")
		d.Type("claim")
		d.Press("enter")
		d.Until(`claim your free \x1b[2Jgift\u202e`, "looks like", "plain ▲ anyone can read this")
		if strings.Contains(d.Model.View(), "\u202e") {
			t.Error("the text of others reached the terminal raw")
		}
		d.Press("y 2 esc")
		if len(copied) != 1 || copied[0] != "1.2.112" {
			t.Errorf("copied %q", copied)
		}
		d.Press("enter")
		d.Type(uitest.KeyOf("alice").WIF())
		d.Hides(uitest.KeyOf("alice").WIF())
		d.Press("enter")
		d.Shows("this text contains a private key")
	})
}

// A message that the node refused may have been passed on by it. Until that is known the same text does not go to the same
// account again; everything else does.
func TestARefusedMessageHoldsUpNoOther(t *testing.T) {
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, w *uitest.World) {
		write := func(to, text string) {
			d.Press("esc esc esc 5")
			d.Until("Conversations")
			d.Press("n")
			d.Type(to)
			d.Press("enter")
			d.Until("To " + to)
			d.Press("enter ctrl+u")
			d.Type(text)
			d.Press("enter")
			d.Until("Review", "sends a message to "+to, text)
			d.Wait(time.Second)
		}
		send := func(to, text string) {
			paid := w.Paid()
			write(to, text)
			if d.Press("S"); w.Paid() != paid+1 {
				t.Fatalf("%q to %s was not sent:\n%s", text, to, d.Screen())
			}
			d.Wait(time.Second)
		}
		refused := func(to, text string) {
			paid := w.Paid()
			write(to, text)
			d.Shows("S is off: the same message of", "has an unknown outcome, settled by")
			if d.Press("S"); w.Paid() != paid {
				t.Errorf("%q went to %s again", text, to)
			}
		}
		uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
		send("bob-trade", "first")
		send("bob-trade", "second")
		send("carol", "first")
		refused("bob-trade", "first")
		w.Reopen(func(string) {})
		for _, then := range []func(){
			func() { refused("bob-trade", "first") },
			func() { write("bob-trade", "third"); d.Hides("is off") },
		} {
			w.Look(100, 30, func(again *uitest.Driver) {
				d = again
				d.Until("alice")
				d.Wait(time.Second)
				then()
			})
		}
	})
}

// The recipient of a new message is offered while it is typed, also with a slip in the name, and one that looks like another is doubted once.
func TestMessagesOfferTheRecipient(t *testing.T) {
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Until("5 Messages•")
		d.Press("5")
		d.Until("carol 1.2.57")
		d.Press("n")
		d.Type("aro")
		d.Shows("carol 1.2.57  contact  tab takes it", "caro1")
		d.Press("ctrl+u")
		d.Type("carrol")
		d.Shows("did you mean carol 1.2.57? tab takes it")
		d.Press("enter")
		d.Until("✗", "Did you mean carol?")
		d.Press("tab")
		d.Shows("To  carol", "carol 1.2.57  contact")
		d.Press("ctrl+u")
		d.Type("merchant-7")
		d.Press("enter")
		d.Until("To merchant-7 1.2.111")
	})
	scene := uitest.Scene{Wallet: func(w *uitest.World) {
		_, err := w.Wallet.Contacts.Save(w.Ctx, "carol", "")
		uitest.Must(w.T, err)
	}}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5 n")
		d.Type(uitest.Caro1.Name)
		d.Press("enter")
		d.Until("looks like carol 1.2.57", "writes to caro1 1.2.112")
		d.Press("enter")
		d.Until("TYPE", uitest.Caro1.Name)
		d.Hides("writes to caro1")
		d.Shows("▲ looks like carol")
	})
	save := scene.Wallet
	scene.Wallet = func(w *uitest.World) {
		save(w)
		_, err := w.Send(uitest.Caro1, "1")
		uitest.Must(w.T, err)
		w.Mine()
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, _ *uitest.World) { // one that was paid before is not doubted
		d.Press("5 n")
		d.Type(uitest.Caro1.Name)
		d.Press("enter")
		d.Until("TYPE", "To caro1 1.2.112")
		d.Hides("looks like", "▲")
	})
}

package history_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore/ledgerview"
)

// letters are messages that alice and others wrote each other.
var letters = &uitest.Past{Index: true, Ledger: func(w *uitest.World) {
	write := func(from, to ledgerview.AccountRef, text string, key ledger.PrivateKey) {
		m, err := ledger.NewMessage(from.ID, key, text, map[ledger.AccountID]ledger.PublicKey{to.ID: uitest.KeyOf(to.Name).Public()}, 0)
		uitest.Must(w.T, err)
		data, err := m.Bytes()
		uitest.Must(w.T, err)
		w.Push(&ledger.CustomOp{Payer: from.ID, ID: ledger.MessageID, Data: data})
		w.Mine()
	}
	w.Ago(53 * time.Hour)
	write(uitest.Alice, uitest.Carol, "did the parcel arrive?", uitest.KeyOf(uitest.Alice.Name))
	w.Ago(52 * time.Hour)
	write(uitest.Carol, uitest.Alice, "yes, yesterday", uitest.KeyOf(uitest.Carol.Name))
	w.Ago(30 * time.Hour)
	write(uitest.Caro1, uitest.Alice, "claim your \x1b[2Jgift", ledger.PrivateKey{})
	w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Bob, Amount: 5_00000000})
}}

// Messages are rows of their own kind: who wrote to whom, and what, where the wallet can read it.
func TestMessagesAreRows(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{Past: letters}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Until("message", "← caro1 1.2.112", "→ carol 1.2.57", "did the parcel")
		d.Hides("custom", "\x1b[2J")
		d.Press("/")
		d.Type("type:message")
		d.Press("enter")
		d.Until("3 of 4 rows")
		d.GoldenSizes("messages", uitest.Sizes())
		d.Resize(100, 30)
		d.Press("G")
		d.Until("Text   encrypted to carol, opened with your memo key", "did the parcel arrive?")
		d.Press("ctrl+l esc 2 G")
		d.Until("Text   encrypted, wallet locked")
		d.Hides("parcel", "yesterday")
	})
}

package history_test

import (
	"testing"

	"billfold/tui/uitest"
)

// A word of a memo finds its payment: 2, / and the word.
func TestPaymentIsFoundByAWordOfItsMemo(t *testing.T) {
	scene := ofShop()
	sells := scene.Wallet
	scene.Wallet = func(w *uitest.World) {
		sells(w)
		alice, carol := uitest.KeyOf(uitest.Alice.Name), uitest.KeyOf(uitest.Carol.Name)
		secret := w.Secret(alice, carol.Public(), "Rent May")
		w.Pay(uitest.Transfer{From: uitest.Alice, To: uitest.Carol, Asset: uitest.DCT, Amount: 1, Memo: secret})
	}
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("2")
		d.Find("rent")
		d.Shows("1 of 1,205 rows", "Rent May")
		d.Press("esc esc")
		d.Find("memo:invoice")
		d.Shows("401 of 1,205 rows")
		d.Press("esc esc")
		w.Wallet.Vault.Lock()
		d.Pump()
		d.Press("esc 2") // browse locked
		d.Find("rent")
		d.Shows("locked memos are not searched", "0 of 1,205 rows")
	})
}

func TestMonthIsFiltered(t *testing.T) {
	uitest.Play(t, 100, 30, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Find("since:month dir:in")
		d.Shows("48 of 1,204 rows")
		d.Press("ctrl+c")
		d.Type("since:mnth")
		d.Wait(uitest.FilterPause)
		d.Shows("nearest: month")
	})
}

// A payment that is repeated without its memo, because nobody can read that now, says so.
func TestAMemoThatIsNotRepeatedIsTold(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 b")
		d.Until("rent october")
		d.Hides("not taken over")
		d.Press("esc ctrl+x ctrl+l esc 2 b")
		d.Until("= 240.00000000 DCT", "Its memo was left out: it cannot be read now")
	})
}

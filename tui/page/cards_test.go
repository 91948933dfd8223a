package page_test

import (
	"testing"

	"billfold/tui/uitest"
)

// A contact leads to its card, from there to the card of who registered it, and to the history with it; esc leads back along the way to the row.
func TestEscLeadsBackAlongTheCards(t *testing.T) {
	uitest.Play(t, 80, 24, savedContacts(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("7")
		d.Until("bob-trade", "Registered")
		d.Press("down down")
		d.Until("CHANGED since saved")
		row := focusedRow(d.Screen())
		d.Press("enter")
		d.Shows("Contact card", "merchant-7 1.2.111", "Registered by temp-account")
		d.Press("enter")
		d.Until("Account card", "one signer alone")
		d.Press("b")
		d.Shows("Account card", "Not now: it is no account of this wallet")
		d.Press("h")
		d.Until("Filter / with:merchant-7")
		d.Press("esc")
		d.Until("Account card", "one signer alone")
		d.Press("esc")
		d.Shows("Contact card")
		d.Press("enter")
		d.Until("Account card")
		d.Press("h")
		d.Until("Filter / with:merchant-7")
		d.Press("2 1 2")
		d.Hides("card")
		d.Press("esc")
		d.Shows("[2 History]")
		d.Hides("with:merchant-7")
		d.Press("7 enter")
		d.Shows("Contact card")
		d.Press("esc")
		if got := focusedRow(d.Screen()); got != row {
			t.Errorf("the row in focus is %q, it was %q", got, row)
		}
	})
}

// Enter on what can be spent, approved or changed only shows it: an asset, a token, a proposal, a node.
func TestEnterOpensACard(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: withToken}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("1 enter")
		d.Until("Asset card", "Max supply")
		d.Press("esc 9")
		d.Until("Max supply", "ARTWORKS")
		d.Press("down enter")
		d.Until("Asset card", "Issuer        merchant-7", "esc back")
		d.Shows("s send", "r receive")
		d.Press("down down down down enter")
		d.Until("Account card", "merchant-7 1.2.111")
		d.Press("esc esc tab enter")
		d.Shows("Token card", "1.11.0", "▏“Ticket")
		d.Press("esc =")
		d.Until("in use")
		d.Press("enter")
		d.Shows("Node card", "ws://127.0.0.1:8090", "Latency")
		d.Press("u")
		d.Shows("there is only this node")
		d.Press("x")
		d.Shows("this program has no settings")
	})
	uitest.Play(t, 80, 24, uitest.Scene{Past: familyProposals}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("8")
		d.Until("1.6.0", "▲ you")
		d.Press("down enter")
		d.Shows("Proposal card", "With your approval", "a approve…")
		d.Golden("sign/sign-card80x24")
		d.Press("a")
		d.Until("Review")
		if w.Paid() != 0 {
			t.Error("something was signed")
		}
		d.Press("esc")
		d.Until("Proposals that name")
	})
}

func TestEnterOpensTheCardOfAToken(t *testing.T) {
	uitest.Play(t, 100, 30, rpcScene(drawnRoom()), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("- tab tab tab tab")
		d.Until("shop-till")
		d.Press("enter")
		d.Shows("Token card", "May call", "not restricted", "Last call")
		d.Press("x")
		d.Until("Revoke a token", "Type its name")
	})
}

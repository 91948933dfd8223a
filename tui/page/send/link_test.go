package send_test

import (
	"testing"

	"billfold/tui/uitest"
)

// A payment link that is pasted fills the form, which checks it as if it had been typed.
func TestAPastedLinkFillsTheForm(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, _ func() int) {
		d.Press("3")
		d.Paste("dcore:carol?amount=5&asset=DCT&memo=two%20coffees")
		d.Until("✓ carol", "= 5.00000000 DCT", "two coffees")
		d.Press("ctrl+x")
		d.Paste("dcore:carol?amount=1,5")
		d.Until("✓ carol", "Amount: ")
		d.Press("ctrl+x")
		d.Paste("dcore:carol?amout=5")
		d.Shows(`a part that is not known: "amout"`)
		d.Hides("✓ carol")
	})
}

// A link that is typed is taken over when the field is left.
func TestATypedLinkFillsTheForm(t *testing.T) {
	onBox(t, func(d *uitest.Driver, _ *uitest.World, _ func() int) {
		d.Press("3")
		d.Type("dcore:carol?amount=2.5")
		d.Shows("tab takes over the payment link")
		d.Press("tab")
		d.Until("✓ carol", "= 2.50000000 DCT")
	})
}

// A link is a payment by itself: nothing of another one that was typed is left beside it, nor is the asset of the last payment.
func TestLinkReplacesTheWholeForm(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("bob-trade", "7")
		d.Press("tab ctrl+u")
		d.Type("ALX.GOLD")
		d.Press("tab")
		d.Type("for bob")
		d.Press("shift+tab shift+tab shift+tab ctrl+u")
		d.Paste("dcore:carol?amount=5")
		d.Shows("carol", "DCT")
		d.Hides("for bob", "GOLD", "DCTALX")
	})
}

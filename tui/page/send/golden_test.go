package send_test

import (
	"fmt"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// fillPayment fills the whole form.
func fillPayment(d *uitest.Driver) {
	d.FillPayment()
	d.Press("tab tab")
	d.Type("rent november, thank you")
}

func TestFormLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		fillPayment(d)
		d.GoldenSizes("send", uitest.Sizes())
	})
}

// Each size has a review of its own: what was in view once counts as read.
func TestReviewLooksAsDrawn(t *testing.T) {
	for _, s := range uitest.Sizes() {
		uitest.Play(t, s[0], s[1], uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
			fillPayment(d)
			d.Press("ctrl+s")
			d.Wait(time.Second)
			d.Golden(fmt.Sprintf("review%dx%d", s[0], s[1]))
			if s[0] == 80 {
				d.GoldenMeanings("review80x24")
			}
		})
	}
}

func TestSendingLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("p enter")
		d.GoldenMeanings("unknown80x24")
		d.GoldenSizes("unknown", uitest.Sizes())
	})
}

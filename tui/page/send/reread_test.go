package send_test

import (
	"context"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

// A review says what happened since it was opened, and asks for what that warns of.
func TestReviewIsReadAgainWhileItIsOpen(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5.5")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		d.Hides("same as")
		if _, err := w.Send(uitest.Carol, "5.5"); err != nil {
			t.Fatal(err)
		}
		d.Pump()
		d.Shows("Review", "same as", "New", "type the amount")
		d.Press("tab")
		d.Wait(time.Second)
		if d.Press("S"); w.Paid() != 1 {
			t.Errorf("it was paid again, with a warning that nobody read:\n%s", d.Screen())
		}
		d.Until("ago (1.7.6)")
		d.Wait(time.Second)
		d.Press("tab")
		d.Type("5.5")
		d.Wait(time.Second)
		d.Press("G")
		d.Sure("S")
		d.Until("Sending")
		if w.Paid() != 2 {
			t.Errorf("%d payments were made", w.Paid())
		}
	})
}

// late has something happen once what it built is looked at again.
type late struct {
	send.Payer
	before func()
}

func (l late) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	built, err := l.Payer.Prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	return lateBuilt{built.(screen.Rereader), l.before}, nil
}

type lateBuilt struct {
	screen.Rereader
	before func()
}

// Reread has something happen at the last moment.
func (l lateBuilt) Reread(ctx context.Context, shown txbuild.Review) (screen.Reread, error) {
	l.before()
	return l.Rereader.Reread(ctx, shown)
}

// S signs nothing that is not what was read, whatever happened between the last look and the key.
func TestNothingIsSignedUnderStaleWarnings(t *testing.T) {
	scene := uitest.Rows()
	var world *uitest.World
	paid := 0
	scene.Core = func(c *tui.Core) {
		c.Send.Payer = late{c.Send.Payer, func() {
			if paid++; paid == 1 {
				_, _ = world.Send(uitest.Carol, "5.5")
			}
		}}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		world = w
		d.FillForm("carol", "5.5")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("Not signed: what you read has changed", "same as", "type the amount")
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
		d.Press("esc")
		d.Shows("Send › ", "carol", "5.5")
	})
}

// A review that was opened in a small window is read once it is all on screen.
func TestReviewIsSeenWhenTheWindowGrows(t *testing.T) {
	uitest.Play(t, 40, 12, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5.5")
		d.Press("ctrl+s")
		d.Until("Review")
		d.Wait(time.Second)
		if d.Press("S"); w.Paid() != 0 {
			t.Fatal("it was signed before it was read")
		}
		d.Resize(80, 24)
		d.Screen()
		d.Wait(time.Second)
		if d.Press("S"); w.Paid() != 1 {
			t.Errorf("it is all on screen, and cannot be signed:\n%s", d.Screen())
		}
	})
}

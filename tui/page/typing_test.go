package page_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/page/console"
	"billfold/tui/page/messages"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/txbuild"
)

// slowNode is the delay of a node during which a person types on.
const slowNode = 1500 * time.Millisecond

// slowPayer builds payments by a node that is slow.
type slowPayer struct{ send.Payer }

func (s slowPayer) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	time.Sleep(slowNode)
	return s.Payer.Prepare(ctx, req)
}

// slowWriter builds messages by a node that is slow.
type slowWriter struct{ messages.Writer }

func (s slowWriter) Write(ctx context.Context, req txbuild.MessageParams, plain bool) (screen.Built, error) {
	time.Sleep(slowNode)
	return s.Writer.Write(ctx, req, plain)
}

// slowly is the wallet of alice at a slow node.
func slowly() uitest.Scene {
	return uitest.Scene{Core: func(c *tui.Core) {
		c.Send.Payer, c.Messages.Writer = slowPayer{c.Send.Payer}, slowWriter{c.Messages.Writer}
	}}
}

// typeOn types as fast as a person does.
func typeOn(d *uitest.Driver, text string) {
	for _, r := range text {
		d.Type(string(r))
		d.Wait(200 * time.Millisecond)
	}
}

// What is typed behind ctrl+s stays in the form, opens no review and signs nothing.
func TestWhatIsTypedOnCountsMoreThanTheReview(t *testing.T) {
	uitest.Play(t, 80, 24, slowly(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "0.12")
		d.Press("tab tab ctrl+s")
		d.Shows("building")
		typeOn(d, "thanks you, Sam")
		d.Wait(5 * time.Second)
		d.Shows("thanks you, Sam", "TYPE")
		d.Hides("Review ━", "waiting for the next block")
		d.Press("ctrl+s")
		d.Until("Read back from the bytes", "thanks you, Sam")
		if w.Paid() != 0 {
			t.Error("a letter of the memo signed")
		}
	})
}

// The same of a message.
func TestWhatIsWrittenOnCountsMoreThanTheReview(t *testing.T) {
	uitest.Play(t, 100, 30, slowly(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("carol 1.2.57")
		d.Type("see you")
		d.Press("enter")
		typeOn(d, " there, Sam")
		d.Wait(5 * time.Second)
		d.Shows("see you there, Sam", "TYPE")
		d.Press("enter esc")
		d.Wait(5 * time.Second)
		d.Shows("Conversations")
		d.Hides("Read back from the bytes")
		if w.Paid() != 0 {
			t.Error("a letter of the message signed")
		}
	})
}

// A review that opens under hands that type is deaf until they rest, and takes nothing of a text.
func TestAReviewIsDeafToRunningText(t *testing.T) {
	uitest.Play(t, 80, 24, slowly(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "0.12")
		d.Press("ctrl+s")
		d.Wait(slowNode + 200*time.Millisecond)
		d.Shows("Read back from the bytes")
		typeOn(d, "will pay vera on Saturday, Sam")
		d.Shows("Read back from the bytes", "S is off: read it first")
		d.Hides("JSON again", "Saved unsigned", "proposes")
		if w.Paid() != 0 {
			t.Fatal("a letter signed")
		}
		d.Sure("S")
		d.Until("waiting for the next block")
	})
}

// A review that was given up, or whose form was left, does not wait for the next visit.
func TestAReviewThatWasGivenUpDoesNotWait(t *testing.T) {
	uitest.Play(t, 80, 24, slowly(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("carol", "0.12")
		leave := map[string]func(){
			"esc":   func() { d.Press("esc") },
			"a key": func() { d.Press("esc esc 1 3") },
			"the palette": func() {
				d.Press("ctrl+k")
				d.Type("history")
				d.Press("enter")
				d.Shows("[2 History")
				d.Wait(2 * slowNode)
				d.Press("3")
			},
		}
		for how, out := range leave {
			d.Press("ctrl+s")
			d.Shows("building")
			out()
			if d.Wait(2 * slowNode); strings.Contains(d.Screen(), "Read back from the bytes") {
				t.Fatalf("a review that was left by %s opened:\n%s", how, d.Screen())
			}
			d.Shows("carol", "0.12")
		}
	})
}

// slowLine is a console whose lines take long.
type slowLine struct{ tui.ConsoleShell }

func (s slowLine) Run(ctx context.Context, line string, ask console.Approver) (console.Result, error) {
	time.Sleep(slowNode)
	return s.ConsoleShell.Run(ctx, line, ask)
}

// slowConsole is the console at a slow node.
func slowConsole() uitest.Scene {
	s := consoleScene()
	quick := s.Core
	s.Core = func(c *tui.Core) {
		quick(c)
		c.Console = slowLine{c.Console}
	}
	return s
}

const spends = `transfer alice carol 1.9 DCT "" true`

// The question about a spend does not open over the next line, nor over another page, and no letter answers it.
func TestTheConsoleAsksNobodyWhoTypes(t *testing.T) {
	uitest.Play(t, 100, 30, slowConsole(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("0")
		d.Type(spends)
		d.Press("enter")
		typeOn(d, "list_assets ALX 10")
		d.Shows("alice> list_assets ALX 10", "Your line waits for your yes")
		d.Hides("Approve what you typed")
		d.Press("enter")
		d.Until("Approve what you typed")
		typeOn(d, "list_assets ALX 10")
		if w.Paid() != 0 {
			t.Fatal("a letter of the next line paid")
		}
		d.Sure("X")
		d.Until("you did not agree")
		d.Press("ctrl+u")
		d.Type(spends)
		d.Press("enter esc")
		d.FillForm("bob-trade", "2")
		d.Press("tab tab")
		typeOn(d, "for Anna and Ada")
		d.Shows("for Anna and Ada", "[3 Send")
		d.Hides("Approve what you typed")
		if w.Paid() != 0 {
			t.Fatal("a letter of the memo paid")
		}
		d.Press("esc !")
		d.Until("Approve what you typed", "1.90000000 DCT")
		d.Sure("A")
		d.Until("Approved")
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
	})
}

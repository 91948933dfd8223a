package tui_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/progress"
	"billfold/walletcore"
	"billfold/walletcore/payment"
)

var now = time.Date(2026, 11, 20, 14, 2, 58, 0, time.UTC)

func env() screen.Env {
	return screen.Env{Now: now, Status: walletcore.Status{Daemon: walletcore.DaemonOnline, Head: 120, Irreversible: 103}}
}

func paymentIn(s payment.State) payment.Payment {
	return payment.Payment{
		ID:         ledger.TransactionID{1},
		State:      s,
		Block:      111,
		Prepared:   now,
		Sent:       now,
		InBlock:    now,
		Expiration: ledger.TimeOf(now.Add(30 * time.Second)),
	}
}

// A payment that is not in the journal yet is not called signed, nor unknown while no node answers.
func TestPaymentBeingSignedIsNotCalledSent(t *testing.T) {
	signing := payment.Payment{State: payment.Prepared, Prepared: time.Now()}
	if got := progress.Short(env(), signing).String(); got != "being signed, not sent yet" {
		t.Errorf("it says %q", got)
	}
	away := env()
	away.Status.Daemon = walletcore.DaemonConnecting
	if got := progress.Known(away, signing).State; got != payment.Prepared {
		t.Errorf("without a node its state is %d", got)
	}
}

func TestEveryStateHasASignAndWords(t *testing.T) {
	for s, want := range map[payment.State][2]string{
		payment.Prepared:     {"◐", "being sent"},
		payment.Sent:         {"◐", "waiting for a block"},
		payment.InBlock:      {"◐", "in block #111, irreversible in ~40 s"},
		payment.Irreversible: {"✓", "final in block #111"},
		payment.Unknown:      {"?", "do not send again"},
		payment.Rejected:     {"✗", "nothing was spent"},
		payment.Expired:      {"✗", "nothing was spent"},
	} {
		if got := progress.Sign(s).String(); got != want[0] {
			t.Errorf("state %d has the sign %s", s, got)
		}
		if got := progress.Short(env(), paymentIn(s)).String(); !strings.Contains(got, want[1]) {
			t.Errorf("state %d says %q", s, got)
		}
		if got := progress.Brief(env(), paymentIn(s)).Width(); got > 36 {
			t.Errorf("state %d takes %d cells in brief", s, got)
		}
		if got := len(progress.Steps(env(), paymentIn(s), 80)); got != 4 {
			t.Errorf("state %d has %d steps", s, got)
		}
	}
}

// Bytes that were sent have not necessarily reached a node.
func TestOnlyAnAnswerIsCalledAccepted(t *testing.T) {
	for s := payment.Prepared; s <= payment.Expired; s++ {
		p := paymentIn(s)
		if got := progress.Steps(env(), p, 80)[1].String(); strings.Contains(got, "accepted") {
			t.Errorf("state %d, no answer: %s", s, got)
		}
		p.Taken = true
		settled := s == payment.Sent || s == payment.InBlock || s == payment.Irreversible ||
			s == payment.Expired
		if got := progress.Steps(env(), p, 80)[1].String(); strings.Contains(got, "accepted by the node") != settled {
			t.Errorf("state %d, accepted: %s", s, got)
		}
	}
	p := paymentIn(payment.Expired)
	if got := progress.Steps(env(), p, 80)[1].String(); !strings.HasPrefix(got, "? Sent") || !strings.Contains(got, "no answer") {
		t.Errorf("not included, no answer: %s", got)
	}
}

func TestNothingIsFinalBeforeItIs(t *testing.T) {
	for s := payment.Prepared; s <= payment.Expired; s++ {
		steps := progress.Steps(env(), paymentIn(s), 120)
		done := strings.HasPrefix(steps[3].String(), "✓")
		if done != (s == payment.Irreversible) {
			t.Errorf("state %d: %s", s, steps[3].String())
		}
	}
}

func TestCertaintyNeedsTheIrreversibleBlock(t *testing.T) {
	// 30 s to the expiration, 17 blocks behind and one more, 5 s each
	if got := progress.CertainBy(env(), paymentIn(payment.Unknown)); got != now.Add(120*time.Second) {
		t.Errorf("certain by %v", got)
	}
	away := env()
	away.Status.Daemon = walletcore.DaemonOffline
	if got := progress.Certain(away, paymentIn(payment.Unknown)); got != "settled when a node answers" {
		t.Errorf("without a node: %q", got)
	}
	if _, ok := progress.UntilFinal(screen.Env{}, paymentIn(payment.InBlock)); ok {
		t.Error("a time is shown although the irreversible block is not known")
	}
}

func TestBarsAreWholeCells(t *testing.T) {
	for _, c := range []struct {
		done, total int
		want        string
	}{{0, 18, "░░░░░░░░░░"}, {9, 18, "█████░░░░░"}, {18, 18, "██████████"}, {99, 18, "██████████"}, {-1, 18, "░░░░░░░░░░"}, {1, 0, ""}} {
		if got := progress.Bar(10, c.done, c.total).String(); got != c.want {
			t.Errorf("%d of %d is %q", c.done, c.total, got)
		}
	}
	e, p := env(), paymentIn(payment.InBlock)
	before := -1
	for last := uint32(90); last <= 115; last++ {
		e.Status.Head, e.Status.Irreversible = last+17, last
		done, total := progress.Blocks(e, p)
		if done < before || done > total {
			t.Errorf("at block %d the bar goes from %d to %d of %d", last, before, done, total)
		}
		before = done
	}
}

package progress

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"
)

var now = time.Date(2026, 11, 20, 14, 2, 58, 0, time.UTC)

func env() screen.Env {
	return screen.Env{Now: now, Status: walletcore.Status{Daemon: walletcore.DaemonOnline, Head: 120, Irreversible: 103}}
}

func payment(s walletcore.PaymentState) walletcore.Payment {
	return walletcore.Payment{
		State:      s,
		Block:      111,
		Prepared:   now,
		Sent:       now,
		InBlock:    now,
		Expiration: ledger.TimeOf(now.Add(30 * time.Second)),
	}
}

func TestEveryStateHasASignAndWords(t *testing.T) {
	for s, want := range map[walletcore.PaymentState][2]string{
		walletcore.PaymentPrepared:     {"◐", "being sent"},
		walletcore.PaymentSent:         {"◐", "waiting for a block"},
		walletcore.PaymentInBlock:      {"◐", "in block #111, irreversible in ~40 s"},
		walletcore.PaymentIrreversible: {"✓", "final in block #111"},
		walletcore.PaymentUnknown:      {"?", "do not send again"},
		walletcore.PaymentRejected:     {"✗", "nothing was spent"},
		walletcore.PaymentExpired:      {"✗", "nothing was spent"},
	} {
		if got := Sign(s).String(); got != want[0] {
			t.Errorf("state %d has the sign %s", s, got)
		}
		if got := Short(env(), payment(s)).String(); !strings.Contains(got, want[1]) {
			t.Errorf("state %d says %q", s, got)
		}
		if got := Brief(env(), payment(s)).Width(); got > 36 {
			t.Errorf("state %d takes %d cells in brief", s, got)
		}
		if got := len(Steps(env(), payment(s), 80)); got != 4 {
			t.Errorf("state %d has %d steps", s, got)
		}
	}
}

// That the bytes left is not that a node has them.
func TestOnlyAnAnswerIsCalledAccepted(t *testing.T) {
	for s := walletcore.PaymentPrepared; s <= walletcore.PaymentExpired; s++ {
		p := payment(s)
		if got := Steps(env(), p, 80)[1].String(); strings.Contains(got, "accepted") {
			t.Errorf("state %d, no answer: %s", s, got)
		}
		p.Taken = true
		settled := s == walletcore.PaymentSent || s == walletcore.PaymentInBlock || s == walletcore.PaymentIrreversible ||
			s == walletcore.PaymentExpired
		if got := Steps(env(), p, 80)[1].String(); strings.Contains(got, "accepted by the node") != settled {
			t.Errorf("state %d, taken: %s", s, got)
		}
	}
	p := payment(walletcore.PaymentExpired)
	if got := Steps(env(), p, 80)[1].String(); !strings.HasPrefix(got, "? Sent") || !strings.Contains(got, "no answer") {
		t.Errorf("not included, no answer: %s", got)
	}
}

func TestNothingIsFinalBeforeItIs(t *testing.T) {
	for s := walletcore.PaymentPrepared; s <= walletcore.PaymentExpired; s++ {
		steps := Steps(env(), payment(s), 120)
		done := strings.HasPrefix(steps[3].String(), "✓")
		if done != (s == walletcore.PaymentIrreversible) {
			t.Errorf("state %d: %s", s, steps[3].String())
		}
	}
}

func TestCertaintyNeedsTheIrreversibleBlock(t *testing.T) {
	// 30 s to the expiration, 17 blocks behind and one more, 5 s each
	if got := CertainBy(env(), payment(walletcore.PaymentUnknown)); got != now.Add(120*time.Second) {
		t.Errorf("certain by %v", got)
	}
	away := env()
	away.Status.Daemon = walletcore.DaemonOffline
	if got := Certain(away, payment(walletcore.PaymentUnknown)); got != "settled when a node answers" {
		t.Errorf("without a node: %q", got)
	}
	if _, ok := UntilFinal(screen.Env{}, payment(walletcore.PaymentInBlock)); ok {
		t.Error("a time is given without knowing the irreversible block")
	}
}

func TestBarsAreWholeCells(t *testing.T) {
	for _, c := range []struct {
		done, total int
		want        string
	}{{0, 18, "░░░░░░░░░░"}, {9, 18, "█████░░░░░"}, {18, 18, "██████████"}, {99, 18, "██████████"}, {-1, 18, "░░░░░░░░░░"}, {1, 0, ""}} {
		if got := Bar(10, c.done, c.total).String(); got != c.want {
			t.Errorf("%d of %d is %q", c.done, c.total, got)
		}
	}
	e, p := env(), payment(walletcore.PaymentInBlock)
	before := -1
	for last := uint32(90); last <= 115; last++ {
		e.Status.Head, e.Status.Irreversible = last+17, last
		done, total := Blocks(e, p)
		if done < before || done > total {
			t.Errorf("at block %d the bar goes from %d to %d of %d", last, before, done, total)
		}
		before = done
	}
}

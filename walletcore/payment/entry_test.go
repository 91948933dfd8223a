package payment

import (
	"testing"
	"time"
)

// A payment whose very transaction a block holds as another wallet's is in no block, is not sent again, and says why it waits;
// once that block leaves the chain it goes on as before.
func TestATransactionOfAnotherWalletIsNotThePayment(t *testing.T) {
	for _, c := range []struct {
		state, then State
		waits       bool // it says why, and the journal records that
	}{{Prepared, Prepared, false}, {Sent, Sent, true}, {Unknown, Unknown, true}, {InBlock, Sent, true}, {Rejected, Rejected, false}} {
		e := &entry{resend: true}
		if e.State = c.state; c.state == InBlock {
			e.Block, e.TrxInBlock, e.InBlock = 6, 1, time.Unix(1, 0)
		}
		e.markElsewhere(7)
		if e.State != c.then || e.elsewhere != 7 || e.resend || e.Block != 0 || !e.InBlock.IsZero() || (e.Reason != "") != c.waits || e.changed != c.waits {
			t.Errorf("%s: %+v, in block %d as another's, sent again %t, recorded %t", c.state, e.Payment, e.elsewhere, e.resend, e.changed)
		}
		before := e.Reason
		if e.changed = false; e.isIn(6) || !e.isIn(7) || e.mayResend() {
			t.Errorf("%s: it is in block 6, or not in 7, or is sent again", c.state)
		}
		e.markElsewhere(7)
		if e.changed || e.Reason != before {
			t.Errorf("%s: it is recorded twice", c.state)
		}
		e.leaveBlock("a fork")
		if e.elsewhere != 0 || (e.Reason == "a fork") != c.waits || e.resend != c.waits || e.changed != c.waits {
			t.Errorf("%s, after a fork: %+v, sent again %t, recorded %t", c.state, e.Payment, e.resend, e.changed)
		}
	}
	for _, over := range []State{Irreversible, Expired} {
		e := &entry{}
		e.State = over
		if e.markElsewhere(7); e.elsewhere != 0 || e.State != over {
			t.Errorf("%s is no longer final", over)
		}
	}
}

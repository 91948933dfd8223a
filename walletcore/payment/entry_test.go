package payment

import (
	"encoding/json"
	"testing"
	"time"

	"billfold/walletcore/fault"
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

// The journal keeps the number and name of a daemon's own error, whatever a daemon calls it, in a column of 40 letters.
func TestTheJournalKeepsADaemonsNumber(t *testing.T) {
	for text, c := range map[string]struct {
		code   fault.Code
		daemon string
		again  string
	}{
		"daemon_refused 10 assert_exception":       {fault.DaemonRefused, `{"code":10,"data":{"name":"assert_exception"}}`, `{"code":10,"name":"assert_exception","data":{"name":"assert_exception"}}`},
		"insufficient_balance 10 assert_exception": {fault.InsufficientBalance, `{"code":10,"data":{"name":"assert_exception"}}`, `{"code":10,"name":"assert_exception","data":{"name":"assert_exception"}}`},
		"daemon_refused -7":                        {fault.DaemonRefused, `{"code":-7,"data":{"name":"a name\u0000"}}`, `{"code":-7,"data":{}}`},
		"daemon_refused 9223372036854775807":       {fault.DaemonRefused, `{"code":9223372036854775807,"data":{"name":"a_name_of_many"}}`, `{"code":9223372036854775807,"data":{}}`},
		"daemon_refused":                           {fault.DaemonRefused, `{"message":"no code"}`, ``},
		"file":                                     {fault.File, ``, ``},
		"":                                         {"", `{"code":10}`, ``},
	} {
		kept := codeText(c.code, json.RawMessage(c.daemon))
		code, daemon := parseCode(kept)
		if kept != text || len(kept) > 40 || code != c.code || string(daemon) != c.again {
			t.Errorf("%s %s is kept as %q, and read as %s %s", c.code, c.daemon, kept, code, daemon)
		}
	}
}

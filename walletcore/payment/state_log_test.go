package payment

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Each state of a payment is one line, whatever else changes about it; what a person should look at, and the end of that, is a warning. What
// the journal may still drop has no line.
func TestEachStateOfAPaymentIsOneLine(t *testing.T) {
	var out bytes.Buffer
	l := &list{states: stateLog{log: slog.New(slog.NewTextHandler(&out, nil))}}
	e := &entry{Payment: Payment{ID: ledger.TransactionID{7}}, adding: true}
	want := func(lines string) {
		t.Helper()
		text := strings.ReplaceAll(out.String(), " id="+e.ID.String(), "")
		out.Reset()
		var got []string
		for line := range strings.Lines(text) {
			_, line, _ = strings.Cut(strings.TrimSpace(line), " level=")
			got = append(got, strings.Replace(line, `msg="payment: state changed" `, "", 1))
		}
		if all := strings.Join(got, "; "); all != lines {
			t.Errorf("it says %q, not %q", all, lines)
		}
	}
	l.add(e)
	l.update(e, func(*entry) {})
	want("")
	l.update(e, func(e *entry) { e.adding = false })
	want("INFO state=prepared")
	l.update(e, func(e *entry) {
		e.State, e.Reason, e.code = Unknown, "pay 5 to alice, memo: secret", fault.OutcomeUnknown
	})
	l.update(e, func(e *entry) { e.Reason = "it is still not known" })
	want("WARN state=unknown from=prepared code=outcome_unknown")
	l.update(e, func(e *entry) { e.State, e.code = Sent, "" })
	want("WARN state=sent from=unknown")
	l.update(e, func(e *entry) { e.markInBlock(12, 3, time.Now()) })
	l.update(e, func(e *entry) { e.markInBlock(12, 3, time.Now()) })
	want("INFO state=in_block from=sent block=12")
	l.update(e, func(e *entry) { e.leaveBlock(leftReason) })
	l.update(e, func(e *entry) { e.markInBlock(14, 0, time.Now()) })
	l.conclude(e, func(e *entry) bool { e.State = Irreversible; return true })
	want("INFO state=sent from=in_block; INFO state=in_block from=sent block=14; INFO state=irreversible from=in_block block=14")
	held := &entry{Payment: Payment{ID: e.ID}, adding: true}
	l.hold(held, &fault.Error{Code: fault.OutcomeUnknown})
	want("WARN state=unknown code=outcome_unknown")
	if n := l.states.reached; n[Prepared] != 1 || n[Sent] != 2 || n[InBlock] != 2 || n[Unknown] != 2 || n[Irreversible] != 1 {
		t.Errorf("it counts %v", n)
	}
}

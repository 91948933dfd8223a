package walletapi

import (
	"context"
	"encoding/json"
	"testing"

	"billfold/walletcore"
	"billfold/walletcore/fault"
)

// Whatever spends asks first, with what its bytes say, whether it is broadcast
// or only signed; what is denied is neither signed nor written down.
func TestWhateverSpendsAsksFirst(t *testing.T) {
	s := open(t)
	calls := spendCases(t)
	for _, m := range Methods() {
		call, known := calls[m.Name]
		if known != m.Does(Signs|Spends) {
			t.Errorf("%s touches %s, but is tried here: %v", m.Name, m.Touches, known)
		}
		if !known {
			continue
		}
		for _, broadcast := range []string{"true", "false"} {
			p := call.call(broadcast)
			var shown []walletcore.Review
			p.Agree = func(_ context.Context, r walletcore.Review) error {
				shown = append(shown, r)
				return &fault.Error{Code: fault.Denied, Message: "no"}
			}
			s.refused(fault.Denied, m.Name, p)
			if len(shown) != 1 || shown[0].Sentence != call.sentence || shown[0].From.Name != "alice" || shown[0].Fee <= 0 || len(shown[0].SignsWith) != 1 {
				t.Errorf("%s, broadcast %s: %+v was shown", m.Name, broadcast, shown)
			}
			var payments []json.RawMessage
			must(t, json.Unmarshal([]byte(s.ok("list_payments", "10")), &payments))
			if len(payments) != 0 {
				t.Errorf("%s left %s", m.Name, payments)
			}
		}
	}
}

// What was agreed to is what is signed.
func TestWhatWasAgreedToIsSigned(t *testing.T) {
	s := open(t)
	p := spendCases(t)["transfer"].call("false")
	asked := 0
	var agreed walletcore.Review
	p.Agree = func(_ context.Context, r walletcore.Review) error {
		asked, agreed = asked+1, r
		_, err := s.box.Mine() // time goes on while a person reads
		return err
	}
	out, err := s.api.Call(s.ctx, "transfer", p)
	must(t, err)
	var signed struct{ Operations, Signatures []json.RawMessage }
	must(t, json.Unmarshal(out, &signed))
	var read struct{ Operations []any }
	must(t, json.Unmarshal([]byte(agreed.JSON), &read))
	want, err := json.Marshal(read.Operations)
	must(t, err)
	var got any
	must(t, json.Unmarshal(out, &struct{ Operations *any }{&got}))
	have, err := json.Marshal(got)
	must(t, err)
	if asked != 1 || string(have) != string(want) || len(signed.Signatures) != 1 {
		t.Errorf("asked %d times for\n%s\nsigned\n%s", asked, want, have)
	}
}

package walletapi

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

// Every spend asks for approval first, with a review of what its bytes do, whether it is
// broadcast or only signed. A denied spend is neither signed nor recorded.
func TestEverySpendAsksFirst(t *testing.T) {
	s := furnished(t)
	calls, all := s.spendCases(t), cases(t)
	kept := s.payments()
	for _, m := range Methods() {
		call, known := calls[m.Name]
		if known != m.Does(Spends) && all[m.Name].kind != "later" {
			t.Errorf("%s touches %s, but is tried here: %v", m.Name, m.Touches, known)
		}
		if !known {
			continue
		}
		payer, _, _ := strings.Cut(call.sentence, " ")
		signers, broadcasts := 1, []string{"true", "false"}
		if isOfMiners(m.Name) {
			payer, signers, broadcasts = "miner-account", 0, []string{"false"}
			s.refused(fault.MissingAuthority, m.Name, call.call("true"))
		}
		for _, broadcast := range broadcasts {
			p := call.call(broadcast)
			var shown []txbuild.Review
			p.Approve = func(_ context.Context, r txbuild.Review) error {
				shown = append(shown, r)
				return &fault.Error{Code: fault.Denied, Message: "no"}
			}
			s.refused(fault.Denied, m.Name, p)
			if len(shown) != 1 ||
				shown[0].Sentence != call.sentence ||
				shown[0].From.Name != payer || (shown[0].Fee <= 0) != isFree(m.Name) ||
				len(shown[0].SignsWith) != signers {
				t.Errorf("%s, broadcast %s: %+v was shown", m.Name, broadcast, shown)
			}
			if got := s.payments(); got != kept {
				t.Errorf("%s left %d payments", m.Name, got-kept)
			}
		}
	}
}

// payments returns how many payments the wallet lists.
func (s *fixture) payments() int {
	return strings.Count(s.ok("list_payments", "100"), `"transaction_id"`)
}

// isOfMiners reports whether only the miners can sign and pay for a spend, in a proposal. Such a spend is never sent,
// but approval is asked for even though this wallet adds no signature.
func isOfMiners(name string) bool {
	return name == "create_monitored_asset" || name == "propose_builder_transaction"
}

// isFree reports whether the ledger takes no fee for a spend.
func isFree(name string) bool {
	return slices.Contains([]string{"request_to_buy", "download_content", "leave_rating_and_comment", "content_cancellation", "subscribe_to_author",
		"subscribe_by_author", "set_automatic_renewal_of_subscription"}, name)
}

func TestApprovedOperationsAreSigned(t *testing.T) {
	s := open(t)
	p := s.spendCases(t)["transfer"].call("false")
	asked := 0
	var approved txbuild.Review
	p.Approve = func(_ context.Context, r txbuild.Review) error {
		asked, approved = asked+1, r
		_, err := s.box.Mine() // time goes on while a person reads
		return err
	}
	out, err := s.api.Call(s.ctx, "transfer", p)
	must(t, err)
	var signed struct{ Operations, Signatures []json.RawMessage }
	must(t, json.Unmarshal(out, &signed))
	var read struct{ Operations []any }
	must(t, json.Unmarshal([]byte(approved.JSON), &read))
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

// intent returns what a spend would do, in the words shown to whoever is asked to approve it.
func (s *fixture) intent(name string, p Params) (shown string) {
	s.t.Helper()
	p.Approve = func(_ context.Context, r txbuild.Review) error {
		shown = r.Intent()
		return &fault.Error{Code: fault.Denied, Message: "no"}
	}
	s.refused(fault.Denied, name, p)
	return shown
}

// A dry run of a spend reports what the approval would show. It signs, keeps and
// sends nothing, and nobody is asked.
func TestDryRunDoesNothing(t *testing.T) {
	s := furnished(t)
	kept := s.payments()
	for name, c := range s.spendCases(t) {
		signers, broadcast := 1, "true"
		if isOfMiners(name) {
			signers, broadcast = 0, "false"
		}
		intent := s.intent(name, c.call(broadcast))
		p := c.call(broadcast)
		p.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
		p.Approve = func(context.Context, txbuild.Review) error {
			t.Errorf("%s: somebody was asked", name)
			return nil
		}
		out, err := s.api.Call(s.ctx, name, p)
		must(t, err)
		var reported struct {
			Sentence   string
			Operations []json.RawMessage
			Fee        struct{ Amount int64 }
			SignsWith  []string `json:"signs_with"`
			Balances   []struct {
				Pretty string `json:"pretty_amount"`
			} `json:"balances_after"`
		}
		must(t, json.Unmarshal(out, &reported))
		if reported.Sentence != intent || intent == c.sentence || (reported.Fee.Amount <= 0) != isFree(name) ||
			len(reported.Operations) != 1 || len(reported.SignsWith) != signers || len(reported.Balances) == 0 ||
			strings.Contains(string(out), "signatures") {
			t.Errorf("%s: %s", name, out)
		}
	}
	if got := s.payments(); got != kept {
		t.Errorf("%d payments were kept", got-kept)
	}
	s.refused(fault.BadAmount, "transfer", Params{Positional: positional(`"alice"`, `"bobby"`, `"1,5"`, `"DCT"`, `""`, `true`).Positional,
		Named: map[string]json.RawMessage{"dry_run": json.RawMessage("true")}})
	s.refused(fault.TooManyParameters, "transfer",
		Params{Positional: s.spendCases(t)["transfer"].params, Named: map[string]json.RawMessage{"memo": nil}})
	s.ok("lock")
	p := s.spendCases(t)["transfer"].call("true")
	p.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
	s.refused(fault.Locked, "transfer", p)
}

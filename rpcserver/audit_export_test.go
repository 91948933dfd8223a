package rpcserver_test

import (
	"strings"
	"testing"

	"billfold/rpcserver/audit"
)

const exportOfRent = `{"from":"alice","to":"bobby","amount":"12.25","asset_symbol":"DCT","memo":"a secret memo","broadcast":true,"export":3600}`

// An export for signing elsewhere, keys that a spend makes, and a signature that spends nothing: each needs approval, and the
// question, the answer and the outcome are in the log.
func TestExportsAndSignaturesNeedApprovalAndAreRecorded(t *testing.T) {
	t.Parallel()
	c := newApprovalServer(t, askAll)
	for _, step := range []struct {
		method, params string
		shown          string // in the review, or the sentence
		why            string
		yes, no        string // in the answer
	}{
		{"transfer", exportOfRent, "alice paid 12.25000000 DCT to bobby", "programs have to ask", `"billfold_transaction":1`, "Denied by the owner; nothing was signed"},
		{"create_account_with_brain_key", `["some words of a brain key","newcomer","alice",false]`, "alice registered the account newcomer",
			"programs have to ask; this puts keys into the wallet as well", `"signatures":["`, "Denied by the owner; nothing was signed"},
		{"get_payout_receipt", `["alice","3b1c2e0d","",1,1,[]]`, "sign a receipt of the payout 3b1c2e0d by alice", "programs have to ask", `"result":"`, "Denied by the owner; nothing was done"},
	} {
		for _, yes := range []bool{false, true} {
			answer := c.call(t.Context(), step.method, step.params)
			r := c.waiting(1)[0]
			if r.Review.Sentence+r.Sentence != step.shown || r.Why != step.why {
				t.Errorf("%s: shown is %+v", step.method, r)
			}
			decide, want, story := c.queue.Deny, step.no, "ask deny"
			if yes {
				decide, want, story = c.queue.Approve, step.yes, "ask allow done"
			}
			must(t, decide(r.Number))
			if text := <-answer; !strings.Contains(text, want) {
				t.Errorf("%s: %s", step.method, text)
			}
			list, _ := verifyLog(t, c.log)
			var got []string
			for _, e := range list[len(list)-strings.Count(story, " ")-1:] {
				got = append(got, e.Decision+e.Outcome)
				if e.Method != step.method || strings.Contains(e.What, "secret") {
					t.Errorf("%+v", e)
				}
			}
			if strings.Join(got, " ") != story {
				t.Errorf("%s: %v, want %s", step.method, got, story)
			}
		}
	}
}

// An export that needs no approval is recorded like a spend.
func TestExportIsRecorded(t *testing.T) {
	t.Parallel()
	c := newApprovalServer(t, audit.Rules{Spends: audit.Allow})
	if text := <-c.call(t.Context(), "transfer", exportOfRent); !strings.Contains(text, "billfold_transaction") {
		t.Fatal(text)
	}
	list, _ := verifyLog(t, c.log)
	if len(list) != 2 || list[0].Decision != "allow" || !strings.Contains(list[0].What, "exported for 3600") || list[1].Outcome != "done" {
		t.Errorf("%+v", list)
	}
}

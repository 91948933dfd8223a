package ledger

import "strings"

// intended is a body whose words for what is still to be done are more than those for what was done in another tense.
type intended interface{ intent(n Namer) string }

// Intent returns in words what an operation does once it is signed: "alice pays 12.25000000 DCT to bobby". It is
// Sentence in the present, for what has not happened yet.
func Intent(op Operation, n Namer) string {
	if own, is := op.Body.(intended); is {
		return own.intent(n)
	}
	done := Sentence(op, n)
	if op.Body == nil {
		return done
	}
	words := strings.Split(done, " ") // the first is who does it; a namer may say more of that one
	for i := 1; i < len(words) && words[i] != "no"; i++ {
		if now := present(words[i]); now != "" {
			words[i] = now
			break
		}
	}
	return strings.Join(words, " ")
}

// present is a verb of the sentences in the present; empty for none of them.
func present(verb string) string {
	return map[string]string{
		"allowed": "allows", "approved": "approves", "became": "becomes", "bought": "buys", "burned": "burns", "changed": "changes",
		"commented": "comments", "created": "creates", "delivered": "delivers", "dismissed": "dismisses", "gave": "gives",
		"issued": "issues", "made": "makes", "named": "names", "offered": "offers", "paid": "pays", "proved": "proves",
		"published": "publishes", "rated": "rates", "registered": "registers", "reported": "reports", "sent": "sends", "set": "sets",
		"subscribed": "subscribes", "switched": "switches", "took": "takes", "withdrew": "withdraws", "wrote": "writes",
	}[verb]
}

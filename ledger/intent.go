package ledger

import "strings"

// bodyWithIntent is a body whose intent is not just its sentence in another tense.
type bodyWithIntent interface{ intent(n Namer) string }

// Intent returns in words what an operation will do: "alice pays 12.25000000 DCT to bobby". It is Sentence in the
// present tense, for operations that are not applied yet.
func Intent(op Operation, n Namer) string {
	if body, ok := op.Body.(bodyWithIntent); ok {
		return body.intent(n)
	}
	done := Sentence(op, n)
	if op.Body == nil {
		return done
	}
	words := strings.Split(done, " ") // the first word, or more, names who does it
	for i := 1; i < len(words) && words[i] != "no"; i++ {
		if verb := presentTense(words[i]); verb != "" {
			words[i] = verb
			break
		}
	}
	return strings.Join(words, " ")
}

// presentTense returns a verb of the sentences in the present tense, or "" if the word is not one of them.
func presentTense(verb string) string {
	return map[string]string{
		"allowed": "allows", "approved": "approves", "became": "becomes", "bought": "buys", "burned": "burns", "changed": "changes",
		"commented": "comments", "created": "creates", "delivered": "delivers", "dismissed": "dismisses", "gave": "gives",
		"issued": "issues", "made": "makes", "named": "names", "offered": "offers", "paid": "pays", "proved": "proves",
		"published": "publishes", "rated": "rates", "registered": "registers", "reported": "reports", "sent": "sends", "set": "sets",
		"subscribed": "subscribes", "switched": "switches", "took": "takes", "withdrew": "withdraws", "wrote": "writes",
	}[verb]
}

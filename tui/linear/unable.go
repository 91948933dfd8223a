package linear

import (
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/page/send"
	"billfold/tui/screen"
)

// unable returns why no payment can be made now, or nil.
func unable(env screen.Env) error {
	why := send.Unable(env)
	if why == "" {
		return nil
	}
	r := &Refusal{What: why, Money: "nothing was sent.", Next: "try again when node shows that one answers.", Code: Refused}
	if env.Status.JournalFault != "" {
		r.What, r.Next = sentence(format.Clean(env.Status.JournalFault)), advice.Journal
	} else if !env.Online() {
		r.What = "No node answers: a payment cannot be built now."
	}
	if !env.Online() {
		r.Code = NoDaemon
	}
	return r
}

package ledgerview

import (
	"fmt"
	"time"

	"billfold/walletcore/fault"
)

// Sources of what is not the word of a daemon.
const (
	keyFile       = "the key file"
	historySource = "the history of this wallet's accounts"
)

// said is a statement, and who made it when.
type said struct {
	what, source string
	since        time.Time
}

// contradicts makes the error of a daemon that says something else than was said
// before. forget is what a person writes to have the pin forgotten.
func contradicts(now, was said, rule, forget string) *fault.Error {
	known := was.what + " on every chain of this kind"
	hint := "nothing was signed; use another daemon (--daemon-url)"
	switch {
	case was.source == keyFile:
		known = was.what + " by the key file of this wallet"
	case was.source == historySource:
		known = was.what + " by " + historySource
		hint += "; if that was read from a daemon that lied: billfold pins forget " + forget
	case was.source != "":
		known = fmt.Sprintf("%s by what %s said on %s", was.what, fault.Address(was.source), was.since.UTC().Format("2006-01-02 15:04 UTC"))
		hint += "; if what was said first is wrong: billfold pins forget " + forget
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: "check", Hint: hint,
		Message: fmt.Sprintf("the daemon at %s says that %s, but %s; %s", fault.Address(now.source), now.what, known, rule)}
}

package ledgerview

import (
	"fmt"
	"time"

	"billfold/walletcore/fault"
)

// Sources of pins other than daemons.
const (
	keyFile       = "the key file"
	historySource = "the history of this wallet's accounts"
)

// statement is what a source said, and when.
type statement struct {
	what, source string
	since        time.Time
}

// contradictionFault returns the error for a daemon that contradicts an earlier statement.
// rule is why both cannot be true. forget is the argument of billfold pins forget that
// removes the pin.
func contradictionFault(now, was statement, rule, forget string) *fault.Error {
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

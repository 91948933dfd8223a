// Package advice turns an error of the core into what a person reads: what happened, and which key continues. The advice for each
// kind of error is in the table of package fault.
package advice

import (
	"errors"
	"strings"

	"billfold/tui/format"
	"billfold/walletcore/content"
	"billfold/walletcore/fault"
)

// Of returns what happened and what to do next. Both are safe to show.
func Of(err error) (what, next string) {
	if err == nil {
		return "", ""
	}
	row, _ := fault.RowOf(fault.CodeOf(err))
	next = row.Advice
	var e *fault.Error
	var user interface{ OfUser() bool }
	if errors.As(err, &user) && user.OfUser() && !errors.As(err, &e) {
		return format.Clean(err.Error()), "" // it says what to type instead
	}
	if errors.As(err, &e) {
		switch {
		case e.DiskFull():
			next = "Make room on that disk and try again. Nothing was sent."
		case e.Journal:
			next = Journal
		case e.Code == fault.File && e.Hint != "", // the file was read, and says itself what is wrong with it
			strings.HasSuffix(e.Hint, content.NoRefund):
			next = strings.ToUpper(e.Hint[:1]) + format.Clean(e.Hint[1:]) + "."
		case e.Code == fault.DaemonContradicts && strings.Contains(e.Hint, forgetPins): // the hint names what to forget
			next = strings.ToUpper(e.Hint[:1]) + format.Clean(e.Hint[1:]) + "."
		}
		if meant := fault.MeantBy(err); meant != "" {
			next = "Did you mean " + format.Clean(meant) + "?"
		}
		return format.Clean(e.Message), next
	}
	return format.Clean(err.Error()), next
}

// forgetPins is the command to run if what was pinned is wrong.
const forgetPins = "billfold pins forget"

// Journal is the advice while the payment journal is not the wallet's own.
const Journal = "Nothing was sent. Run billfold journal status: it says how to go on."

// Sentence returns what happened and what to do next, as sentences in one line.
func Sentence(err error) string {
	what, next := Of(err)
	if what != "" && !strings.ContainsAny(what[len(what)-1:], ".!?") {
		what += "."
	}
	return strings.TrimSpace(what + " " + next)
}

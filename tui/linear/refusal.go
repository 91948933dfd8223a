package linear

import (
	"errors"
	"strings"

	"billfold/tui/advice"
	"billfold/walletcore/fault"
)

// The exit codes of a run.
const (
	Done     = 0
	Refused  = 1
	Misused  = 2
	Unknown  = 3
	IsLocked = 4
	NoDaemon = 5
)

// The ways to leave a question. They are not shown as errors.
var (
	errBack = errors.New("one step back")
	errStop = errors.New("the form was left")
	errQuit = errors.New("quit")
	errLock = errors.New("the wallet was locked here")
	errWait = errors.New("the wallet was locked here, and the form waits for its password")
	errOver = errors.New("the input has ended")
)

// Refusal says why something was not done: what happened, whether money moved, what to type next.
type Refusal struct {
	What, Money, Next string
	Code              int

	said bool // it was printed
}

// Error implements error.
func (r *Refusal) Error() string { return r.What }

const untouched = "not affected."

// misuse refuses what was typed because it is wrong here.
func misuse(what, next string) error {
	return &Refusal{What: what, Money: untouched, Next: next, Code: Misused}
}

// refuse refuses what cannot be done now.
func refuse(what, next string) error {
	return &Refusal{What: what, Money: untouched, Next: next, Code: Refused}
}

// refusalOf returns an error of the wallet as a refusal.
func refusalOf(err error) *Refusal {
	var said *Refusal
	if errors.As(err, &said) {
		return said
	}
	what, next := advice.Of(err)
	out := &Refusal{What: withStop(what), Money: untouched, Next: keysInWords.Replace(next), Code: codeOf(err)}
	if out.Code == Unknown {
		out.Money = "the payment may still go through. Do not send again."
	}
	return out
}

// checkNodes is the advice on how to call the nodes at once; outsidePages replaces it.
const checkNodes = "node check tries now"

// keysInWords replaces the keys that advice names with words.
var keysInWords = strings.NewReplacer("Press ? for all keys", "Type help", "ctrl+r tries now", checkNodes)

// sentence adds a full stop and a capital, unless the first word is a name such as max-fee or a path.
func sentence(text string) string {
	if text == "" {
		return text
	}
	if first, _, _ := strings.Cut(text, " "); strings.ContainsAny(first, "-_/.~") {
		return withStop(text)
	}
	return withStop(strings.ToUpper(text[:1]) + text[1:])
}

// withStop adds a full stop to a text that is not empty.
func withStop(text string) string {
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// codeOf returns the exit code for an error of the wallet.
func codeOf(err error) int {
	var e *fault.Error
	if errors.As(err, &e) && e.Unsettled {
		return Unknown
	}
	switch code := fault.CodeOf(err); {
	case code == fault.OutcomeUnknown:
		return Unknown
	case code == fault.Locked, code == fault.WrongPassword:
		return IsLocked
	case code == fault.DaemonAway:
		return NoDaemon
	case code.IsMisuse():
		return Misused
	}
	return Refused
}

func isRefusal(err error) bool {
	var r *Refusal
	return errors.As(err, &r)
}

func isFault(err error) bool {
	var f *fault.Error
	return errors.As(err, &f)
}

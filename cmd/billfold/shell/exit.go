package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"billfold/walletcore/fault"
)

// The exit codes of the program; docs/shell.md lists them.
const (
	Done     = 0
	Refused  = 1 // whatever has no code of its own: nothing was done, or the ledger or the wallet said no
	Misused  = 2 // a command, flag, operation or parameter that there is not
	Unknown  = 3 // a payment may have happened: look it up, do not repeat it
	IsLocked = 4
	NoDaemon = 5
)

// misuse is an error of who typed.
type misuse struct{ error }

// Unwrap returns the cause.
func (m misuse) Unwrap() error { return m.error }

// OfUser reports that the error is no fault of the program.
func (m misuse) OfUser() bool { return true }

// Misuse marks an error as one of who typed; nil stays nil.
func Misuse(err error) error {
	if err == nil {
		return nil
	}
	return misuse{err}
}

// Unreadable is the error of a file that somebody named and that cannot be opened or read; what says which one it is.
func Unreadable(what, path string, err error) error {
	info, failed := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Misuse(fmt.Errorf("there is no %s %s; check its path", what, path))
	case failed == nil && info.IsDir():
		return Misuse(fmt.Errorf("%s is a folder; name the %s in it", path, what))
	}
	return Misuse(fmt.Errorf("the %s cannot be read: %w", what, err))
}

// Said is how a run ended that has told its person why.
type Said struct{ Code int }

// Error implements error.
func (s Said) Error() string { return "the run ended as it said" }

// ExitCode returns how a program ends with err.
func ExitCode(err error) int {
	if err == nil {
		return Done
	}
	if said, ok := errors.AsType[Said](err); ok {
		return said.Code
	}
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Unsettled {
		return Unknown
	}
	if _, wrong := errors.AsType[misuse](err); wrong {
		return Misused
	}
	switch code := fault.CodeOf(err); {
	case code == fault.OutcomeUnknown:
		return Unknown
	case code.IsMisuse():
		return Misused
	case code == fault.Locked, code == fault.WrongPassword:
		return IsLocked
	case code == fault.DaemonAway:
		return NoDaemon
	}
	return Refused
}

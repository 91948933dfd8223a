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
	Refused  = 1 // all other errors: nothing was done, or the ledger or the wallet refused
	Misused  = 2 // an unknown or wrong command, flag, operation or parameter
	Unknown  = 3 // a payment may have happened: look it up, do not repeat it
	IsLocked = 4
	NoDaemon = 5
)

// misuse marks an error as one of the user.
type misuse struct{ error }

// Unwrap returns the cause.
func (m misuse) Unwrap() error { return m.error }

// OfUser returns true: the error is the user's, not a fault of the program.
func (m misuse) OfUser() bool { return true }

// Misuse marks an error as one of the user. A nil error stays nil.
func Misuse(err error) error {
	if err == nil {
		return nil
	}
	return misuse{err}
}

// IsMisuse reports whether an error is one of the user.
func IsMisuse(err error) bool {
	_, is := errors.AsType[misuse](err)
	return is
}

// Unreadable returns the error for a file that the user named and that cannot be opened or read. what names the kind of file.
func Unreadable(what, path string, err error) error {
	info, failed := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Misuse(fmt.Errorf("there is no %s %s; check its path", what, path))
	case errors.Is(err, errStopped), errors.Is(err, os.ErrDeadlineExceeded):
		return Misuse(fmt.Errorf("stopped while the %s %s was read; nothing was done", what, path))
	case failed == nil && info.IsDir():
		return Misuse(fmt.Errorf("%s is a folder; name the %s in it", path, what))
	}
	return Misuse(fmt.Errorf("the %s cannot be read: %w", what, err))
}

// Reported is the error of a run that has reported its failure to the person already.
type Reported struct{ Code int }

// Error implements error.
func (s Reported) Error() string { return "the run ended as it said" }

// ExitCode returns the exit code of a program that ends with err.
func ExitCode(err error) int {
	if err == nil {
		return Done
	}
	if said, ok := errors.AsType[Reported](err); ok {
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
	case code == fault.Locked, code == fault.WrongPassword, code == fault.NoPassword: // a server's number for the last two is the same
		return IsLocked
	case code == fault.DaemonAway:
		return NoDaemon
	}
	return Refused
}

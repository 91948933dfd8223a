package content

import (
	"context"
	"errors"
	"unicode"
	"unicode/utf8"

	"billfold/content/archive"
	"billfold/walletcore/fault"
)

// packageFault returns an error of a package as one of the wallet.
func packageFault(op string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &fault.Error{Code: fault.Canceled, Op: op, Message: op + " was canceled", Hint: "nothing is left of it", Err: err}
	}
	if own, is := errors.AsType[*fault.Error](err); is {
		return own
	}
	e := &fault.Error{Code: fault.File, Op: op, Message: err.Error(), Hint: fault.MakeRoom, Err: err}
	known, is := errors.AsType[*archive.Error](err)
	if !is {
		return e
	}
	e.Message, e.Hint = lowerFirst(known.Message), known.Hint
	for kind, code := range map[error]fault.Code{
		archive.ErrSource: fault.BadValue, archive.ErrKey: fault.BadValue, archive.ErrExists: fault.BadValue, archive.ErrNotFound: fault.NoSuchPackage,
		archive.ErrName: fault.PackageState, archive.ErrDamaged: fault.PackageState, archive.ErrHash: fault.PackageState,
		archive.ErrLimit: fault.PackageState, archive.ErrBusy: fault.PackageState,
	} {
		if errors.Is(known, kind) {
			e.Code = code
		}
	}
	return e
}

// lowerFirst returns a sentence as the wallet's errors begin.
func lowerFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:]
}

package content

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"billfold/content/archive"
	"billfold/ledger"
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

// unpaid returns an error that comes before a payment with that in its hint.
func unpaid(err error) error {
	e, own := errors.AsType[*fault.Error](err)
	if !own || strings.Contains(e.Hint, "nothing was paid") {
		return err
	}
	said := *e
	if said.Err = err; errors.Is(err, archive.ErrRoom) {
		said.Hint = "make room there, extract to another disk, or have packages kept on another one with --packages-path"
	}
	said.Hint = "nothing was paid; " + said.Hint
	return &said
}

// NoRefund ends the hint of Unopened.
const NoRefund = "nothing gives the price back; ask the author"

// Unopened returns the error of content that was bought, as id, and that its buyer cannot open, whatever they do; e is why: fault.BadValue for a key
// that does not fit, fault.KeyParts for parts that make none, fault.PackageState for a package that is not as it should be.
func Unopened(id ledger.BuyingID, e *fault.Error) *fault.Error {
	whose := "its author published it so"
	switch e.Code {
	case fault.BadValue:
		whose = "the key that its seeders delivered does not fit what its author published"
	case fault.KeyParts:
		whose = "what its seeders delivered, or its author published, is no key"
	}
	return &fault.Error{Code: fault.PackageState, Op: e.Op, Message: "the content was bought and paid, as " + id.String() + ", and cannot be opened: " + e.Message,
		Hint: whose + ", and " + NoRefund, Err: e}
}

// OpenFault returns the error of an extraction with the key of a purchase: Unopened where neither the folder nor this machine's copy of the package is
// at fault, and err as it is otherwise.
func OpenFault(bought *ledger.Buying, err error) error {
	e, own := errors.AsType[*fault.Error](err)
	if !own || bought == nil {
		return err
	}
	isOf := func(kind error) bool { return errors.Is(err, kind) }
	published := []error{archive.ErrKey, archive.ErrName, archive.ErrDamaged, archive.ErrLimit}
	if e.Code == fault.KeyParts && len(bought.KeyParticles) > 0 || slices.ContainsFunc(published, isOf) {
		return Unopened(bought.ID, e)
	}
	return err
}

// lowerFirst returns a sentence as the wallet's errors begin.
func lowerFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:]
}

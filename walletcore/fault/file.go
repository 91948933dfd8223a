package fault

import (
	"errors"
	"fmt"
	"math"
	"time"

	"billfold/keystore"
	"billfold/ledger/usertext"
)

// KeyFile turns an error of the keystore into an Error; keystore messages name the file.
func KeyFile(op string, err error) *Error {
	e := &Error{Code: File, Op: op, Message: err.Error(), Err: err}
	if own, is := errors.AsType[*keystore.Error](err); is && own.Error() == e.Message { // nothing around it says more than it does
		e.Message, e.Hint = own.Message, own.Hint
	}
	switch {
	case errors.Is(err, keystore.ErrWrongPassword):
		e.Code, e.Message, e.Hint = WrongPassword, "that is not the password of this wallet", "try again; capital letters count"
		if encoding, is := errors.AsType[*usertext.EncodingError](err); is {
			e.Hint = encoding.Error()
		}
	case errors.Is(err, keystore.ErrTooMany):
		e.Code, e.Hint = TooManyTries, "wait, then type the correct password"
		e.Message = fmt.Sprintf("too many wrong passwords: try again in %.0f s", math.Ceil(RetryIn(err).Seconds()))
	case errors.Is(err, keystore.ErrEmptyPassword):
		e.Code, e.Message, e.Hint = EmptyPassword, "a password must not be empty", "choose one you can remember"
	case errors.Is(err, keystore.ErrUnseen):
		e.Code = BadValue
		if why, is := errors.AsType[*keystore.Error](err); is {
			e.Message, e.Hint = why.Message, why.Hint
		}
	case errors.Is(err, keystore.ErrLocked):
		return WalletLocked(op)
	case errors.Is(err, keystore.ErrChain):
		e.Code = WrongChain
	}
	return e
}

// WalletLocked returns the error of an operation that needs keys while the wallet is locked.
func WalletLocked(op string) *Error {
	return &Error{Code: Locked, Op: op, Message: "the wallet is locked", Hint: "unlock it first: call unlock with its password"}
}

// NoWallet returns the error of an operation that needs keys before a wallet was created; to programs it counts as locked.
func NoWallet(op string) *Error {
	return &Error{Code: Locked, Op: op, Message: "there is no wallet yet", Hint: "make one first: call set_password with its password"}
}

// PasswordHeldBack returns the error of a password that is not tried before wait has passed.
func PasswordHeldBack(op string, wait time.Duration) *Error {
	return KeyFile(op, &keystore.Error{Kind: keystore.ErrTooMany, Wait: wait})
}

// RetryIn returns how long an error of TooManyTries asks to wait; 0 for others.
func RetryIn(err error) time.Duration {
	if refused, ok := errors.AsType[*keystore.Error](err); ok {
		return refused.Wait
	}
	return 0
}

// Store returns the error of a store that cannot be read or written while a payment is being checked.
func Store(err error) *Error {
	return &Error{Code: File, Op: "check", Message: Public(err), Err: err,
		Hint: Advice(err, MakeRoom) + "; nothing was signed"}
}

// Public returns the text of err for callers. An error of a database, which names addresses and its role, has one without them.
func Public(err error) string {
	type public interface {
		error
		Public() string
	}
	if e, is := errors.AsType[public](err); is {
		return e.Public()
	}
	return err.Error()
}

// MakeRoom is the advice for a file of the wallet that cannot be written.
const MakeRoom = "free some disk space, or correct the folder's permissions"

// Advice returns what err, or an error that it wraps, says to do next; otherwise if neither says anything.
func Advice(err error, otherwise string) string {
	type adviser interface {
		error
		Advice() string
	}
	if e, is := errors.AsType[adviser](err); is {
		return e.Advice()
	}
	return otherwise
}

// Own returns err unchanged if it is an Error, otherwise as an error of the key file.
func Own(op string, err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	return KeyFile(op, err)
}

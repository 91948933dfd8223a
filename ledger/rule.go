package ledger

import (
	"errors"
	"fmt"
)

// maxDescription is the longest description, in bytes (docs/protocol/serialization.md 2).
const maxDescription = 1000

// check returns the first error, or nil.
func check(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func require(ok bool, text string) error {
	if ok {
		return nil
	}
	return errors.New(text)
}

func positive(what string, a AssetAmount) error {
	return require(a.Amount > 0, what+" must be more than zero")
}

func validDescription(text string) error {
	return require(len(text) <= maxDescription, fmt.Sprintf("a description has at most %d bytes", maxDescription))
}

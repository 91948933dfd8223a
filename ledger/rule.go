package ledger

import (
	"errors"
	"fmt"
)

// maxDescription is the most bytes of a description (protocol/serialization.md 2).
const maxDescription = 1000

// check returns the first fault, or nil.
func check(faults ...error) error {
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func require(ok bool, fault string) error {
	if ok {
		return nil
	}
	return errors.New(fault)
}

func positive(what string, a AssetAmount) error {
	return require(a.Amount > 0, what+" must be more than zero")
}

func describable(text string) error {
	return require(len(text) <= maxDescription, fmt.Sprintf("a description has at most %d bytes", maxDescription))
}

// Package faulttest checks the errors of the wallet in tests.
package faulttest

import (
	"errors"
	"testing"

	"billfold/walletcore/fault"
)

// Refused returns err as the wallet's own error. The test ends if it does not have this code,
// or does not say in words what was refused.
func Refused(t testing.TB, err error, code fault.Code) *fault.Error {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an error of code %s", err, code)
	}
	if e.Code != code || e.Message == "" || e.Op == "" {
		t.Fatalf("got %s of %q: %s, want %s", e.Code, e.Op, e.Message, code)
	}
	return e
}

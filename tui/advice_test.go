package tui_test

import (
	"errors"
	"testing"

	"billfold/tui/advice"
	"billfold/walletcore/fault"
)

func TestErrorsAreClean(t *testing.T) {
	what, next := advice.Of(&fault.Error{Code: fault.DaemonAway, Message: "no answer \x1b[2J"})
	if what != `no answer \x1b[2J` || next == "" {
		t.Errorf("%q, %q", what, next)
	}
	if what, _ := advice.Of(errors.New("bell\a")); what != `bell\x07` {
		t.Errorf("%q", what)
	}
	if what, next := advice.Of(nil); what+next != "" {
		t.Error("no error has advice")
	}
}

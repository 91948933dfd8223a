package advice

import (
	"errors"
	"testing"

	"billfold/walletcore"
)

func TestEveryCodeHasAdvice(t *testing.T) {
	for _, code := range walletcore.Codes() {
		if next, ok := Next(code); !ok || next == "" {
			t.Errorf("%s has no advice", code)
		}
	}
}

func TestErrorsAreClean(t *testing.T) {
	what, next := Of(&walletcore.Error{Code: walletcore.CodeDaemonAway, Message: "no answer \x1b[2J"})
	if what != `no answer \x1b[2J` || next == "" {
		t.Errorf("%q, %q", what, next)
	}
	if what, _ := Of(errors.New("bell\a")); what != `bell\x07` {
		t.Errorf("%q", what)
	}
	if what, next := Of(nil); what+next != "" {
		t.Error("no error has advice")
	}
}

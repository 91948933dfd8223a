package contentrun

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/fault"
)

// A wallet that goes away after something was begun leaves its outcome unknown; any other error is told as it is.
func TestErrorsAfterTheBeginning(t *testing.T) {
	gone := &fault.Error{Code: fault.Canceled, Message: "the wallet server cannot be reached", Hint: "nothing was done"}
	if err := begunError(gone, "it is paid"); shell.ExitCode(err) != shell.Unknown || strings.Contains(err.Error(), "nothing was done") {
		t.Errorf("%v, exit code %d", err, shell.ExitCode(err))
	}
	for _, err := range []error{nil, context.Canceled, errors.New("no room"), &fault.Error{Code: fault.Denied, Message: "no"},
		&fault.Error{Code: fault.Canceled, Message: "it was canceled", Hint: "look at the list", Unsettled: true}} {
		if got := begunError(err, "it is paid"); !errors.Is(got, err) || fmt.Sprint(got) != fmt.Sprint(err) {
			t.Errorf("%v became %v", err, got)
		}
	}
}

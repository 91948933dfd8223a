package contentrun

import (
	"context"
	"errors"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/fault"
)

// What a publication costs is read from the operations of its review, whatever else is made anew each time.
func TestTermsOfAPublication(t *testing.T) {
	const form = `[[20,{"fee":{"amount":0,"asset_id":"1.3.0"},"size":SIZE,"author":"1.2.16","co_authors":[],"URI":"ipfs:x","quorum":0,"price":[],` +
		`"hash":"0000000000000000000000000000000000000000","seeders":[],"key_parts":[],"expiration":"2027-01-01T00:00:00","publishing_fee":{"amount":FEE,"asset_id":"1.3.0"},"synopsis":"x"}]]`
	of := func(size, fee string) terms {
		t.Helper()
		got, err := termsOf([]byte(strings.NewReplacer("SIZE", size, "FEE", fee).Replace(form)))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if shown := of("1", "90"); shown != (terms{90, 1}) || shown == of("4", "90") || shown == of("1", "91") {
		t.Errorf("%+v", shown)
	}
	if _, err := termsOf([]byte(`{}`)); err == nil {
		t.Error("no operations, and no error")
	}
}

// A wallet that goes away after something was begun leaves its outcome unknown; any other error is told as it is.
func TestErrorsAfterTheBeginning(t *testing.T) {
	gone := &fault.Error{Code: fault.Canceled, Message: "the wallet server cannot be reached", Hint: "nothing was done"}
	if err := begunError(gone, "it is paid"); shell.ExitCode(err) != shell.Unknown || strings.Contains(err.Error(), "nothing was done") {
		t.Errorf("%v, exit code %d", err, shell.ExitCode(err))
	}
	for _, err := range []error{nil, context.Canceled, errors.New("no room"), &fault.Error{Code: fault.Denied, Message: "no"},
		&fault.Error{Code: fault.Canceled, Message: "it was canceled", Hint: "look at the list", Unsettled: true}} {
		if got := begunError(err, "it is paid"); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}

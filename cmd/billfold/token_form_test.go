package main

import (
	"strings"
	"testing"

	"billfold/tui/page/rpc"
)

// The error for a policy names the field and quotes all that was typed in it.
func TestPolicyErrorNamesTheField(t *testing.T) {
	for want, p := range map[string]rpc.Policy{
		`per payment: "1,000 DCT" is not a limit`:               {May: "all", PerPayment: "1,000 DCT"},
		`per day: "1" is not a limit`:                           {May: "all", PerDay: "1"},
		`ask above: "x DCT" is not a limit`:                     {May: "all", AskAbove: "5 GOLD, x DCT"},
		`expires: "yesterday" is not a time; write it like 90d`: {May: "all", Expires: "yesterday"},
		`per payment: 500 DCT is more than the 100 DCT per day`: {May: "all", PerPayment: "5 GOLD, 500 DCT", PerDay: "100 DCT"},
	} {
		_, err := scopeOf(p)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "--") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := scopeOf(rpc.Policy{May: "all", PerPayment: "50 DCT, 5 GOLD", PerDay: "50 DCT"}); err != nil {
		t.Error(err)
	}
}

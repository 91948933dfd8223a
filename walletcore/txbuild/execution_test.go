package txbuild

import (
	"reflect"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// A change of control is shown at its worst: of two orders of execution, the one after which the keys here suffice no more, others'
// suffice too, or nobody's are needed. Each account and role, and each authority that it may end with, is a change of its own.
func TestOfTwoOrdersTheWorseIsShown(t *testing.T) {
	to := func(name string) ledger.Authority {
		return ledger.SingleKeyAuthority(ledger.DeriveKey(name, 0).Public())
	}
	base := Control{Account: ledgerview.AccountRef{ID: 16}, Role: "active", Here: true, next: to("a")}
	with := func(change func(*Control)) Control {
		c := base
		change(&c)
		return c
	}
	lost := with(func(c *Control) { c.Here = false })
	shared := with(func(c *Control) { c.Others = true })
	free := with(func(c *Control) { c.Others, c.Anybody = true, true })
	lostAndShared := with(func(c *Control) { c.Here, c.Others = false, true })
	account := with(func(c *Control) { c.Account.ID = 17 })
	role := with(func(c *Control) { c.Role = "owner" })
	next := with(func(c *Control) { c.next = to("b") })
	for what, c := range map[string]struct{ have, by, want []Control }{
		"nothing":                  {nil, nil, nil},
		"a new one":                {nil, []Control{base}, []Control{base}},
		"the same":                 {[]Control{base}, []Control{base}, []Control{base}},
		"lost":                     {[]Control{base}, []Control{lost}, []Control{lost}},
		"kept":                     {[]Control{lost}, []Control{base}, []Control{lost}},
		"shared":                   {[]Control{base}, []Control{shared}, []Control{shared}},
		"not shared":               {[]Control{shared}, []Control{base}, []Control{shared}},
		"lost and shared":          {[]Control{lost}, []Control{lostAndShared}, []Control{lostAndShared}},
		"shared and not lost":      {[]Control{lost}, []Control{shared}, []Control{lost}},
		"shared, then anybody's":   {[]Control{shared}, []Control{free}, []Control{free}},
		"lost where it was shared": {[]Control{shared}, []Control{lost}, []Control{lost}},
		"another account":          {[]Control{base}, []Control{account}, []Control{base, account}},
		"another role":             {[]Control{base}, []Control{role}, []Control{base, role}},
		"another authority":        {[]Control{base}, []Control{next}, []Control{base, next}},
		"the second of two":        {[]Control{account, base}, []Control{lost}, []Control{account, lost}},
	} {
		r := Review{Control: c.have}
		if r.takeWorse(c.by); !reflect.DeepEqual(r.Control, c.want) {
			t.Errorf("%s: %+v, want %+v", what, r.Control, c.want)
		}
	}
}

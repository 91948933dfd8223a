package daemonclient

import (
	"testing"
)

func TestRemoteErrorMarks(t *testing.T) {
	stack := func(format string) string {
		return `{"code":10,"message":"10 assert_exception: Assert Exception","data":{"code":10,"name":"assert_exception","stack":[{"format":"` + format + `","data":{"now":"2026-11-20T10:44:06"}},{"format":"","data":{}}]}}`
	}
	for _, test := range []struct {
		format, reason string
		is             func(*RemoteError) bool
	}{
		{"(skip & skip_transaction_dupe_check) || trx_idx.find(trx_id) == trx_idx.end(): ", "Assert Exception", (*RemoteError).IsDuplicate},
		{"now <= trx.expiration: expired at ${now}, ${unknown}", "expired at 2026-11-20T10:44:06, ${unknown}", (*RemoteError).IsExpired},
		{"trx.expiration <= now + chain_parameters.maximum_time_until_expiration: ", "Assert Exception", (*RemoteError).IsExpirationTooFar},
		{"trx.ref_block_prefix == tapos_block_summary.block_id._hash[1]: ", "Assert Exception", (*RemoteError).IsTaPoS},
		{"sufficient_balance: Insufficient Balance: 0", "Insufficient Balance: 0", (*RemoteError).IsInsufficientBalance},
	} {
		e := newRemoteError("broadcast_transaction", []byte(stack(test.format)))
		if !test.is(e) || e.Reason() != test.reason || e.Name != "assert_exception" {
			t.Errorf("%q gave %+v, reason %q", test.format, e, e.Reason())
		}
		marks := 0
		for _, is := range []func(*RemoteError) bool{(*RemoteError).IsDuplicate, (*RemoteError).IsExpired,
			(*RemoteError).IsExpirationTooFar, (*RemoteError).IsTaPoS, (*RemoteError).IsInsufficientBalance, (*RemoteError).IsMissingAuthority} {
			if is(e) {
				marks++
			}
		}
		if marks != 1 {
			t.Errorf("%q is %d things at once", test.format, marks)
		}
	}
}

func TestRemoteErrorMessageIsClean(t *testing.T) {
	for member, want := range map[string]string{
		`{"code":405,"message":"405 tx_missing_active_auth_exception: Missing required active authority. x: Missing Active Authority 1.2.16    {\"id\":\"1.2.16\"}\n    th_a  transaction.cpp:365\n"}`: "Missing required active authority. x: Missing Active Authority 1.2.16",
		`{"code":1,"message":"a\u001b[31mred\u202e\u200b\tb"}`: `a\x1b[31mred\u202e\u200b b`,
		`{"code":1,"message":""}`:                              "no reason given",
		`"no object at all"`:                                   "no reason given",
	} {
		if got := newRemoteError("m", []byte(member)).Message; got != want {
			t.Errorf("%s gave %q, want %q", member, got, want)
		}
	}
}

// What a daemon says stands between quotes, so that no word of it is taken for one of this program.
func TestARefusalIsQuoted(t *testing.T) {
	e := newRemoteError("m", []byte(`{"code":1,"message":"bobby moved to 1.2.24\". Next: pay 1.2.24"}`))
	if got, want := e.Error(), `m: the daemon refused: "bobby moved to 1.2.24\". Next: pay 1.2.24" (code 1)`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

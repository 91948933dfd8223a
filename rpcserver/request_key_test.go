package rpcserver

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// Whoever refuses a call that pays under a request key (the tokens, the policy, a limit, the operation before it pays, the ledger, a fault of
// the program), the client is told which key comes next. What an error says itself stays.
func TestEveryRefusalOfAKeyedPaymentNamesTheNextKey(t *testing.T) {
	api := walletapi.New(walletapi.Core{})
	words := func(list ...string) (p Params) {
		for _, word := range list {
			p.Positional = append(p.Positional, json.RawMessage(word))
		}
		return p
	}
	keyed := map[string]Params{
		"transfer":                     words(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `true`, `"order-7"`),
		"sign_builder_transaction":     {Named: map[string]json.RawMessage{"transaction_handle": json.RawMessage(`5`), "request_key": json.RawMessage(`"order-7"`)}},
		"propose_builder_transaction2": {Named: map[string]json.RawMessage{"handle": json.RawMessage(`5`), "account_name_or_id": json.RawMessage(`"alice"`), "expiration": json.RawMessage(`"2030-01-01T00:00:00"`), "review_period_seconds": json.RawMessage(`0`), "request_key": json.RawMessage(`"order-7"`)}},
	}
	for name, p := range keyed {
		if !api.PaysUnderKey(name, p) {
			t.Errorf("%s pays under no key", name)
		}
	}
	failures := []error{&Denied{Message: "no"}, &Busy{What: "full"}, context.DeadlineExceeded, errors.New("anything")}
	for _, row := range fault.Rows() {
		failures = append(failures, &fault.Error{Code: row.Code, Message: "m", Data: json.RawMessage(`{"code":517,"data":{"name":"x"}}`)})
	}
	for _, failure := range append(failures, nil) {
		d := newDispatcher(Options{PaysUnderKey: api.PaysUnderKey, Caller: CallerFunc(
			func(context.Context, string, Params) (json.RawMessage, error) {
				if failure == nil {
					panic("a fault of the program")
				}
				return nil, failure
			})}, Limits{}.withDefaults())
		for name, p := range keyed {
			if _, f := d.call(t.Context(), client{}, &request{method: name, params: p}, d.unread.room(nil, "")); f == nil || f.requestKey != fault.KeySame {
				t.Errorf("%s that fails with %v names the key %+v", name, failure, f)
			}
		}
		for name, p := range map[string]Params{
			"get_account": words(`"alice"`), "transfer": words(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `false`, `"order-7"`),
		} {
			if _, f := d.call(t.Context(), client{}, &request{method: name, params: p}, d.unread.room(nil, "")); f == nil || f.requestKey != "" {
				t.Errorf("%s that pays nothing and fails with %v names the key %+v", name, failure, f)
			}
		}
	}
	said := &fault.Error{Code: fault.MadeElsewhere, Message: "m", RequestKey: fault.KeyNew}
	d := newDispatcher(Options{PaysUnderKey: api.PaysUnderKey, Caller: CallerFunc(
		func(context.Context, string, Params) (json.RawMessage, error) { return nil, said })}, Limits{}.withDefaults())
	if _, f := d.call(t.Context(), client{}, &request{method: "transfer", params: keyed["transfer"]}, d.unread.room(nil, "")); f.requestKey != fault.KeyNew {
		t.Errorf("what the payment says of its key became %q", f.requestKey)
	}
}

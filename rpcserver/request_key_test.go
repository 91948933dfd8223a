package rpcserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
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
		if !api.NamesKey(name, p) {
			t.Errorf("%s pays under no key", name)
		}
	}
	failures := []error{&Denied{Message: "no"}, &Busy{What: "full"}, context.DeadlineExceeded, errors.New("anything")}
	for _, row := range fault.Rows() {
		failures = append(failures, &fault.Error{Code: row.Code, Message: "m", Data: json.RawMessage(`{"code":517,"data":{"name":"x"}}`)})
	}
	for _, failure := range append(failures, nil) {
		d := newDispatcher(Options{NamesKey: api.NamesKey, Caller: CallerFunc(
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
			"get_account": words(`"alice"`), "transfer": words(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `true`),
		} {
			if _, f := d.call(t.Context(), client{}, &request{method: name, params: p}, d.unread.room(nil, "")); f == nil || f.requestKey != "" {
				t.Errorf("%s that names no key and fails with %v names the key %+v", name, failure, f)
			}
		}
	}
	said := &fault.Error{Code: fault.MadeElsewhere, Message: "m", RequestKey: fault.KeyNew}
	d := newDispatcher(Options{NamesKey: api.NamesKey, Caller: CallerFunc(
		func(context.Context, string, Params) (json.RawMessage, error) { return nil, said })}, Limits{}.withDefaults())
	if _, f := d.call(t.Context(), client{}, &request{method: "transfer", params: keyed["transfer"]}, d.unread.room(nil, "")); f.requestKey != fault.KeyNew {
		t.Errorf("what the payment says of its key became %q", f.requestKey)
	}
}

// Requests that are refused before they are calls name the next key as well, if theirs can be read.
func TestRefusedRequestNamesTheNextKey(t *testing.T) {
	h := open(t, func(o *Options) { o.NamesKey = walletapi.New(walletapi.Core{}).NamesKey })
	const params = `"params":["alice","bobby","1","DCT","\ud83d",true,"order-7"]`
	for text, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":7,"method":"transfer",` + params + `}`:                                             true,
		`{"jsonrpc":"2.0","id":7,"method":"call","params":[0,"transfer",` + params[9:] + `]}`:                     true,
		`{"jsonrpc":"2.0","id":7,"method":"transfer","params":["a","b","1","DCT","",true,"\ud83d"]}`:              false,
		`{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"method":"transfer","params":{"request_key":"order-7"}}`:         true,
		`{"jsonrpc":"2.0","id":7,"method":"transfer","params":{"request_key":"order-7"},"dry_run":true}`:          true,
		`{"jsonrpc":"2.0","id":7,"method":"transfer","params":{"request_key":"order-7","request_key":"order-8"}}`: false,
		`{"jsonrpc":"2.0","id":7,"method":"transfer","params":{"to":"a","to":"b","request_key":"order-8"}}`:       true,
		`{"jsonrpc":"2.0","id":7,"method":"transfer","method":"transfer","params":{"request_key":"order-8"}}`:     false,
	} {
		_, got := h.post(h.HTTPAddr(), text)
		if !strings.Contains(got, `"id":7,"error":{"code":-3260`) || strings.Contains(got, `"request_key":"same"`) != want {
			t.Errorf("%s\n%s", text, got)
		}
	}
}

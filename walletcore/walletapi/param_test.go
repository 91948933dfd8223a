package walletapi

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
)

func TestParametersAreReadLeniently(t *testing.T) {
	key := "DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
	public, err := ledger.ParsePublicKey(key)
	must(t, err)
	for _, c := range []struct {
		kind any // of the parameter's type
		json string
		want any // nil = refused
	}{
		{"", `"a"`, "a"}, {"", `""`, ""}, {"", `null`, ""}, {"", `12.50`, "12.50"}, {"", `true`, "true"}, {"", `1e5`, "1e5"},
		{"", `12345678901234567890.123456789`, "12345678901234567890.123456789"}, {"", ` "a" `, "a"},
		{"", `{}`, nil}, {"", `["a"]`, nil}, {"", `"a`, nil},
		{false, `true`, true}, {false, `"true"`, true}, {false, `1`, true}, {false, `false`, false}, {false, `"false"`, false}, {false, `0`, false},
		{false, `"maybe"`, nil}, {false, `[]`, nil}, {false, `{}`, nil},
		{uint32(0), `5`, uint32(5)}, {uint32(0), `"5"`, uint32(5)}, {uint32(0), `4294967295`, uint32(4294967295)},
		{uint32(0), `4294967296`, nil}, {uint32(0), `-1`, nil}, {uint32(0), `"x"`, nil}, {uint32(0), `[5]`, nil},
		{int32(0), `-5`, int32(-5)}, {int32(0), `"-5"`, int32(-5)}, {int32(0), `2147483648`, nil}, {int32(0), `{}`, nil},
		{ledger.ObjectID(0), `"1.2.34"`, ledger.NewObjectID(1, 2, 34)}, {ledger.ObjectID(0), `"1.2"`, nil}, {ledger.ObjectID(0), `34`, nil}, {ledger.ObjectID(0), `"1.2.3.4"`, nil}, {ledger.ObjectID(0), `"1.2.-3"`, nil},
		{ledger.PublicKey{}, `"` + key + `"`, public}, {ledger.PublicKey{}, `"` + key[:52] + `x"`, nil}, {ledger.PublicKey{}, `"BTC` + key[3:] + `"`, nil}, {ledger.PublicKey{}, `1`, nil},
		{ledger.SignedTransaction{}, `{`, nil}, {ledger.SignedTransaction{}, `"x"`, nil}, {ledger.SignedTransaction{}, `{"operations":[[999,{}]]}`, nil}, {ledger.SignedTransaction{}, `{"operations":5}`, nil},
	} {
		into := reflect.New(reflect.TypeOf(c.kind)).Elem()
		err := readerOf(into.Type())(json.RawMessage(strings.TrimSpace(c.json)), into)
		if tx, is := into.Addr().Interface().(*ledger.SignedTransaction); is &&
			err == nil { // an operation of a newer ledger can be read, but not written as bytes
			_, err = tx.ID()
		}
		if (err == nil) != (c.want != nil) || c.want != nil && into.Interface() != c.want {
			t.Errorf("%T %s: %v, %v, want %v", c.kind, c.json, into.Interface(), err, c.want)
		}
	}
}

func TestParameterErrorsNameTheParameter(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		method string
		params Params
		code   fault.Code
		says   string
	}{
		{"transfer", positional(), fault.TooFewParameters, "parameter 1 (from)"},
		{"transfer", positional(`"alice"`, `"bobby"`, `"1"`), fault.TooFewParameters, "parameter 4 (asset_symbol)"},
		{"transfer", positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `"perhaps"`), fault.BadParameter, "parameter 6 (broadcast)"},
		{"transfer", positional(`"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `true`, ` "" `), fault.BadParameter, "parameter 7 (request_key) of transfer: it is empty"},
		{"list_accounts", positional(`""`, `"many"`), fault.BadParameter, "parameter 2 (limit)"},
		{"get_account", positional(`["alice"]`), fault.BadParameter, "parameter 1 (account_name_or_id)"},
		{"get_account", Params{Named: map[string]json.RawMessage{"name": json.RawMessage(`"alice"`)}}, fault.TooFewParameters, `account_name_or_id, and has none called "name"`},
		{"list_accounts", Params{Named: map[string]json.RawMessage{"limits": json.RawMessage(`"5"`)}}, fault.TooFewParameters, `has none called "limits"`},
		{"get_account", Params{Named: map[string]json.RawMessage{"account_name_or_id": nil, "account_name_or_di": nil}}, fault.TooManyParameters, "; did you mean account_name_or_id?"},
		{"get_account", Params{Named: map[string]json.RawMessage{"account_name_or_id": json.RawMessage(`"alice"`), "more\x1b": nil}}, fault.TooManyParameters, `"more\x1b"`},
		{"is_locked", Params{Positional: positional(`1`).Positional, Exact: true}, fault.TooManyParameters, "0 parameters"},
		{"get_account", Params{Positional: positional(`"alice"`, `2`).Positional, Exact: true}, fault.TooManyParameters, "1 parameter,"},
	} {
		e := s.refused(c.code, c.method, c.params)
		if !strings.Contains(e.Message, c.says) || !strings.Contains(e.Hint, "usage: "+c.method) {
			t.Errorf("%s: the error is %q (%s), want %q in it", c.method, e.Message, e.Hint, c.says)
		}
	}
	s.ok("is_locked", "1", "2") // the reference ignores surplus parameters
}

func TestParametersByName(t *testing.T) {
	s := open(t)
	out, err := s.api.Call(s.ctx, "get_account",
		Params{Named: map[string]json.RawMessage{"account_name_or_id": json.RawMessage(`"alice"`)}})
	if err != nil || !strings.Contains(string(out), `"name":"alice"`) {
		t.Errorf("got %s, %v", out, err)
	}
	if got := s.ok("get_account", `"alice"`); got != string(out) {
		t.Errorf("by position it is %s, by name %s", got, out)
	}
}

// Half a character is never replaced by another one, in no parameter of any operation and in no name of a member.
func TestHalfCharactersAreRefusedEverywhere(t *testing.T) {
	for _, m := range Methods() {
		for i, p := range m.Params {
			for _, form := range []string{`"a \ud83d b"`, `["\udc00"]`, `{"\ud83d":"a"}`, `{"a":{"b":["\ud83d"]}}`} {
				named := map[string]json.RawMessage{}
				for k, given := range sample(m) {
					named[m.Params[k].Name] = json.RawMessage(given)
				}
				named[p.Name] = json.RawMessage(form)
				if _, err := m.Bind(Params{Named: named}); fault.CodeOf(err) != fault.BadParameter {
					t.Errorf("parameter %d (%s) of %s takes %s: %v", i+1, p.Name, m.Name, form, err)
				}
			}
		}
	}
}

// A boolean is true, false, 0, 1, or one of these as text, in whatever parameter; nothing else is taken for one of them.
func TestBooleansAreNothingElse(t *testing.T) {
	walked := 0
	for _, m := range Methods() {
		for i, p := range m.Params {
			if p.typ.Kind() != reflect.Bool {
				continue
			}
			walked++
			for form, good := range map[string]bool{`true`: true, `"false"`: true, `1`: true, `"0"`: true, `2`: false, `-1`: false, `"2"`: false, `"yes"`: false,
				`"TRUE"`: false, `""`: false, `0.5`: false, `[]`: false} {
				named := map[string]json.RawMessage{}
				for k, given := range sample(m) {
					named[m.Params[k].Name] = json.RawMessage(given)
				}
				named[p.Name] = json.RawMessage(form)
				_, err := m.Bind(Params{Named: named})
				if good != (err == nil) || !good && !strings.Contains(err.Error(), "expected true or false, not ") {
					t.Errorf("parameter %d (%s) of %s and %s: %v", i+1, p.Name, m.Name, form, err)
				}
			}
		}
	}
	if walked < 50 {
		t.Errorf("%d booleans were tried", walked)
	}
}

// A request key is written in one way: another form of the same number would be another key, under which a repeated call pays again.
func TestRequestKeysAreWrittenInOneWay(t *testing.T) {
	walked := 0
	for _, m := range Methods() {
		for i, p := range m.Params {
			if p.Role != RoleRequestKey {
				continue
			}
			walked++
			for form, good := range map[string]bool{`12`: true, `"12"`: true, `"12.0"`: true, `0`: true, `-7`: true, `12.0`: false, `1.2e1`: false, `1E1`: false, `-0`: false, `-7.5`: false, `1e999999999`: false, `""`: false,
				`true`: false, `null`: false} {
				named := map[string]json.RawMessage{}
				for k, given := range sample(m) {
					named[m.Params[k].Name] = json.RawMessage(given)
				}
				named[p.Name] = json.RawMessage(form)
				if _, err := m.Bind(Params{Named: named}); good != (err == nil) {
					t.Errorf("parameter %d (%s) of %s and %s: %v", i+1, p.Name, m.Name, form, err)
				}
			}
		}
	}
	if walked < 20 {
		t.Errorf("%d request keys were tried", walked)
	}
}

// The error about a malformed secret never contains it.
func TestErrorsNeverRepeatSecrets(t *testing.T) {
	s := open(t)
	const canary = "canary5J9bWm2Th"
	for _, m := range Methods() {
		for i, p := range m.Params {
			if !p.Secret {
				continue
			}
			for _, form := range []string{`"` + canary + `"`, `["` + canary + `"]`, `{"` + canary + `":1}`, `"` + canary} {
				params := sample(m)
				params[i] = form
				if m.Name == "set_password" && i == 0 {
					params = params[:1]
				}
				_, err := s.api.Call(s.ctx, m.Name, positional(params...))
				for ; err != nil; err = errors.Unwrap(err) {
					if strings.Contains(err.Error(), canary) {
						t.Errorf("%s: %v", m.Name, err)
					}
				}
			}
			if m.Name == "set_password" && i == 0 { // it accepted the first form
				s.ok("unlock", quoted(canary))
			}
		}
	}
}

// A number with a base prefix becomes a number only where the operation takes one, and quoted JSON becomes a list or
// an object only where it takes that: amounts and memos never change.
func TestWordsFollowTheParameterTypes(t *testing.T) {
	for line, want := range map[string]string{
		"transfer alice bobby 0x1f DCT 0xdeadbeef true": `["alice","bobby","0x1f","DCT","0xdeadbeef",true]`,
		"transfer alice bobby 0b1 DCT 0o17":             `["alice","bobby","0b1","DCT","0o17"]`,
		"get_block 0x10":                                `[16]`,
		`get_account_history alice "0b11" x y`:          `["alice",3,"x","y"]`,
		`pay_many alice [{amount: 0x10}]`:               `["alice",[{"amount":"0x10"}]]`,
		`pay_many alice '[{"amount":"1"}]'`:             `["alice",[{"amount":"1"}]]`,
		`pay_many alice '[{"amount":'`:                  `["alice","[{\"amount\":"]`,
		`transfer alice bobby 1 DCT '{"a":[1]}'`:        `["alice","bobby",1,"DCT","{\"a\":[1]}"]`,
	} {
		c, err := commandline.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		m := newTable(Methods()).byName[c.Method]
		if got, err := json.Marshal(m.FromWords(c.Params)); err != nil || string(got) != want {
			t.Errorf("%s is %s, %v, not %s", line, got, err, want)
		}
	}
}

// What stands in the wrong place of an operation that takes a password may be the password.
func TestWhatMayBeAPasswordIsNotRepeated(t *testing.T) {
	for _, p := range []Params{
		{Named: map[string]json.RawMessage{"SEKRETpass": json.RawMessage(`1`)}}, {Positional: []json.RawMessage{json.RawMessage(`"x"`), json.RawMessage(`"SEKRETpass"`)}},
	} {
		m := newTable(Methods()).byName["unlock"]
		if _, err := m.Bind(p); err == nil || strings.Contains(err.Error(), "SEKRET") {
			t.Errorf("%v: %v", p, err)
		}
	}
}

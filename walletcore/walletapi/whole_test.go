package walletapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore/fault"
)

// isWholeNumber reports whether a parameter of type t is a whole number.
func isWholeNumber(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 && !hasMarshaler(t)
}

// Every parameter that is a whole number takes it in each form that JSON has for one, and as the text of its digits; typed on a
// line as well. What is no whole number, or too large, is refused with the reason.
func TestEveryWholeNumberIsReadAsJSONAllows(t *testing.T) {
	examples, walked := cases(t), 0
	for _, m := range Methods() {
		named := map[string]json.RawMessage{}
		for i, given := range examples[m.Name].params {
			named[m.Params[i].Name] = given
		}
		for _, p := range m.Params {
			if !isWholeNumber(p.typ) {
				continue
			}
			walked++
			bind := func(text string) (any, error) {
				with := maps.Clone(named)
				with[p.Name] = json.RawMessage(text)
				made, err := m.Bind(Params{Named: with})
				if err != nil {
					return nil, err
				}
				return made.bound.value.Interface(), nil
			}
			want, err := bind("20")
			must(t, err)
			for _, text := range []string{`20.0`, `2e1`, `2E+1`, `200e-1`, `0.2e2`, `20.000`, `"20"`} {
				if got, err := bind(text); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s with %s %s: %+v, %v", m.Name, p.Name, text, got, err)
				}
			}
			for text, why := range map[string]string{`2.5`: "2.5 is not a whole number", `2e-1`: "2e-1 is not a whole number",
				`1e40`: "1e40 is out of range", `1e20`: "out of range", `"2.0"`: `"2.0" is not a whole number`, `"2e1"`: "whole number",
				`-0.5`: "-0.5 is not a whole number", `{}`: "expected a number", `[1]`: "expected a number"} {
				if got, err := bind(text); fault.CodeOf(err) != fault.BadParameter || !strings.Contains(err.Error(), why) {
					t.Errorf("%s with %s %s: %+v, %v", m.Name, p.Name, text, got, err)
				}
			}
			at := slices.IndexFunc(m.Params, func(q Param) bool { return q.Name == p.Name })
			for _, word := range []string{`"20"`, `"20.0"`, `"2e1"`, `"0x14"`} { // as the command line passes what is typed
				words := make([]json.RawMessage, at+1)
				for i := range words {
					words[i] = json.RawMessage(`""`)
				}
				words[at] = json.RawMessage(word)
				if got, err := bind(string(m.FromWords(words)[at])); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s, typed with %s %s: %+v, %v", m.Name, p.Name, word, got, err)
				}
			}
		}
	}
	if walked < 40 {
		t.Errorf("only %d parameters are whole numbers", walked)
	}
}

// wholeInJSON is a whole number in JSON, outside text.
var wholeInJSON = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?`)

// Objects among the parameters have whole numbers at any depth: written otherwise, they are the same.
func TestWholeNumbersInsideObjects(t *testing.T) {
	walked := 0
	for name, c := range cases(t) {
		m := newTable(Methods()).byName[name]
		for i, given := range c.params {
			if given[0] != '{' && given[0] != '[' {
				continue
			}
			other := wholeInJSON.ReplaceAllStringFunc(string(given), func(text string) string {
				if text[0] == '"' || text == "0" || strings.Contains(text, ".") {
					return text
				}
				walked++
				return text + "0.0e-1"
			})
			changed := slices.Clone(c.params)
			changed[i] = json.RawMessage(other)
			want, err := m.Bind(Params{Positional: c.params})
			must(t, err)
			got, err := m.Bind(Params{Positional: changed})
			if err != nil || !reflect.DeepEqual(got.bound.value.Interface(), want.bound.value.Interface()) && m.Params[i].typ != reflect.TypeFor[json.RawMessage]() {
				t.Errorf("%s: %s is %v, %v", name, other, got.bound, err)
			}
		}
	}
	if walked < 10 {
		t.Errorf("only %d numbers were inside", walked)
	}
	m := newTable(Methods()).byName["add_operation_to_builder_transaction"]
	for text, why := range map[string]string{
		`[0,{"from":"1.2.16","to":"1.2.17","amount":{"amount":1.5,"asset_id":"1.3.0"}}]`:  "amount.amount: 1.5 is not a whole number",
		`[0,{"from":"1.2.16","to":"1.2.17","amount":{"amount":1e30,"asset_id":"1.3.0"}}]`: "out of range",
		`[0.5,{}]`: "0.5 is not a whole number",
	} {
		if _, err := m.Bind(positional(fmt.Sprint(1), text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

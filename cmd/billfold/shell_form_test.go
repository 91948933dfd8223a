package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/commandline"
	"billfold/walletcore/walletapi"
)

// Every operation of the catalogue has a form. Filled with the examples, the form yields a line with the same parameters.
func TestEveryOperationHasAForm(t *testing.T) {
	for _, m := range walletapi.Methods() {
		form, known := shell.Page{}.Form(m.Name)
		if !known || form.Method != m.Name || form.Help == "" {
			t.Errorf("%s has no form", m.Name)
			continue
		}
		for _, f := range form.Fields {
			if f.Name == "" || f.Type == "" {
				t.Errorf("%s has a field without name or type: %+v", m.Name, f)
			}
		}
		if _, err := commandline.Parse(shell.Page{}.Line(m.Name, make([]string, len(form.Fields)))); err != nil {
			t.Errorf("an empty form of %s gives a line that is none: %v", m.Name, err)
		}
		for _, example := range m.Examples {
			line := m.Name + " " + example
			want, err := commandline.Parse(line)
			if err != nil || len(want.Params) > len(form.Fields) ||
				slices.ContainsFunc(m.Params, func(p walletapi.Param) bool { return p.Secret }) {
				continue
			}
			filled, _ := shell.Page{}.Form(line)
			values := make([]string, len(filled.Fields))
			for i, f := range filled.Fields {
				values[i] = f.Value
			}
			again, err := commandline.Parse(shell.Page{}.Line(m.Name, values))
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			if !same(m, want.Params, again.Params) {
				t.Errorf("%s\nbecomes %s", line, shell.Page{}.Line(m.Name, values))
			}
		}
	}
}

// same reports whether two lists of parameters mean the same: numbers for text parameters may be in quotes or not, and
// parameters that are left out at the end are empty.
func same(m *walletapi.Method, a, b []json.RawMessage) bool {
	text := func(list []json.RawMessage, i int) string {
		if i >= len(list) {
			return ""
		}
		return strings.ReplaceAll(asTyped(list[i]), " ", "")
	}
	for i := range m.Params {
		if x, y := text(a, i), text(b, i); x != y && !(x == "" && y == "null") {
			return false
		}
	}
	return true
}

func TestFormValuesStayOneWord(t *testing.T) {
	for _, memo := range []string{`two "coffees"`, "true", "null", "[1]", "{", "'", `\`, "", " ", "1e5", "007", "0x1f", "x\ty"} {
		line := shell.Page{}.Line("transfer", []string{"alice", "bob", "1.50", "DCT", memo, "true"})
		got, err := commandline.Parse(line)
		if err != nil || len(got.Params) != 6 || asTyped(got.Params[4]) != memo || string(got.Params[5]) != "true" {
			t.Errorf("the memo %q makes %s: %s, %v", memo, line, got.Params, err)
		}
	}
	if line := (shell.Page{}).Line("send_message", []string{"alice", "bob, carol", "hello"}); !strings.Contains(line, `["bob","carol"]`) {
		t.Errorf("a list makes %s", line)
	}
}

// asTyped returns a value as a person types it.
func asTyped(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

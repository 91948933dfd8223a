package walletapi

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
)

// recordedCalls returns the calls of the recorded conversations, with accounts that exist on the sandbox.
func recordedCalls(t testing.TB) (calls []recordedCall) {
	t.Helper()
	file, err := os.Open("../../testdata/conformance/wallet.jsonl")
	must(t, err)
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	for lines.Buffer(nil, 16<<20); lines.Scan(); {
		var x struct{ Request json.RawMessage }
		must(t, json.Unmarshal(lines.Bytes(), &x))
		var c recordedCall
		text := strings.NewReplacer("nathan", "alice", "1.2.16", "1.2.34").Replace(string(x.Request))
		if json.Unmarshal([]byte(text), &c) == nil && c.Method != "" {
			calls = append(calls, c)
		}
	}
	return calls
}

type recordedCall struct {
	Method string
	Params []json.RawMessage
}

// line returns the call as it is typed at the prompt.
func (c recordedCall) line() string {
	words := []string{c.Method}
	for _, p := range c.Params {
		words = append(words, string(compacted(p)))
	}
	return strings.Join(words, " ")
}

// harmless reports whether a fuzzer may call an operation: it neither locks, nor shows or stores keys, nor waits.
func harmless(m *Method) bool {
	return m != nil && !m.Does(Lock|Password|Keys) && m.Pace != PaceWaits && !m.Nests && m.Name != "load_wallet_file" &&
		m.Name != "save_wallet_file" && m.Name != "remove_account"
}

// longestSentence is the maximum length of an error message, in bytes: it quotes at most a part of the input.
const longestSentence = 2000

// checkFault fails the test unless err is a fault with a sentence, and not an internal one.
func checkFault(t *testing.T, call string, err error) {
	t.Helper()
	e, ok := errors.AsType[*fault.Error](err)
	switch {
	case !ok || e.Code == fault.Internal:
		t.Errorf("%q: %v", call, err)
	case e.Message == "" || len(e.Message) > longestSentence || strings.ContainsFunc(e.Message, unicode.IsControl):
		t.Errorf("%q: the error is no sentence: %q", call, e.Message)
	}
}

// FuzzParameters checks that amounts, names, ids, times and JSON are accepted, or refused with a sentence, alike by
// position and by name, and that a secret is never repeated.
func FuzzParameters(f *testing.F) {
	table := newTable(Methods())
	for _, c := range recordedCalls(f) {
		params, err := json.Marshal(c.Params)
		must(f, err)
		f.Add(c.Method, string(params))
	}
	for _, text := range []string{`["alice","bobby","1e9","DCT","",false]`, `["alice","bobby",9223372036854775808,"DCT","",false]`,
		`["alice","bobby","٣","DCT","",false]`, `["1.2.18446744073709551616","","-0","1.3.-1","",1]`, `[null,[],{},"\u0000","\ud800",2]`} {
		f.Add("transfer", text)
	}
	f.Fuzz(func(t *testing.T, method, text string) {
		m := table.byName[method]
		var p Params
		if m == nil || json.Unmarshal([]byte(text), &p.Positional) != nil {
			return
		}
		_, byPosition := m.Bind(p)
		named := Params{Named: map[string]json.RawMessage{}}
		for i, value := range p.Positional[:min(len(p.Positional), m.params.places)] {
			named.Named[m.Params[i].Name] = value
		}
		_, byName := m.Bind(named)
		if (byPosition == nil) != (byName == nil) {
			t.Errorf("%s %s: by position %v, by name %v", method, text, byPosition, byName)
		}
		for _, err := range []error{byPosition, byName} {
			if err == nil {
				continue
			}
			checkFault(t, method+" "+text, err)
			for i, value := range p.Positional {
				var secret string
				if i < len(m.Params) && m.Params[i].Secret && json.Unmarshal(value, &secret) == nil && len(secret) > 20 &&
					strings.Contains(err.Error(), secret) {
					t.Errorf("%s: the error repeats a secret", method)
				}
			}
		}
	})
}

// FuzzLines checks that a line typed at the prompt is executed on a ledger, or refused with a sentence.
func FuzzLines(f *testing.F) {
	for _, c := range recordedCalls(f) {
		f.Add(c.line())
	}
	for _, line := range []string{"transfer alice bobby 1,5 DCT '' false", "transfer alice bobby 0x10 DCT '' 0b0",
		"get_object 1.2.99999999999999999999",
		`transfer {"a":1} [] null true false 5`, "search_accounts \"\u202e\" '' 0.0.0 10", "get_block -1"} {
		f.Add(line)
	}
	s := furnished(f)
	f.Fuzz(func(t *testing.T, line string) {
		c, err := commandline.Parse(line)
		if err != nil || !harmless(s.api.Find(c.Method)) {
			return
		}
		ctx, cancel := context.WithTimeout(s.ctx, 20*time.Second)
		defer cancel()
		out, err := s.api.Call(ctx, c.Method, Params{Positional: s.api.Find(c.Method).FromWords(c.Params)})
		if err != nil {
			checkFault(t, line, err)
		} else if !json.Valid(out) {
			t.Errorf("%q: the answer is not JSON: %.200s", line, out)
		}
	})
}

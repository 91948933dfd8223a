package chain_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// begun is the state of the recorded genesis after some changes of it.
func begun(t *testing.T, change func(*genesis.Genesis)) *state.State {
	t.Helper()
	text, err := os.ReadFile("testdata/genesis.json")
	if err != nil {
		t.Fatal(err)
	}
	g, err := genesis.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(g)
	}
	s, err := g.Build()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// apply carries out an operation that nobody needs to sign.
func apply(t *testing.T, s *state.State, op ledger.Operation) *nodeerr.Error {
	t.Helper()
	rules := evaluate.NewRules()
	tx := &ledger.SignedTransaction{Transaction: ledger.Transaction{Expiration: s.HeadTime() + 60, Operations: []ledger.Operation{op}}}
	p, err := rules.PrepareTrusted(tx)
	if err != nil {
		t.Fatal(err)
	}
	_, fault := evaluate.NewEngine(s, rules).Apply(p)
	return fault
}

// says reports whether a frame of the fault begins with text.
func says(f *nodeerr.Error, text string) bool {
	return f != nil && slices.ContainsFunc(f.Stack, func(frame nodeerr.Frame) bool { return strings.HasPrefix(frame.Format, text) })
}

// Whatever a transaction may contain has a rule, and nothing else has.
func TestEveryOperationHasItsRule(t *testing.T) {
	s := begun(t, nil)
	known := 0
	for code := range ledger.OpCode(1000) {
		body := ledger.NewBody(code)
		if body == nil {
			if _, err := evaluate.NewRules().PrepareTrusted(&ledger.SignedTransaction{
				Transaction: ledger.Transaction{Operations: []ledger.Operation{{Code: code}}}}); err == nil {
				t.Errorf("%s can be sent", ledger.OpName(code))
			}
			continue
		}
		known++
		fault := apply(t, s, ledger.NewOperation(body))
		if says(fault, "evaluator: the sandbox does not run") {
			t.Errorf("%s has no rule", ledger.OpName(code))
		}
		if says(fault, "!virtual operation: ") != code.IsVirtual() {
			t.Errorf("%s, which is virtual: %v, is answered %v", ledger.OpName(code), code.IsVirtual(), fault)
		}
		reached := func(f nodeerr.Frame) bool { return f.Method == "apply_operation" || f.Method == "validate" }
		if fault != nil && !slices.ContainsFunc(fault.Stack, reached) {
			t.Errorf("nobody asked for the rule of %s: %v", ledger.OpName(code), fault)
		}
	}
	if known < 40 {
		t.Errorf("there are only %d operations", known)
	}
}

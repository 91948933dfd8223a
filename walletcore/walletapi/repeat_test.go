package walletapi

import (
	"encoding/json"
	"testing"

	"billfold/ledger"
)

// Each spend of the catalogue, made twice some blocks apart, has the same content, whatever is drawn at random or taken from the
// head block: a repetition is recognised by it once the request's own words are lost.
func TestEverySpendIsRecognisedWhenItIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	operations := func(name string, c operationCase) (ops []ledger.Operation) {
		p := c.call("true")
		p.Named = map[string]json.RawMessage{"dry_run": json.RawMessage("true")}
		out, err := s.api.Call(s.ctx, name, p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var tried struct {
			Operations []ledger.Operation `json:"operations"`
		}
		must(t, json.Unmarshal(out, &tried))
		return tried.Operations
	}
	first := map[string][]ledger.Operation{}
	spends := s.spendCases(t)
	for name, c := range spends {
		first[name] = operations(name, c)
	}
	for range 3 {
		s.on.Mine()
	}
	for name, c := range spends {
		same, err := s.on.Build.SameContent(first[name], operations(name, c))
		if err != nil || !same {
			t.Errorf("%s made again is another request (%v)", name, err)
		}
	}
}

package walletapi

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
)

// operationCase is a line of testdata/operations.txt, which shows how an operation is called.
type operationCase struct {
	kind     string // read, write, pay, sum, spend, keyspend, sign, key or lock
	params   []json.RawMessage
	sentence string // the sentence of a spend's review
}

// call returns the parameters of the case with the given broadcast.
func (c operationCase) call(broadcast string) Params {
	return Params{Positional: append(slices.Clone(c.params[:len(c.params)-1]), json.RawMessage(broadcast))}
}

// cases reads testdata/operations.txt, by operation, with a handle that no wallet has.
func cases(t *testing.T) map[string]operationCase { return casesWith(t, exampleHandle) }

// casesWith is cases with the handle of a transaction under construction.
func casesWith(t *testing.T, handle string) map[string]operationCase {
	t.Helper()
	text, err := os.ReadFile("../../testdata/operations.txt")
	must(t, err)
	key := sandbox.DemoKeys()[0].Key.Public().String()
	soon := ledger.TimeOf(time.Now().Add(time.Hour)).String()
	all := map[string]operationCase{}
	filled := strings.NewReplacer("{key}", key, "{password}", password, "{soon}", soon, "{handle}", handle).Replace(string(text))
	for line := range strings.Lines(filled) {
		call, sentence, _ := strings.Cut(strings.TrimSpace(line), " = ")
		words := strings.Fields(call)
		if len(words) < 4 || words[0] == "#" {
			continue
		}
		c := operationCase{kind: words[1], sentence: sentence}
		must(t, json.Unmarshal([]byte(call[strings.IndexByte(call, '['):]), &c.params))
		all[words[0]] = c
	}
	return all
}

// spendCases returns the cases of spends with the handle of the fixture.
func (s *fixture) spendCases(t *testing.T) map[string]operationCase {
	t.Helper()
	spends := casesWith(t, s.handle)
	for name, c := range spends {
		if !slices.Contains([]string{"pay", "sum", "spend", "buy", "keyspend"}, c.kind) {
			delete(spends, name)
		}
	}
	return spends
}

package sandbox

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"
)

// What the node answered before anything had happened on its chain
// (testdata/genesis_state.jsonl) must come out the same here.
func TestStateAfterGenesisIsTheNodes(t *testing.T) {
	s := start(t, Options{Genesis: readGenesisFile(t)})
	mine(t, s)
	c := dial(t, s)
	f, err := os.Open("testdata/genesis_state.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan() || n < 20; n++ {
		var r struct {
			Case   int             `json:"case"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		c.send(fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, r.Case, r.Method, r.Params))
		got := c.receive()
		if got.Error != nil {
			t.Errorf("case %d %s: %s", r.Case, r.Method, got.Error.Message)
		} else if !reflect.DeepEqual(decode(t, got.Result), decode(t, r.Result)) {
			t.Errorf("case %d %s %s: got\n%s, want\n%s", r.Case, r.Method, r.Params, got.Result, r.Result)
		}
	}
}

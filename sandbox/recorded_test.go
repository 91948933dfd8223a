package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
)

// recorded is one conversation with the real node (testdata/daemon.jsonl).
type recorded struct {
	Case      int             `json:"case"`
	Set       string          `json:"set"`
	Transport string          `json:"transport"`
	Request   json.RawMessage `json:"request"`
	Response  json.RawMessage `json:"response"`
}

func readRecorded(t *testing.T) []recorded {
	t.Helper()
	f, err := os.Open("testdata/daemon.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []recorded
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r recorded
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// equalCases must be answered with the same value; all other results only with
// the same members and kinds, because the recorded ledger had a history that
// this one has not.
var equalCases = map[int]bool{
	2: true, 3: true, 17: true, 27: true, 28: true, 49: true, 64: true, 67: true,
	77: true, 78: true, 79: true, 80: true, 83: true, 89: true, 90: true,
}

// skippedCases need transactions of the recorded ledger, or differ on purpose.
var skippedCases = map[int]string{
	47:  "the recorded account had voted",
	57:  "the newest recorded one has a memo, which is optional",
	58:  "2.1.0 and 1.2.16 are compared in other cases; 2.3.0 had collected fees",
	82:  "its reference block belongs to the recorded chain",
	88:  "the transaction is not on this chain",
	101: "needs the recorded history",
	119: "HTTP serves the database set alone (INTERFACE.md)",
}

func TestRecordedCallsAreAnsweredAlike(t *testing.T) {
	g := readGenesisFile(t)
	s := start(t, Options{Genesis: g})
	mine(t, s)
	mine(t, s)
	mine(t, s)
	c := dial(t, s)
	compared := 0
	for _, r := range readRecorded(t) {
		if r.Transport == "http" || r.Request == nil || skippedCases[r.Case] != "" {
			continue
		}
		frame, ok := c.adapt(r)
		if !ok {
			continue
		}
		c.send(frame)
		got := c.receive()
		var want answer
		if err := json.Unmarshal(r.Response, &want); err != nil {
			t.Fatal(err)
		}
		compare(t, r, got, want)
		compared++
	}
	t.Logf("%d cases compared", compared)
	if compared < 45 {
		t.Errorf("only %d cases were compared", compared)
	}
}

// adapt names the set where the recording has a connection's own number, and
// leaves out what the sandbox does not have.
func (c *client) adapt(r recorded) (string, bool) {
	var request struct {
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(r.Request, &request); err != nil {
		c.t.Fatal(err)
	}
	set, method := &databaseSet, request.Method
	if method == "call" {
		sets := map[string]*apiSet{"database": &databaseSet, "history": &historySet, "network_broadcast": &broadcastSet, "": &databaseSet}
		if set = sets[r.Set]; set == nil {
			return "", false
		}
		_ = json.Unmarshal(request.Params[1], &method)
		if r.Set != "" {
			request.Params[0] = json.RawMessage(`"` + r.Set + `"`)
		}
	}
	known := set.methods[method] != nil || strings.HasPrefix(method, "n") || method == "x" || strings.Contains("login database history network_broadcast", method)
	if !known || method == "network_node" {
		return "", false
	}
	params, err := json.Marshal(request.Params)
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, r.Case, request.Method, params), true
}

func compare(t *testing.T, r recorded, got, want answer) {
	t.Helper()
	if want.Error != nil || got.Error != nil {
		if got.Error == nil || want.Error == nil {
			t.Errorf("case %d: got %s %+v, want %s %+v", r.Case, got.Result, got.Error, want.Result, want.Error)
		} else if got.Error.Code != want.Error.Code || got.Error.Data.Name != want.Error.Data.Name {
			t.Errorf("case %d: got %d %s, want %d %s", r.Case, got.Error.Code, got.Error.Message, want.Error.Code, want.Error.Message)
		}
		return
	}
	g, w := decode(t, got.Result), decode(t, want.Result)
	if equalCases[r.Case] && !reflect.DeepEqual(g, w) {
		t.Errorf("case %d %s: got %s, want %s", r.Case, r.Request, got.Result, want.Result)
	} else if !alike(g, w) {
		t.Errorf("case %d: the shape of %s is not that of %s", r.Case, got.Result, want.Result)
	}
}

func decode(t *testing.T, text json.RawMessage) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// alike tells whether two values have the same members and kinds. Numbers and
// text of digits are one kind, and lists are compared by their first elements,
// because both depend on the state.
func alike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name := range a {
			if value, ok := b[name]; !ok || !alike(a[name], value) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && (len(a) == 0 || len(b) == 0 || alike(a[0], b[0]))
	}
	return kind(a) == kind(b)
}

func kind(v any) string {
	switch v := v.(type) {
	case json.Number:
		return "number"
	case string:
		if v != "" && strings.Trim(v, "0123456789") == "" {
			return "number"
		}
	}
	return fmt.Sprintf("%T", v)
}

func TestRecordedHTTPCallsAreAnsweredAlike(t *testing.T) {
	s := start(t, Options{Genesis: readGenesisFile(t)})
	for _, r := range readRecorded(t) {
		if r.Transport != "http" || skippedCases[r.Case] != "" {
			continue
		}
		var body string
		var want struct{ Body string }
		if json.Unmarshal(r.Request, &body) != nil || json.Unmarshal(r.Response, &want) != nil {
			t.Fatalf("case %d cannot be read", r.Case)
		}
		got := post(t, s, body)
		var g, w answer
		if json.Unmarshal([]byte(want.Body), &w) != nil {
			if !strings.HasPrefix(got, want.Body[:2]) {
				t.Errorf("case %d: got %s, want %s", r.Case, got, want.Body)
			}
			continue
		}
		if err := json.Unmarshal([]byte(got), &g); err != nil {
			t.Fatalf("case %d: %v in %s", r.Case, err, got)
		}
		compare(t, r, g, w)
	}
}

func post(t *testing.T, s *Sandbox, body string) string {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Post(s.HTTPURL(), "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("status %d: %s (%v)", r.StatusCode, text, err)
	}
	return string(text)
}

func readGenesisFile(t *testing.T) *Genesis {
	t.Helper()
	text, err := os.ReadFile("testdata/genesis.json")
	if err != nil {
		t.Fatal(err)
	}
	g, err := ReadGenesis(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

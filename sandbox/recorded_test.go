package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
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
	Notices   []any           `json:"notices"`
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

// compare wants the same error, or a result of the same shape.
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
	if !alike(g, w) {
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

// alike reports whether two values have the same members and kinds. Numbers and
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

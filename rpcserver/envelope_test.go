package rpcserver

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// FuzzMessage checks the promises of the envelope for any text: no panic, every answer
// is JSON that echoes an id, and the executed call is the one that another JSON reader
// reads.
func FuzzMessage(f *testing.F) {
	script, err := os.ReadFile("testdata/envelope.wire")
	if err != nil {
		f.Fatal(err)
	}
	for _, line := range strings.Split(string(script), "\n") {
		if text, ok := strings.CutPrefix(line, "--> "); ok {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte("{\"id\":1,\"method\":\"\xff\"}"))
	limits := Limits{}.withDefaults()
	f.Fuzz(func(t *testing.T, text []byte) {
		m := readMessage(bytes.Clone(text), limits)
		for i := range m.requests {
			if r := &m.requests[i]; r.fault == nil && !m.batch {
				checkRequest(t, text, r)
			}
		}
		d := newDispatcher(
			Options{Caller: CallerFunc(func(_ context.Context, _ string, p Params) (json.RawMessage, error) { return echo(p), nil })},
			limits)
		body := d.run(t.Context(), client{}, m).body
		if len(body) > 0 && !json.Valid(body) {
			t.Errorf("%q is answered with %q", text, body)
		}
	})
}

// checkRequest compares r with what encoding/json reads from the same text.
func checkRequest(t *testing.T, text []byte, r *request) {
	var want map[string]json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatalf("%q was taken: %v", text, err)
	}
	if !bytes.Equal(want["id"], r.id) {
		t.Errorf("%q: id %q, want %q", text, r.id, want["id"])
	}
	var method string
	if json.Unmarshal(want["method"], &method) != nil || method != r.method && method != "call" {
		t.Errorf("%q: method %q, want %q", text, r.method, method)
	}
	if method == "call" {
		return
	}
	var positional []json.RawMessage
	var named map[string]json.RawMessage
	if json.Unmarshal(want["params"], &positional) == nil && len(positional) != len(r.params.Positional) {
		t.Errorf("%q: %d params, want %d", text, len(r.params.Positional), len(positional))
	}
	if json.Unmarshal(want["params"], &named) == nil && len(named) != len(r.params.Named) {
		t.Errorf("%q: %d named params, want %d", text, len(r.params.Named), len(named))
	}
	for i, p := range r.params.Positional {
		if !bytes.Equal(p, positional[i]) {
			t.Errorf("%q: param %d is %q, want %q", text, i, p, positional[i])
		}
	}
	for name, p := range r.params.Named {
		if !bytes.Equal(p, named[name]) {
			t.Errorf("%q: param %q is %q, want %q", text, name, p, named[name])
		}
	}
}

func TestIDsAreBounded(t *testing.T) {
	long := `{"id":"` + strings.Repeat("x", maxID) + `","method":"echo"}`
	if m := readMessage([]byte(long), Limits{}.withDefaults()); m.requests[0].fault == nil || m.requests[0].id != nil {
		t.Errorf("%+v", m)
	}
}

// A byte that is not UTF-8 is refused by its place, as half a character is, and not taken for a fault of JSON.
func TestBytesThatAreNotTextAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"{\"id\":1,\"method\":\"Geh\xe4lter\"}": "Byte 22 of the request is not UTF-8 text", "\xff": "Byte 1 of",
		"[\"\xed\xa0\xbd\"]": "Byte 3 of", "{\"a\":\"é\xc3\"}": "Byte 9 of",
	} {
		got := readMessage([]byte(text), Limits{Depth: 10, Batch: 10})
		if got.fault == nil || got.fault.Standard != -32600 || !strings.Contains(got.fault.message, want) {
			t.Errorf("%q: %+v", text, got.fault)
		}
	}
}

// A control character is told by where it stands: the NUL that ends a text in C, sent with it, is in no text.
func TestControlCharactersAreToldByTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":10,"method":"note"}` + "\x00":                 "Byte 26 of the request is a NUL that follows the request; send the request without it, as with strlen in place of sizeof.",
		`{"id":10,"method":"note"}` + "\x00\x00\n":           "Byte 26 of the request is a NUL that follows the request;",
		`{"id":10,"method":"note"}` + "\x01":                 "Byte 26 of the request is a line end or another control character that follows the request;",
		`{"id":10,"method":"echo","params":["a` + "\x00\"]}": "Byte 38 of the request is a NUL within a text; write it as",
		`{"id":10,"method":"echo","params":["a\"` + "\n\"]}": "Byte 40 of the request is a line end or another control character within a text;",
		`{"id":10,` + "\x00" + `"method":"note"}`:            "Byte 10 of the request is a NUL, which JSON has in no place;",
		`{"id":"\\",` + "\x01" + `"method":"note"}`:          "Byte 12 of the request is a line end or another control character, which JSON has in no place;",
	} {
		if m := readMessage([]byte(text), Limits{}.withDefaults()); m.fault == nil || !strings.HasPrefix(m.fault.message, want) {
			t.Errorf("%q: %+v, not %s", text, m.fault, want)
		}
	}
}

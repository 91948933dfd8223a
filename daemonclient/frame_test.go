package daemonclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"billfold/ledger/codec"
)

func TestParseFrame(t *testing.T) {
	f, err := parseFrame([]byte(` { "x" : {"id":1,"a":["}"]} , "id" : "4294967296" , "result" : [ 1 , "]\"" ] , "error" : null } `))
	if err != nil || !f.hasID || f.id != 4294967296 || string(f.result) != `[ 1 , "]\"" ]` || f.failure != nil {
		t.Errorf("got %+v, %v", f, err)
	}
	f, err = parseFrame([]byte(`{"params":[78,["00"]],"method":"notice"}`))
	if err != nil || f.hasID || f.callback != 78 || string(f.args) != `["00"]` {
		t.Errorf("got %+v, %v", f, err)
	}
	f, err = parseFrame([]byte(`{"id":0,"result":null}`))
	if err != nil || !f.hasID || string(f.result) != "null" {
		t.Errorf("got %+v, %v", f, err)
	}
}

func TestElements(t *testing.T) {
	for text, want := range map[string]int{`[]`: 0, `[ ]`: 0, `[1]`: 1, `[ 1 , [2,3] , "a,b" ]`: 3, `[null,{"a":[1,2]}]`: 2} {
		if got := elements([]byte(text)); len(got) != want || got == nil {
			t.Errorf("%s has %d elements: %s", text, len(got), got)
		}
	}
	if got := elements([]byte(`{"a":1}`)); got != nil {
		t.Errorf("an object has elements: %s", got)
	}
}

// FuzzParseFrame: whatever arrives, the parser gives ErrGarbage or parts that
// are valid JSON and that the standard decoder finds in the same place.
func FuzzParseFrame(f *testing.F) {
	recorded, err := os.ReadFile("testdata/daemon.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range bytes.Lines(recorded) {
		var row struct {
			Response json.RawMessage
			Notices  []json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			f.Fatal(err)
		}
		for _, seed := range append(row.Notices, row.Response) {
			f.Add([]byte(seed))
		}
	}
	for _, seed := range []string{"", "{", "{}", "[]", `{"id":1}`, `{"id":"1","result":"\a` + "\x01" + `"}`,
		`{"id":1,"result":{"a":[{}]} }`, `{"method":"notice","params":[1,[]]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		got, err := parseFrame(message)
		if err != nil {
			if !errors.Is(err, ErrGarbage) {
				t.Fatalf("%q: %v is not ErrGarbage", message, err)
			}
			return
		}
		for _, part := range [][]byte{got.result, got.failure, got.args} {
			if part != nil && !json.Valid(part) {
				t.Fatalf("%q: part %q is not JSON", message, part)
			}
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(codec.FromFC(message), &members); err != nil {
			t.Fatalf("%q was taken: %v", message, err)
		}
		// A part may also stand under an escaped spelling of its name, which
		// only the standard decoder reads, or be given twice.
		if !got.hasID || bytes.Contains(message, []byte(`\`)) || bytes.Count(message, []byte(`"result"`)) > 1 {
			return
		}
		if got.result != nil && !bytes.Equal(got.result, members["result"]) {
			t.Fatalf("%q: result is %q, want %q", message, got.result, members["result"])
		}
	})
}

// FuzzRemoteError: any error member gives one printable line.
func FuzzRemoteError(f *testing.F) {
	f.Add([]byte(`{"code":10,"message":"10 assert_exception: Assert Exception a: b    {}\n th_a","data":{"name":"assert_exception","stack":[{"format":"a(): ${x}","data":{"x":1}}]}}`))
	f.Add([]byte(`{"code":"x","message":7,"data":[]}`))
	f.Add([]byte(`"\u001b[2J\u202e"`))
	f.Fuzz(func(t *testing.T, member []byte) {
		if !json.Valid(member) {
			return
		}
		e := newRemoteError("m", member)
		if e.Message == "" || len(e.Error()) > 3*maxText {
			t.Fatalf("%q gave %q", member, e.Error())
		}
		if text := e.Error(); cleanText(e.Reason()) != e.Reason() || bytes.ContainsAny([]byte(text), "\n\r\x1b\u202e") {
			t.Fatalf("%q gave %q", member, text)
		}
	})
}

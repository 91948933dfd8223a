package ledger_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"billfold/ledger/codec"
)

// code is ordered by its second byte, as a type of the ledger may be.
type code [2]byte

func (c *code) Compare(other any) int { return int(c[1]) - int(other.(*code)[1]) }

func (c *code) AppendBinary(b []byte) ([]byte, error) { return append(b, c[:]...), nil }

func (c *code) AppendJSON(b []byte) []byte { return codec.AppendHex(b, c[:]) }

func (c *code) ReadBinary(r *codec.Reader) error {
	data, err := r.Take(2)
	copy(c[:], data)
	return err
}

func (c *code) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	return codec.ParseHex(c[:], text, "code")
}

type weight struct {
	_      struct{} `fc:"pair"`
	Name   string   `json:"name"`
	Weight uint16   `json:"weight"`
}

type choice struct {
	_     struct{}  `fc:"variant"`
	Empty *struct{} `json:"empty"`
	Count *uint32   `json:"count"`
}

type base struct {
	ID int64 `json:"id"`
}

// Header is embedded: its members are those of the struct around it.
type Header struct {
	Version uint8 `json:"version"`
}

// everything has a member of each kind.
type everything struct {
	Header
	Base    base     `json:"base"`
	Flag    bool     `json:"flag"`
	Big     uint64   `json:"big"`
	Text    string   `json:"text"`
	Digest  [3]byte  `json:"digest"`
	Names   []string `json:"names" fc:"set"`
	Codes   []code   `json:"codes" fc:"set"`
	Weights []weight `json:"weights" fc:"map"`
	Choices []choice `json:"choices" fc:"set"`
	Maybe   *int8    `json:"maybe"`
	Hidden  string   `json:"-"`
}

func (e *everything) SetDefaults() { e.Text = "unset" }

func filled() everything {
	minus, four := int8(-1), uint32(4)
	return everything{
		Header: Header{Version: 7}, Base: base{ID: -5}, Flag: true, Big: 1 << 40, Text: "a\"\t\x7f", Digest: [3]byte{1, 2, 255},
		Names: []string{"b", "a", "b"}, Codes: []code{{1, 2}, {2, 1}}, Weights: []weight{{Name: "z", Weight: 1}, {Name: "y", Weight: 2}},
		Choices: []choice{{Count: &four}, {}}, Maybe: &minus, Hidden: "x",
	}
}

const filledJSON = `{"version":7,"base":{"id":-5},"flag":true,"big":"1099511627776","text":"a\"\t\u007f","digest":"0102ff",` +
	`"names":["a","b"],"codes":["0201","0102"],"weights":[["y",2],["z",1]],"choices":[[0,{}],[1,4]],"maybe":-1}`

// Both forms say the same, and reading one of them gives the value that writes it.
func TestBothForms(t *testing.T) {
	text, err := codec.Marshal(filled())
	if err != nil || string(text) != filledJSON {
		t.Fatalf("%s (%v)\nwant\n%s", text, err, filledJSON)
	}
	packed, err := codec.Pack(filled())
	if err != nil {
		t.Fatal(err)
	}
	var fromText, fromBytes everything
	if err := codec.Unmarshal(text, &fromText); err != nil {
		t.Fatal(err)
	}
	if err := codec.Unpack(packed, &fromBytes); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(fromText, fromBytes) {
		t.Errorf("JSON says %+v, bytes say %+v", fromText, fromBytes)
	}
	if again, err := codec.Pack(fromText); err != nil || !bytes.Equal(again, packed) {
		t.Errorf("packed again: %x (%v), want %x", again, err, packed)
	}
}

// Nothing that is signed may have two forms in bytes.
func TestUnpackAcceptsOneFormOnly(t *testing.T) {
	packed, err := codec.Pack([]weight{})
	if err != nil || len(packed) != 1 {
		t.Fatal(packed, err)
	}
	type names struct {
		Names []string `json:"names" fc:"set"`
	}
	for what, data := range map[string]string{
		"a set out of order": "\x02\x01b\x01a", "a set with a repetition": "\x02\x01a\x01a",
		"a long number": "\x81\x00\x01a", "less than it says": "\x02\x01a", "more than it says": "\x01\x01a\x01",
		"a count beyond the bytes": "\xff\xff\xff\x01",
	} {
		var n names
		if err := codec.Unpack([]byte(data), &n); err == nil {
			t.Errorf("%s was read as %q", what, n.Names)
		}
	}
	var flag bool
	if err := codec.Unpack([]byte{2}, &flag); err == nil {
		t.Error("2 was read as a boolean")
	}
}

func TestUnmarshalByTheReferencesRules(t *testing.T) {
	var e everything
	err := codec.Unmarshal([]byte(`{"big":"7","new":{"x":[1,"]"]},"flag":"true","big":8,"names":["b","a"],"text":5}`), &e)
	if err != nil || e.Big != 7 || !e.Flag || fmt.Sprint(e.Names) != "[a b]" || e.Text != "5" {
		t.Errorf("%+v (%v)", e, err)
	}
	if err := codec.Unmarshal([]byte("{}"), &e); err != nil || e.Text != "unset" {
		t.Errorf("the default is %q (%v)", e.Text, err)
	}
	for _, text := range []string{"", "{", "{}x", "{,}", `{"big":1.5}`, `{"big":-1}`, `{"choices":[[2,{}]]}`, `{"weights":[["a"]]}`} {
		if err := codec.Unmarshal([]byte(text), &e); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestFaultsNameTheMember(t *testing.T) {
	var list struct {
		All []everything `json:"all"`
	}
	err := codec.Unmarshal([]byte(`{"all":[{"base":{"id":"x"}}]}`), &list)
	var fault *codec.FieldError
	if !errors.As(err, &fault) || fault.Path != "all.base.id" {
		t.Errorf("%v", err)
	}
}

// watching is a base that keeps what it does not know.
type watching struct {
	code
	base base
	kept []byte
}

func (w *watching) ReadJSON(p *codec.Parser) (err error) {
	w.kept, err = p.Watch(func() error { return codec.ReadJSON(p, &w.base) })
	return err
}

// Watch keeps the text of what is not known, and of nothing else.
func TestWatchKeepsTheUnknown(t *testing.T) {
	for text, kept := range map[string]string{`{"id":1}`: "", ` {"id":1,"new":2} `: `{"id":1,"new":2}`} {
		var w watching
		if err := codec.Unmarshal([]byte(text), &w); err != nil || string(w.kept) != kept || w.base.ID != 1 {
			t.Errorf("%s: kept %q (%v)", text, w.kept, err)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	type node struct {
		Next []node `json:"next"`
	}
	var n node
	for _, err := range []error{
		codec.Unmarshal([]byte(strings.Repeat(`{"next":[`, 60)), &n), codec.Unpack(bytes.Repeat([]byte{1}, 200), &n),
	} {
		if err == nil || !strings.Contains(err.Error(), "nested too deep") {
			t.Error(err)
		}
	}
}

// What unpacks packs to the same bytes, whatever the kinds of its members.
func FuzzEverything(f *testing.F) {
	packed, err := codec.Pack(filled())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, data []byte) {
		var e everything
		if err := codec.Unpack(data, &e); err != nil {
			return
		}
		if again, err := codec.Pack(e); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%x packs to %x (%v)", data, again, err)
		}
		if _, err := codec.Marshal(e); err != nil {
			t.Error(err)
		}
	})
}

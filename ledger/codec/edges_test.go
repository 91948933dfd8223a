package codec

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
)

// A scalar is read as the node does, and nothing else is one.
func TestScalars(t *testing.T) {
	for text, want := range map[string]string{`"x"`: "x", "12": "12", "-12": "-12", "0": "0", "1.5": "1.5", "true": "true", "false": "false", " 7": "7"} {
		p := Parser{data: []byte(text)}
		if got, err := p.Scalar(); got != want || err != nil {
			t.Errorf("%s is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "null", "[1]", "{}", "x", "+1"} {
		p := Parser{data: []byte(text)}
		if got, err := p.Scalar(); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// A boolean is read as the node does: a word, a number or a text of one, and nothing else is one.
func TestBooleans(t *testing.T) {
	for text, want := range map[string]bool{"true": true, "false": false, `"true"`: true, `"false"`: false, "1": true, "0": false, "2": true, "-1": true, `"0"`: false, `"1"`: true, "10": true} {
		p := Parser{data: []byte(text)}
		if got, err := p.Bool(); got != want || err != nil {
			t.Errorf("%s is %t, %v", text, got, err)
		}
	}
	for text, want := range map[string]bool{"true": true, `"true"`: true, "1": true, "0": false, `"1"`: true, `"0"`: false, "1.0": true, "0e5": false} {
		p := Parser{data: []byte(text), exact: true}
		if got, err := p.Bool(); got != want || err != nil {
			t.Errorf("a caller's %s is %t, %v", text, got, err)
		}
	}
	for _, text := range []string{"2", "-1", `"2"`, "10", "0.5", `"on"`, `"TRUE"`, `"True"`, `""`} {
		p := Parser{data: []byte(text), exact: true}
		if got, err := p.Bool(); err == nil && p.end() == nil {
			t.Errorf("a caller's %s is %t", text, got)
		}
	}
	for _, text := range []string{"", "yes", `"yes"`, "1a", "[]", "null"} {
		p := Parser{data: []byte(text)}
		if got, err := p.Bool(); err == nil && p.end() == nil {
			t.Errorf("%q is %t", text, got)
		}
	}
}

// Numbers are read in their shortest form only, up to the limit, and not beyond the bytes.
func TestVarints(t *testing.T) {
	for _, c := range []struct {
		data []byte
		most uint64
		want uint64
		ok   bool
	}{
		{[]byte{0}, 10, 0, true}, {[]byte{10}, 10, 10, true}, {[]byte{11}, 10, 0, false}, {[]byte{0x80, 1}, 1000, 128, true},
		{[]byte{0x80, 0}, 1000, 0, false}, {[]byte{0x81, 0}, 1000, 0, false}, {nil, 10, 0, false}, {[]byte{0x80}, 10, 0, false},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, math.MaxUint64, math.MaxUint64, true},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2}, math.MaxUint64, 0, false},
	} {
		r := &Reader{data: c.data}
		got, err := r.Varint(c.most)
		if (err == nil) != c.ok || got != c.want {
			t.Errorf("%x is %d, %v", c.data, got, err)
		}
		if c.ok && len(r.data) != 0 {
			t.Errorf("%x leaves %x", c.data, r.data)
		}
	}
}

// The node's JSON becomes standard JSON with the same texts, wherever a control character or a backslash is, even the last.
func TestTheNodesJSONBecomesStandard(t *testing.T) {
	for data, want := range map[string]string{
		`{"a":"b"}`: "", "\"a\tb\"": `"a\tb"`, "\"a\x01b\"": `"a\u0001b"`, `"a\ab"`: `"a\u0007b"`, `"a\qb"`: `"aqb"`, `"\\"`: `"\\"`,
		`"\u0041"`: `"A"`, `"a\`: "", `"a\"`: "", "\"\\\n\"": `"\n"`, `\`: "",
	} {
		out := FromFC([]byte(data))
		var got, standard string
		if want == "" {
			if string(out) != data {
				t.Errorf("%q became %q", data, out)
			}
		} else if err := json.Unmarshal(out, &got); err != nil || json.Unmarshal([]byte(want), &standard) != nil || got != standard {
			t.Errorf("%q became %q, which is %q, %v", data, out, got, err)
		}
	}
}

// Escapes are read as encoding/json reads them, at each edge of the surrogates.
func TestEscapesAreReadAsByOthers(t *testing.T) {
	for _, text := range []string{`"\ud800\udc00"`, `"\udbff\udfff"`, `"\ud800\udbff"`, `"\ud800\ue000"`, `"\udc00"`, `"\ud7ff"`, `"\ue000"`, `"\ud800x"`,
		`"\udbff\udc00"`, `"\ud83d\ude00"`, `"\udc00\udc00"`, `"\ud800\udfff"`} {
		var want string
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		p := Parser{data: []byte(text)}
		if got, err := p.Text(); got != want || err != nil {
			t.Errorf("%s is %q, want %q (%v)", text, got, want, err)
		}
	}
}

// Half an escape is read as a character that cannot be shown, wherever the text ends.
func TestHalfAnEscapeIsNoCharacter(t *testing.T) {
	for _, text := range []string{`"\ud800\u12"`, `"\ud800\u"`, `"\ud800"`, `"\u12"`} {
		p := Parser{data: []byte(text)}
		if got, err := p.Text(); err == nil && !strings.Contains(got, "\ufffd") {
			t.Errorf("%s is %q", text, got)
		}
	}
	if digits, err := WholeNumber("-0"); digits != "0" || err != nil {
		t.Errorf("-0 is %q, %v", digits, err)
	}
}

// As many levels as the node reads are read, and not one more.
func TestDepthIsCountedExactly(t *testing.T) {
	nested := func(p *Parser) error {
		var item func() error
		item = func() error { return p.Array(item) }
		return item()
	}
	for levels, ok := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		p := Parser{data: []byte(strings.Repeat("[", levels) + strings.Repeat("]", levels))}
		if err := nested(&p); (err == nil) != ok {
			t.Errorf("%d levels: %v", levels, err)
		}
	}
}

// An error while a value is read within another one is an error of the whole.
func TestErrorsWithinAreErrors(t *testing.T) {
	type inner struct {
		Digest [20]byte `json:"digest"`
		Short  [3]byte  `json:"short"`
	}
	for text, ok := range map[string]bool{
		`{"digest":"0102030405060708090a0b0c0d0e0f1011121314","short":"010203"}`: true,
		`{"digest":"01","short":"010203"}`:                                       false,
		`{"digest":7}`:                                                           false,
		`{"short":"01020"}`:                                                      false,
	} {
		var v inner
		p := Parser{data: []byte(text)}
		if err := ReadJSON(&p, &v); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A sign in the place of another one is an error, wherever in a value it is.
func TestWrongSignsAreErrors(t *testing.T) {
	p := Parser{data: []byte("7")}
	if _, err := p.Watch(func() error { return ErrJSON }); err == nil {
		t.Error("what cannot be read was watched without an error")
	}
	type pair struct {
		A uint32 `json:"a"`
		B string `json:"b"`
	}
	for text, ok := range map[string]bool{`{"a":1,"b":"x"}`: true, `{"a";1,"b":"x"}`: false, `{"a" 1,"b":"x"}`: false, `{"a":1;"b":"x"}`: false, `["a":1,"b":"x"}`: false,
		`{a":1,"b":"x"}`: false, `{"a":1,"b":x"}`: false, `{"a":1,"b":"x"]`: false, `{"a":[1],"b":"x"}`: false, `{"a":{},"b":"x"}`: false, `{"a":1x,"b":"x"}`: false, `{"a"`: false} {
		var v pair
		if err := Unmarshal([]byte(text), &v); (err == nil) != ok {
			t.Errorf("%s is %+v, %v", text, v, err)
		}
	}
}

// A map is written in the order of its keys, and a set in its order with each member once, so that each value has one form.
func TestEachValueHasOneForm(t *testing.T) {
	for range 5 { // maps are walked through in any order
		if text, err := Marshal(map[string]uint32{"b": 1, "a": 2, "d": 3, "c": 4}); string(text) != `{"a":2,"b":1,"c":4,"d":3}` || err != nil {
			t.Errorf("a map is %s, %v", text, err)
		}
	}
	type set struct {
		L []string `json:"l" fc:"set"`
	}
	want, err := Pack(&set{[]string{"a", "b", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]string{{"c", "b", "a"}, {"a", "a", "b", "c"}, {"a", "b", "c", "c"}, {"a", "b", "b", "c", "c"}, {"b", "a", "c", "a"}} {
		if got, err := Pack(&set{list}); string(got) != string(want) || err != nil {
			t.Errorf("the set %v is packed as %x, not %x (%v)", list, got, want, err)
		}
	}
}

// every has a member of each shape that a value of the ledger has.
type every struct {
	Bool  bool     `json:"bool"`
	Int8  int8     `json:"int8"`
	Int   int64    `json:"int"`
	Uint  uint16   `json:"uint"`
	Text  string   `json:"text"`
	Hash  [20]byte `json:"hash"`
	List  []uint32 `json:"list"`
	Set   []string `json:"set" fc:"set"`
	Map   []entry  `json:"map" fc:"map"`
	Some  *uint32  `json:"some"`
	Pair  entry    `json:"pair"`
	Kind  choice   `json:"kind"`
	Kinds []choice `json:"kinds" fc:"set"`
	Inner struct {
		A uint32 `json:"a"`
	} `json:"inner"`
}

type entry struct {
	_     struct{} `fc:"pair"`
	Key   uint32   `json:"key"`
	Value string   `json:"value"`
}

type choice struct {
	_ struct{} `fc:"variant"`
	A *uint32  `json:"a"`
	B *string  `json:"b"`
}

func everyValue() *every {
	one, text := uint32(1), "b"
	v := &every{Bool: true, Int8: -2, Int: -5_000_000_000, Uint: 7, Text: "text", Hash: [20]byte{1, 2}, List: []uint32{3, 1, 2}, Set: []string{"a", "b"},
		Map: []entry{{Key: 1, Value: "x"}, {Key: 2, Value: "y"}}, Some: &one, Pair: entry{Key: 9, Value: "z"}, Kind: choice{B: &text},
		Kinds: []choice{{A: &one}, {B: &text}}}
	v.Inner.A = 4
	return v
}

// A value is read from its own bytes and its own JSON and from nothing that is shorter or longer, wherever it is cut off.
func TestWhatIsCutOffIsRefused(t *testing.T) {
	want := everyValue()
	packed, err := Pack(want)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var fromBytes, fromJSON every
	if err := Unpack(packed, &fromBytes); err != nil || !reflect.DeepEqual(&fromBytes, want) {
		t.Errorf("%x is %+v, %v", packed, fromBytes, err)
	}
	if err := UnmarshalExact(text, &fromJSON); err != nil || !reflect.DeepEqual(&fromJSON, want) {
		t.Errorf("%s is %+v, %v", text, fromJSON, err)
	}
	for n := range packed {
		if err := Unpack(packed[:n], new(every)); err == nil {
			t.Errorf("its first %d bytes of %d are read", n, len(packed))
		}
	}
	for n := range text {
		if err := Unmarshal(text[:n], new(every)); err == nil {
			t.Errorf("%s is read", text[:n])
		}
	}
	if Unpack(append(packed, 0), new(every)) == nil || Unmarshal(append(text, '0'), new(every)) == nil {
		t.Error("with more behind it, it is read")
	}
}

// What is not in its member's form is refused, with the path of the member, from bytes and from JSON.
func TestWrongMembersAreRefused(t *testing.T) {
	text, err := Marshal(everyValue())
	if err != nil {
		t.Fatal(err)
	}
	for member, wrong := range map[string]string{
		"bool": `"x"`, "int8": "128", "int": "9223372036854775808", "uint": "65536", "text": "[]", "hash": `"01"`, "list": `[1,"x"]`, "set": `["a",{}]`,
		"map": `[[1,"x"],[2]]`, "some": `"x"`, "pair": `[9,"z",1]`, "kind": `[2,"b"]`, "kinds": `[[0,1],[1]]`, "inner": "[]", "inner.a": `{"a":-1}`,
	} {
		name, _, _ := strings.Cut(member, ".")
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatal(err)
		}
		members[name] = json.RawMessage(wrong)
		changed, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		at, is := errors.AsType[*FieldError](Unmarshal(changed, new(every)))
		if !is || !strings.HasPrefix(at.Path, member) {
			t.Errorf("%s as %s: %v", member, wrong, at)
		}
	}
	for name, list := range map[string]any{"a set": &struct {
		L []string `json:"l"`
	}{[]string{"b", "a"}}, "a set with one twice": &struct {
		L []string `json:"l"`
	}{[]string{"a", "a"}}} {
		packed, err := Pack(list)
		if err != nil {
			t.Fatal(err)
		}
		var set struct {
			L []string `json:"l" fc:"set"`
		}
		if err := Unpack(packed, &set); err == nil {
			t.Errorf("%s is unpacked out of order", name)
		}
	}
}

// What has no form on the ledger is refused, wherever in a value it is.
func TestWhatHasNoFormIsRefused(t *testing.T) {
	type odd struct {
		F float64 `json:"f"`
	}
	type pair struct {
		_ struct{} `fc:"pair"`
		A odd      `json:"a"`
		B odd      `json:"b"`
	}
	type second struct {
		_ struct{} `fc:"pair"`
		A uint32   `json:"a"`
		B odd      `json:"b"`
	}
	type kind struct {
		_ struct{} `fc:"variant"`
		A *odd     `json:"a"`
	}
	type of[T any] struct {
		V T `json:"v"`
	}
	for name, v := range map[string]any{"a member": &of[odd]{}, "a list": &of[[]odd]{[]odd{{}}}, "an optional": &of[*odd]{new(odd)}, "a pair": &of[pair]{},
		"the second of a pair": &of[second]{}, "a variant": &of[kind]{}, "a number": &of[float64]{}, "a map by numbers": &of[map[int]string]{}, "a map of it": &of[map[string]odd]{map[string]odd{"a": {}}},
		"anything": &of[any]{odd{}}} {
		if text, err := Marshal(v); err == nil {
			t.Errorf("%s is written as %s", name, text)
		}
		if packed, err := Pack(v); err == nil {
			t.Errorf("%s is packed as %x", name, packed)
		}
	}
}

// What is skipped, because this program does not know it, is skipped whole and has to be JSON: what follows is read where it is.
func TestWhatIsNotKnownIsSkippedWhole(t *testing.T) {
	type known struct {
		A uint32 `json:"a"`
		B uint32 `json:"b"`
	}
	for text, ok := range map[string]bool{
		"{}": true, "[]": true, "[[],{}]": true, `{"a":[1,{"b":null}],"c":"x\"}"}`: true, "-1": true, "0": true, "9": true, "1.5e3": true, `""`: true, `"]"`: true,
		"true": true, "false": true, "null": true, "[true,false,null]": true, ` [ 1 , 2 ] `: true,
		"": false, "tru": false, "x": false, "/": false, ":": false, "+1": false, `"abc`: false, "[1,]": false, "[,1]": false, "[1 2]": false, "{,}": false,
		`{"a":1,}`: false, `{"a":}`: false, `{"a"}`: false, `{"a":[}`: false, "[tru]": false, "{1:2}": false, `{"a":"b}`: false, "[": false, "{": false, "}": false,
	} {
		var v known
		p := Parser{data: []byte(text)}
		if raw, err := p.Raw(); (err == nil && p.end() == nil) != ok || ok && strings.TrimSpace(text) != string(raw) {
			t.Errorf("%q is skipped as %q, %v", text, raw, err)
		}
		err := Unmarshal([]byte(`{"a":1,"unknown":`+text+`,"b":2}`), &v)
		if (err == nil) != ok || ok && v != (known{1, 2}) {
			t.Errorf("around %q it is %+v, %v", text, v, err)
		}
		if err := UnmarshalExact([]byte(`{"a":1,"unknown":`+text+`,"b":2}`), &v, "unknown"); (err == nil) != ok {
			t.Errorf("around %q that is named as another's: %v", text, err)
		}
	}
}

// Hex fills its place exactly, or is refused, whatever its case.
func TestHexFillsItsPlace(t *testing.T) {
	for text, want := range map[string]string{"0102": "\x01\x02", "aBcD": "\xab\xcd", "": "", "01": "", "010203": "", "010": "", "01020": "", "zz01": "", "0x01": ""} {
		dst := make([]byte, 2)
		err := ParseHex(dst, text, "hash")
		if (err == nil) != (want != "") || want != "" && string(dst) != want {
			t.Errorf("%q is %x, %v", text, dst, err)
		}
		if err != nil && !strings.Contains(err.Error(), "expected 4 hex digits") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Half a character is found wherever it is, and text that is cut off within an escape has none.
func TestHalvesOfCharactersAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		`"\ud83d"`: true, `"\ude00"`: true, `"\ud83d\u0041"`: true, `"\ud83d\ud83d\ude00"`: true, `"a\\\ud83d"`: true, `"x\ud83dx"`: true, `"\u0041\udc00"`: true,
		`"\ud83d\ude00"`: false, `"\\ud83d"`: false, `"\u0041"`: false, `"ud83d"`: false, `\`: false, `\u`: false, `\ud8`: false, `\ud83`: false, `"\u12`: false, "": false,
		`\ud83d`: true, `"\ud83d\`: true, `"\ud83d\u`: true,
	} {
		if got := HasHalfCharacter([]byte(text)); got != want {
			t.Errorf("%s has half a character: %v", text, got)
		}
	}
}

// Bytes are nested as deep as JSON, and not one deeper; what was read beside does not count.
func TestDepthOfBytesIsCountedExactly(t *testing.T) {
	var nested func(r *Reader, levels int) error
	nested = func(r *Reader, levels int) error {
		if levels == 0 {
			return nil
		}
		return r.Nested(func() error { return nested(r, levels-1) })
	}
	r := new(Reader)
	for range 3 {
		if err := nested(r, maxDepth); err != nil {
			t.Errorf("%d levels: %v", maxDepth, err)
		}
	}
	if err := nested(new(Reader), maxDepth+1); err == nil {
		t.Errorf("%d levels are read", maxDepth+1)
	}
}

// Who wrote something of another kind is told which was expected and which was found.
func TestWhatWasFoundInstead(t *testing.T) {
	for found, want := range map[string]string{"{}": "an object", "[]": "a list", `"x"`: "text", "true": "a boolean", "false": "a boolean", "null": "null", "0": "a number", "9": "a number",
		"-1": "a number", "": "the end"} {
		p := Parser{data: []byte(found)}
		if err := p.unexpected('['); err == nil || err.Error() != "expected a list, found "+want {
			t.Errorf("%q: %v", found, err)
		}
	}
	for _, found := range []string{"x", "/", ":", "+"} {
		p := Parser{data: []byte(found)}
		if err := p.unexpected('['); !errors.Is(err, ErrJSON) {
			t.Errorf("%q: %v", found, err)
		}
	}
}

// Numbers of a fixed size are read whole or not at all, and only into a place that there is.
func TestNumbersOfAFixedSize(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	for n := range 9 {
		if got, err := (&Reader{data: data[:n]}).Uint32(); (err == nil) != (n >= 4) || err == nil && got != 0x04030201 {
			t.Errorf("of %d bytes %x, %v", n, got, err)
		}
		if got, err := (&Reader{data: data[:n]}).Uint64(); (err == nil) != (n >= 8) || err == nil && got != 0x0807060504030201 {
			t.Errorf("of %d bytes %x, %v", n, got, err)
		}
		if got, err := (&Reader{data: data[:n]}).Take(n + 1); err == nil {
			t.Errorf("of %d bytes one more is taken: %x", n, got)
		}
	}
	for _, into := range []any{every{}, (*every)(nil), 7} {
		if Unpack(nil, into) == nil || Unmarshal([]byte("{}"), into) == nil {
			t.Errorf("something is read into %T", into)
		}
	}
}

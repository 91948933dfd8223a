package codec

import (
	"errors"
	"reflect"
	"slices"
	"sync"
)

// Coder is a type that writes and reads itself. It must be in the method set of
// the type's pointer.
type Coder interface {
	// AppendBinary appends the value's bytes.
	AppendBinary(b []byte) ([]byte, error)
	// ReadBinary reads the value from the front of packed bytes.
	ReadBinary(r *Reader) error
	// AppendJSON appends the value's JSON.
	AppendJSON(b []byte) []byte
	// ReadJSON reads the value from the front of JSON.
	ReadJSON(p *Parser) error
}

// Defaulter is a struct whose missing JSON members have defaults other than zero.
type Defaulter interface{ SetDefaults() }

// Ordered is a type that is not sorted by its number or text in a set or map.
// It is implemented on pointers; other is a pointer to the same type.
type Ordered interface{ Compare(other any) int }

var (
	coderType     = reflect.TypeFor[Coder]()
	defaulterType = reflect.TypeFor[Defaulter]()
	orderedType   = reflect.TypeFor[Ordered]()
)

// codec writes and reads one Go type; it is built once per type.
type codec struct {
	pack   func(b []byte, v reflect.Value) ([]byte, error)
	unpack func(r *Reader, v reflect.Value) error
	json   func(b []byte, v reflect.Value) ([]byte, error)
	parse  func(p *Parser, v reflect.Value) error
}

// finder finds the codec of a type; tag is the `fc` tag of the member of that type.
type finder func(t reflect.Type, tag string) *codec

// later returns a function that finds the codec of t on first use, so that types
// may contain themselves (a proposal contains operations).
func (find finder) later(t reflect.Type, tag string) func() *codec {
	return sync.OnceValue(func() *codec { return find(t, tag) })
}

// append writes a value that may not be addressable.
func (find finder) append(b []byte, v reflect.Value) ([]byte, error) {
	if !v.CanAddr() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p.Elem()
	}
	return find(v.Type(), "").json(b, v)
}

// codecs holds the codec of every type seen so far. It is a cache, bounded by
// the number of types in the program.
var codecs sync.Map // reflect.Type → *codec

func codecOf(t reflect.Type) *codec {
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	c := new(codec)
	*c = buildCodec(t)
	actual, _ := codecs.LoadOrStore(t, c)
	return actual.(*codec)
}

// find is codecOf for codecs that contain others; a slice's tag selects its codec.
func find(t reflect.Type, tag string) *codec {
	if tag == "" || t.Kind() != reflect.Slice {
		return codecOf(t)
	}
	c := sliceCodec(t, tag, find)
	return &c
}

func buildCodec(t reflect.Type) codec {
	switch {
	case reflect.PointerTo(t).Implements(coderType):
		return coderCodec()
	case hasOwnJSON(t):
		return foreignCodec(t)
	}
	switch t.Kind() {
	case reflect.Bool:
		return boolCodec()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return intCodec(t)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return uintCodec(t)
	case reflect.String:
		return stringCodec()
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return rawArrayCodec(t)
		}
	case reflect.Slice:
		return sliceCodec(t, "", find)
	case reflect.Pointer:
		return optionalCodec(t, find)
	case reflect.Struct:
		switch shape(t) {
		case "pair":
			return pairCodec(t, find)
		case "variant":
			return variantCodec(t, find)
		}
		return structCodec(t, find)
	case reflect.Interface:
		return interfaceCodec(find)
	case reflect.Map:
		return mapCodec(t, find)
	}
	return unsupportedCodec(t)
}

// Pack writes v, a ledger value, as the reference's bytes (docs/protocol/serialization.md 1).
func Pack(v any) ([]byte, error) { return AppendPacked(make([]byte, 0, usualSize), v) }

// usualSize holds most transactions, so that packing one allocates once.
const usualSize = 256

// AppendPacked appends what Pack returns to b.
func AppendPacked(b []byte, v any) ([]byte, error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer {
		return codecOf(rv.Type().Elem()).pack(b, rv.Elem())
	}
	p := reflect.New(rv.Type())
	p.Elem().Set(rv)
	return codecOf(rv.Type()).pack(b, p.Elem())
}

// Unpack reads exactly all of data into v, a pointer. It accepts only bytes
// that Pack would write for the same value, so an id computed from them holds.
func Unpack(data []byte, v any) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return errors.New("codec: Unpack needs a pointer")
	}
	if len(data) > maxRawSize {
		return errors.New("more bytes than any ledger value has")
	}
	r := Reader{data: data}
	if err := codecOf(rv.Type().Elem()).unpack(&r, rv.Elem()); err != nil {
		return err
	}
	if len(r.data) > 0 {
		return errors.New("bytes are left over after the value")
	}
	return nil
}

// Marshal writes v as JSON by the reference's rules: integers above 4294967295
// as decimal strings, hashes and bytes as hex, sets in order, optional members
// left out when not set. Text is raw UTF-8; only what JSON forbids is escaped.
// v may be any struct, slice, map with text keys, basic value or json.Marshaler.
func Marshal(v any) ([]byte, error) { return AppendJSON(nil, v) }

// AppendJSON appends what Marshal returns to b.
func AppendJSON(b []byte, v any) ([]byte, error) {
	if v == nil {
		return append(b, "null"...), nil
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && !rv.IsNil() {
		rv = rv.Elem()
	}
	if rv.Kind() == reflect.Struct { // growing from empty would copy the text about eight times
		b = slices.Grow(b, usualText)
	}
	return finder(find).append(b, rv)
}

// usualText holds most objects of the ledger in JSON, and half of a transfer with its memo.
const usualText = 512

// Unmarshal reads JSON into v, a pointer, by the reference's rules: an integer
// may be a number or a decimal string, unknown members are skipped, missing
// ones keep the type's default, the first of repeated names counts, and sets
// are sorted. 2.0 and 1e1 are integers as JSON allows them; a fraction never is.
func Unmarshal(data []byte, v any) error {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return errors.New("codec: Unmarshal needs a pointer")
	}
	p := Parser{data: data}
	if err := codecOf(rv.Type().Elem()).parse(&p, rv.Elem()); err != nil {
		return err
	}
	return p.end()
}

// UnmarshalExact is Unmarshal for what a person or program wrote. A member that v does not have, is missing or appears
// twice is a *MemberError; an entry that appears twice in a set or map is an error too, and so is
// half a character (ErrHalfCharacter). Pointers, lists and members with
// omitempty or a default may be left out. Members named in others are skipped at any depth.
func UnmarshalExact(data []byte, v any, others ...string) error {
	p := Parser{data: data, exact: true, others: others}
	rv := reflect.ValueOf(v).Elem()
	if err := codecOf(rv.Type()).parse(&p, rv); err != nil {
		return err
	}
	return p.end()
}

// UnmarshalKnown is UnmarshalExact for a text that may leave members out.
func UnmarshalKnown(data []byte, v any) error {
	p := Parser{data: data, exact: true, partial: true}
	rv := reflect.ValueOf(v).Elem()
	if err := codecOf(rv.Type()).parse(&p, rv); err != nil {
		return err
	}
	return p.end()
}

// ReadJSON reads the next value of p into v, a pointer; it is for types that
// contain others and implement Coder.
func ReadJSON(p *Parser, v any) error {
	rv := reflect.ValueOf(v).Elem()
	return codecOf(rv.Type()).parse(p, rv)
}

// ReadBinary reads the next value of r into v, a pointer; it is for types that
// contain others and implement Coder.
func ReadBinary(r *Reader, v any) error {
	rv := reflect.ValueOf(v).Elem()
	return r.Nested(func() error { return codecOf(rv.Type()).unpack(r, rv) })
}

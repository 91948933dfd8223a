package ledger

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// coder is a type that writes and reads itself. It is implemented on pointers
// (or values, whose methods a pointer has too).
type coder interface {
	pack(b []byte) ([]byte, error)
	unpack(r *reader) error
	appendJSON(b []byte) []byte
	parseJSON(p *parser) error
}

// defaulter is a struct whose missing JSON members do not mean zero.
type defaulter interface{ setDefaults() }

// codec is how one Go type is written and read; made once per type.
type codec struct {
	pack   func(b []byte, v reflect.Value) ([]byte, error)
	unpack func(r *reader, v reflect.Value) error
	json   func(b []byte, v reflect.Value) ([]byte, error)
	parse  func(p *parser, v reflect.Value) error
}

var (
	coderType     = reflect.TypeFor[coder]()
	defaulterType = reflect.TypeFor[defaulter]()
	publicKeyType = reflect.TypeFor[PublicKey]()
)

// codecs holds the codec of every type seen; it only ever grows to the number
// of types in the program.
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

func buildCodec(t reflect.Type) codec {
	switch {
	case t == publicKeyType:
		return publicKeyCodec()
	case reflect.PointerTo(t).Implements(coderType):
		return coderCodec()
	case speaksForItself(t):
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
		return sliceCodec(t, "")
	case reflect.Pointer:
		return optionalCodec(t)
	case reflect.Struct:
		return structCodec(t)
	case reflect.Interface:
		return interfaceCodec()
	case reflect.Map:
		return mapCodec(t)
	}
	return unsupportedCodec(t)
}

// speaksForItself says that a type is written by its own MarshalJSON. A struct
// with members is not: its method may be one that an embedded struct lends it,
// which would leave out the members around that.
func speaksForItself(t reflect.Type) bool {
	if !t.Implements(marshalerType) {
		return false
	}
	switch t.Kind() {
	case reflect.Struct:
		return len(fieldsOf(t)) == 0
	case reflect.Slice, reflect.Map, reflect.String:
		return true
	}
	return false
}

// lazyCodec finds the codec of t when it is first used, so that types may
// contain themselves (a proposal contains operations).
func lazyCodec(t reflect.Type) func() *codec {
	return sync.OnceValue(func() *codec { return codecOf(t) })
}

func coderCodec() codec {
	of := func(v reflect.Value) coder { return v.Addr().Interface().(coder) }
	return codec{
		pack:   func(b []byte, v reflect.Value) ([]byte, error) { return of(v).pack(b) },
		unpack: func(r *reader, v reflect.Value) error { return of(v).unpack(r) },
		json:   func(b []byte, v reflect.Value) ([]byte, error) { return of(v).appendJSON(b), nil },
		parse:  func(p *parser, v reflect.Value) error { return of(v).parseJSON(p) },
	}
}

func unsupportedCodec(t reflect.Type) codec {
	err := fmt.Errorf("ledger: a Go %s has no form on the ledger", t)
	return codec{
		pack:   func([]byte, reflect.Value) ([]byte, error) { return nil, err },
		unpack: func(*reader, reflect.Value) error { return err },
		json:   func([]byte, reflect.Value) ([]byte, error) { return nil, err },
		parse:  func(*parser, reflect.Value) error { return err },
	}
}

// field is one member of a struct.
type field struct {
	index int
	name  string
	quote string // `"name":`
	codec func() *codec
	omit  bool // left out of JSON when nil
}

// fieldsOf lists the members of t that have a name, embedded structs flattened
// by position. JSON-only members carry `fc:"-"`.
func fieldsOf(t reflect.Type) []field {
	var list []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || name == "" && !f.Anonymous {
			continue
		}
		list = append(list, field{
			index: i, name: name, quote: string(appendString(nil, name)) + ":",
			codec: fieldCodec(f), omit: f.Type.Kind() == reflect.Pointer,
		})
	}
	return list
}

func fieldCodec(f reflect.StructField) func() *codec {
	tag := f.Tag.Get("fc")
	if tag == "" || f.Type.Kind() != reflect.Slice {
		return lazyCodec(f.Type)
	}
	return sync.OnceValue(func() *codec {
		c := sliceCodec(f.Type, tag)
		return &c
	})
}

// shape is the tag on a struct's blank field: "pair", "variant" or nothing.
func shape(t reflect.Type) string {
	if f, ok := t.FieldByName("_"); ok {
		return f.Tag.Get("fc")
	}
	return ""
}

func structCodec(t reflect.Type) codec {
	switch shape(t) {
	case "pair":
		return pairCodec(t)
	case "variant":
		return variantCodec(t)
	}
	s := &structPlan{fields: fieldsOf(t), defaults: hasDefaults(t)}
	return codec{pack: s.pack, unpack: s.unpack, json: s.json, parse: s.parse}
}

type structPlan struct {
	fields   []field
	defaults bool // some member, at any depth, has a default that is not zero
}

// hasDefaults says whether a missing member of t may mean something else than zero.
func hasDefaults(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	if reflect.PointerTo(t).Implements(defaulterType) {
		return true
	}
	for i := range t.NumField() {
		if hasDefaults(t.Field(i).Type) {
			return true
		}
	}
	return false
}

// setDefaults sets the defaults of v's members, then v's own.
func setDefaults(v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Field(i); f.CanSet() && hasDefaults(f.Type()) {
			setDefaults(f)
		}
	}
	if d, ok := v.Addr().Interface().(defaulter); ok {
		d.setDefaults()
	}
}

func (s *structPlan) pack(b []byte, v reflect.Value) (_ []byte, err error) {
	for i := range s.fields {
		f := &s.fields[i]
		if b, err = f.codec().pack(b, v.Field(f.index)); err != nil {
			return nil, within(f.name, err)
		}
	}
	return b, nil
}

func (s *structPlan) unpack(r *reader, v reflect.Value) error {
	for i := range s.fields {
		f := &s.fields[i]
		if err := f.codec().unpack(r, v.Field(f.index)); err != nil {
			return within(f.name, err)
		}
	}
	return nil
}

func (s *structPlan) json(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '{')
	b, err := s.members(b, v)
	return append(b, '}'), err
}

// members writes the members without braces, so that embedded structs flow
// into the one that holds them.
func (s *structPlan) members(b []byte, v reflect.Value) (_ []byte, err error) {
	start := len(b)
	for i := range s.fields {
		f := &s.fields[i]
		fv := v.Field(f.index)
		if f.omit && fv.IsNil() {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		if f.name == "" {
			b, err = planOf(fv.Type()).members(b, fv)
		} else {
			b, err = f.codec().json(append(b, f.quote...), fv)
		}
		if err != nil {
			return b, within(f.name, err)
		}
	}
	return b, nil
}

// planOf gives the plan of an embedded struct type.
func planOf(t reflect.Type) *structPlan {
	if p, ok := plans.Load(t); ok {
		return p.(*structPlan)
	}
	p, _ := plans.LoadOrStore(t, &structPlan{fields: fieldsOf(t)})
	return p.(*structPlan)
}

var plans sync.Map // reflect.Type → *structPlan

func (s *structPlan) parse(p *parser, v reflect.Value) error {
	if s.defaults {
		setDefaults(v)
	}
	seen := make([]bool, 0, 32)
	return p.object(func(name []byte) error {
		f, fv, at := s.find(v, name, 0)
		for len(seen) <= at {
			seen = append(seen, false)
		}
		if f == nil || seen[at] { // unknown, or a repeated name: the first one counts
			p.unknown = p.unknown || f == nil
			return p.skip()
		}
		seen[at] = true
		if err := f.codec().parse(p, fv); err != nil {
			return within(f.name, err)
		}
		return nil
	})
}

// find looks a member up by name, through embedded structs; at is its position
// in the flattened list.
func (s *structPlan) find(v reflect.Value, name []byte, at int) (*field, reflect.Value, int) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.name == string(name) && f.name != "" {
			return f, v.Field(f.index), at + i
		}
	}
	at += len(s.fields)
	for i := range s.fields {
		f := &s.fields[i]
		if f.name != "" {
			continue
		}
		inner := planOf(v.Field(f.index).Type())
		if g, gv, n := inner.find(v.Field(f.index), name, at); g != nil {
			return g, gv, n
		}
		at += len(inner.fields)
	}
	return nil, reflect.Value{}, at
}

// FieldError says which member of a value is at fault.
type FieldError struct {
	Path string // such as "options.memo_key"
	Err  error
}

// Error names the member and the fault.
func (e *FieldError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap gives the fault.
func (e *FieldError) Unwrap() error { return e.Err }

func within(name string, err error) error {
	if name == "" || err == nil {
		return err
	}
	if e, ok := errors.AsType[*FieldError](err); ok {
		return &FieldError{Path: name + "." + e.Path, Err: e.Err}
	}
	return &FieldError{Path: name, Err: err}
}

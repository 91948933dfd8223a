package codec

import (
	"reflect"
	"sync"
)

// Coder is a type that writes and reads itself. It is implemented on pointers
// (or values, whose methods a pointer has too).
type Coder interface {
	// AppendBinary appends the value's bytes.
	AppendBinary(b []byte) ([]byte, error)
	// ReadBinary takes the value off the front of packed bytes.
	ReadBinary(r *Reader) error
	// AppendJSON appends the value's JSON.
	AppendJSON(b []byte) []byte
	// ReadJSON takes the value off the front of JSON.
	ReadJSON(p *Parser) error
}

// Defaulter is a struct whose missing JSON members do not mean zero.
type Defaulter interface{ SetDefaults() }

// Ordered is a type whose place in a set or map is not that of its number or
// text. It is implemented on pointers; other is a pointer to the same type.
type Ordered interface{ Compare(other any) int }

var (
	coderType     = reflect.TypeFor[Coder]()
	defaulterType = reflect.TypeFor[Defaulter]()
	orderedType   = reflect.TypeFor[Ordered]()
)

// codec is how one Go type is written and read; made once per type.
type codec struct {
	pack   func(b []byte, v reflect.Value) ([]byte, error)
	unpack func(r *Reader, v reflect.Value) error
	json   func(b []byte, v reflect.Value) ([]byte, error)
	parse  func(p *Parser, v reflect.Value) error
}

// finder finds the codec of a type; tag is the `fc` tag of the member that has it.
type finder func(t reflect.Type, tag string) *codec

// later finds the codec of t when it is first used, so that types may contain
// themselves (a proposal contains operations).
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

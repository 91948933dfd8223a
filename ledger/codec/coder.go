package codec

import (
	"reflect"
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

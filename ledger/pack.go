package ledger

import (
	"errors"
	"reflect"
)

// Pack writes v, a ledger value, as the reference's bytes (protocol/serialization.md 1).
func Pack(v any) ([]byte, error) { return AppendPacked(make([]byte, 0, usualSize), v) }

// usualSize holds most transactions, so that packing one allocates once.
const usualSize = 256

// AppendPacked appends what Pack gives to b.
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
		return errors.New("ledger: Unpack needs a pointer")
	}
	if len(data) > maxRawSize {
		return errors.New("more bytes than any ledger value has")
	}
	r := reader{data: data}
	if err := codecOf(rv.Type().Elem()).unpack(&r, rv.Elem()); err != nil {
		return err
	}
	if len(r.data) > 0 {
		return errors.New("bytes are left over after the value")
	}
	return nil
}

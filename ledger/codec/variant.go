package codec

import (
	"reflect"
	"strconv"
)

// variantCodec is for a struct of pointers of which one is set: its position is
// the type number. If all are nil, the value is the first type's zero value.
func variantCodec(t reflect.Type, find finder) codec {
	fields := fieldsOf(t, find)
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) {
			n, inner := currentType(fields, v)
			return find(inner.Type(), "").pack(AppendVarint(b, uint64(n)), inner)
		},
		unpack: func(r *Reader, v reflect.Value) error {
			n, err := r.Varint(uint64(len(fields) - 1))
			if err != nil {
				return err
			}
			inner := setType(fields, v, int(n))
			return find(inner.Type(), "").unpack(r, inner)
		},
		json: func(b []byte, v reflect.Value) (_ []byte, err error) {
			n, inner := currentType(fields, v)
			b = append(strconv.AppendInt(append(b, '['), int64(n), 10), ',')
			b, err = find(inner.Type(), "").json(b, inner)
			return append(b, ']'), err
		},
		parse: func(p *Parser, v reflect.Value) error {
			return p.Tagged(uint64(len(fields)-1), func(n uint64) error {
				inner := setType(fields, v, int(n))
				return find(inner.Type(), "").parse(p, inner)
			})
		},
	}
}

// currentType returns the type number of the pointer that is set and what it points to.
func currentType(fields []field, v reflect.Value) (int, reflect.Value) {
	for n, f := range fields {
		if fv := v.Field(f.index); !fv.IsNil() {
			return n, fv.Elem()
		}
	}
	return 0, reflect.New(v.Field(fields[0].index).Type().Elem()).Elem()
}

// setType allocates the value of type number n and returns it.
func setType(fields []field, v reflect.Value, n int) reflect.Value {
	fv := v.Field(fields[n].index)
	fv.Set(reflect.New(fv.Type().Elem()))
	return fv.Elem()
}

package ledger

import (
	"errors"
	"reflect"
	"sort"
	"strconv"
)

// variantCodec is for a struct of pointers of which one is set: the position
// of the one is the type number. All nil means the first, at its default.
func variantCodec(t reflect.Type) codec {
	fields := fieldsOf(t)
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) {
			n, inner := chosen(fields, v)
			return codecOf(inner.Type()).pack(appendVarint(b, uint64(n)), inner)
		},
		unpack: func(r *reader, v reflect.Value) error {
			n, err := r.varint(uint64(len(fields) - 1))
			if err != nil {
				return err
			}
			inner := choose(fields, v, int(n))
			return codecOf(inner.Type()).unpack(r, inner)
		},
		json: func(b []byte, v reflect.Value) (_ []byte, err error) {
			n, inner := chosen(fields, v)
			b = append(strconv.AppendInt(append(b, '['), int64(n), 10), ',')
			b, err = codecOf(inner.Type()).json(b, inner)
			return append(b, ']'), err
		},
		parse: func(p *parser, v reflect.Value) error {
			return p.tagged(uint64(len(fields)-1), func(n uint64) error {
				inner := choose(fields, v, int(n))
				return codecOf(inner.Type()).parse(p, inner)
			})
		},
	}
}

func chosen(fields []field, v reflect.Value) (int, reflect.Value) {
	for n, f := range fields {
		if fv := v.Field(f.index); !fv.IsNil() {
			return n, fv.Elem()
		}
	}
	return 0, reflect.New(v.Field(fields[0].index).Type().Elem()).Elem()
}

func choose(fields []field, v reflect.Value, n int) reflect.Value {
	fv := v.Field(fields[n].index)
	fv.Set(reflect.New(fv.Type().Elem()))
	return fv.Elem()
}

// sliceCodec is for vectors; with tag "set" or "map" the items are kept in the
// reference's order without duplicates.
func sliceCodec(t reflect.Type, tag string) codec {
	s := &slicePlan{elem: lazyCodec(t.Elem()), t: t}
	switch tag {
	case "set":
		s.cmp = comparison(t.Elem())
	case "map":
		key := fieldsOf(t.Elem())[0].index
		cmp := comparison(t.Elem().Field(key).Type)
		s.cmp = func(a, b reflect.Value) int { return cmp(a.Field(key), b.Field(key)) }
	}
	return codec{pack: s.pack, unpack: s.unpack, json: s.json, parse: s.parse}
}

type slicePlan struct {
	elem func() *codec
	t    reflect.Type
	cmp  func(a, b reflect.Value) int // nil: order is as given
}

func (s *slicePlan) pack(b []byte, v reflect.Value) (_ []byte, err error) {
	v = s.ordered(v)
	b = appendVarint(b, uint64(v.Len()))
	for i := range v.Len() {
		if b, err = s.elem().pack(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (s *slicePlan) unpack(r *reader, v reflect.Value) error {
	n, err := r.count()
	if err != nil {
		return err
	}
	out := reflect.MakeSlice(s.t, 0, min(n, 64))
	zero := reflect.Zero(s.t.Elem())
	for i := range n {
		out = reflect.Append(out, zero)
		if err := r.nested(func() error { return s.elem().unpack(r, out.Index(i)) }); err != nil {
			return err
		}
		if s.cmp != nil && i > 0 && s.cmp(out.Index(i-1), out.Index(i)) >= 0 {
			return errors.New("the members of a set are not in order")
		}
	}
	v.Set(out)
	return nil
}

func (s *slicePlan) json(b []byte, v reflect.Value) (_ []byte, err error) {
	v = s.ordered(v)
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = s.elem().json(b, v.Index(i)); err != nil {
			return b, err
		}
	}
	return append(b, ']'), nil
}

func (s *slicePlan) parse(p *parser, v reflect.Value) error {
	out := reflect.MakeSlice(s.t, 0, 0)
	zero := reflect.Zero(s.t.Elem())
	err := p.array(func() error {
		out = reflect.Append(out, zero)
		return s.elem().parse(p, out.Index(out.Len()-1))
	})
	if err != nil {
		return err
	}
	v.Set(s.ordered(out))
	return nil
}

// ordered sorts a set; of equal keys the first stays. The slice given is left
// alone.
func (s *slicePlan) ordered(v reflect.Value) reflect.Value {
	if s.cmp == nil || s.inOrder(v) {
		return v
	}
	items := make([]reflect.Value, v.Len())
	for i := range items {
		items[i] = v.Index(i)
	}
	sort.SliceStable(items, func(i, j int) bool { return s.cmp(items[i], items[j]) < 0 })
	out := reflect.MakeSlice(s.t, 0, len(items))
	for i, item := range items {
		if i == 0 || s.cmp(items[i-1], item) != 0 {
			out = reflect.Append(out, item)
		}
	}
	return out
}

func (s *slicePlan) inOrder(v reflect.Value) bool {
	for i := 1; i < v.Len(); i++ {
		if s.cmp(v.Index(i-1), v.Index(i)) >= 0 {
			return false
		}
	}
	return true
}

// comparison gives the order of a set's members: numbers by value, strings
// bytewise, public keys by signed bytes (protocol/ledger.md 4.4).
func comparison(t reflect.Type) func(a, b reflect.Value) int {
	switch {
	case t == publicKeyType:
		return func(a, b reflect.Value) int {
			return ComparePublicKeys(a.Interface().(PublicKey), b.Interface().(PublicKey))
		}
	case t.Kind() == reflect.String:
		return func(a, b reflect.Value) int { return compareOrdered(a.String(), b.String()) }
	case t.Kind() == reflect.Struct && shape(t) == "variant":
		fields := fieldsOf(t)
		return func(a, b reflect.Value) int {
			i, _ := chosen(fields, a)
			j, _ := chosen(fields, b)
			return compareOrdered(i, j)
		}
	case t.Kind() == reflect.Struct && t == feeParametersType:
		return func(a, b reflect.Value) int {
			return compareOrdered(a.FieldByName("Code").Uint(), b.FieldByName("Code").Uint())
		}
	default:
		return func(a, b reflect.Value) int { return compareOrdered(a.Uint(), b.Uint()) }
	}
}

func compareOrdered[T int | uint64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

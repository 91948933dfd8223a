package codec

import (
	"cmp"
	"errors"
	"reflect"
	"sort"
)

// sliceCodec is for vectors. With tag "set" or "map" the items are written and
// read in the reference's order, without duplicates.
func sliceCodec(t reflect.Type, tag string, find finder) codec {
	s := &slicePlan{elem: find.later(t.Elem(), ""), t: t}
	switch tag {
	case "set":
		s.cmp = comparison(t.Elem(), find)
	case "map":
		key := fieldsOf(t.Elem(), find)[0].index
		cmp := comparison(t.Elem().Field(key).Type, find)
		s.cmp = func(a, b reflect.Value) int { return cmp(a.Field(key), b.Field(key)) }
	}
	return codec{pack: s.pack, unpack: s.unpack, json: s.json, parse: s.parse}
}

type slicePlan struct {
	elem func() *codec
	t    reflect.Type
	cmp  func(a, b reflect.Value) int // nil: the order is kept
}

func (s *slicePlan) pack(b []byte, v reflect.Value) (_ []byte, err error) {
	v = s.ordered(v)
	b = AppendVarint(b, uint64(v.Len()))
	for i := range v.Len() {
		if b, err = s.elem().pack(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (s *slicePlan) unpack(r *Reader, v reflect.Value) error {
	n, err := r.Count()
	if err != nil {
		return err
	}
	out := reflect.MakeSlice(s.t, 0, min(n, 64))
	zero := reflect.Zero(s.t.Elem())
	for i := range n {
		out = reflect.Append(out, zero)
		if err := r.Nested(func() error { return s.elem().unpack(r, out.Index(i)) }); err != nil {
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

func (s *slicePlan) parse(p *Parser, v reflect.Value) error {
	out := reflect.MakeSlice(s.t, 0, 0)
	zero := reflect.Zero(s.t.Elem())
	err := p.Array(func() error {
		out = reflect.Append(out, zero)
		return s.elem().parse(p, out.Index(out.Len()-1))
	})
	if err != nil {
		return err
	}
	v.Set(s.ordered(out))
	if p.exact && v.Len() < out.Len() {
		return errors.New("an entry is given twice")
	}
	return nil
}

// ordered returns a set sorted and without duplicates, of which the first stays.
// It does not modify v.
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

// comparison returns the order of a set's members: Ordered types by Compare, strings
// bytewise, variants by type number, numbers by value (docs/protocol/ledger.md 4.4).
func comparison(t reflect.Type, find finder) func(a, b reflect.Value) int {
	switch {
	case reflect.PointerTo(t).Implements(orderedType):
		return func(a, b reflect.Value) int { return a.Addr().Interface().(Ordered).Compare(b.Addr().Interface()) }
	case t.Kind() == reflect.String:
		return func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) }
	case t.Kind() == reflect.Struct && shape(t) == "variant":
		fields := fieldsOf(t, find)
		return func(a, b reflect.Value) int {
			i, _ := currentType(fields, a)
			j, _ := currentType(fields, b)
			return cmp.Compare(i, j)
		}
	default:
		return func(a, b reflect.Value) int { return cmp.Compare(a.Uint(), b.Uint()) }
	}
}

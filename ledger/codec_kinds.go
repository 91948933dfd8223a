package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sort"
	"strconv"
)

// A value above this is written as a decimal string (protocol/ledger.md 2).
const maxJSONNumber = 1<<32 - 1

var marshalerType = reflect.TypeFor[json.Marshaler]()

func boolCodec() codec {
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return appendBool(b, v.Bool()), nil },
		unpack: func(r *reader, v reflect.Value) error {
			x, err := r.bool()
			v.SetBool(x)
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil },
		parse: func(p *parser, v reflect.Value) error {
			x, err := p.bool()
			v.SetBool(x)
			return err
		},
	}
}

func intCodec(t reflect.Type) codec {
	size := int(t.Size())
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return appendLE(b, uint64(v.Int()), size), nil },
		unpack: func(r *reader, v reflect.Value) error {
			x, err := r.le(size)
			v.SetInt(int64(x<<(64-8*size)) >> (64 - 8*size))
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return appendInt(b, v.Int()), nil },
		parse: func(p *parser, v reflect.Value) error {
			text, err := p.number()
			if err != nil {
				return err
			}
			x, err := strconv.ParseInt(text, 10, 8*size)
			v.SetInt(x)
			return integerFault(text, "a whole number", err)
		},
	}
}

func uintCodec(t reflect.Type) codec {
	size := int(t.Size())
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return appendLE(b, v.Uint(), size), nil },
		unpack: func(r *reader, v reflect.Value) error {
			x, err := r.le(size)
			v.SetUint(x)
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return appendUint(b, v.Uint()), nil },
		parse: func(p *parser, v reflect.Value) error {
			text, err := p.number()
			if err != nil {
				return err
			}
			x, err := strconv.ParseUint(text, 10, 8*size)
			v.SetUint(x)
			return integerFault(text, "a whole number without sign", err)
		},
	}
}

func integerFault(text, what string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is out of range", clip(text))
	}
	return fmt.Errorf("%q is not %s", clip(text), what)
}

// appendInt writes v the way the node does: as a string when it does not fit
// 32 bits; a negative number always as a number.
func appendInt(b []byte, v int64) []byte {
	if v < 0 {
		return strconv.AppendInt(b, v, 10)
	}
	return appendUint(b, uint64(v))
}

func appendUint(b []byte, v uint64) []byte {
	if v <= maxJSONNumber {
		return strconv.AppendUint(b, v, 10)
	}
	b = strconv.AppendUint(append(b, '"'), v, 10)
	return append(b, '"')
}

func stringCodec() codec {
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) {
			s := v.String()
			return append(appendVarint(b, uint64(len(s))), s...), nil
		},
		unpack: func(r *reader, v reflect.Value) error {
			s, err := r.bytes()
			v.SetString(string(s))
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return appendString(b, v.String()), nil },
		parse: func(p *parser, v reflect.Value) error {
			s, err := p.scalarText()
			v.SetString(s)
			return err
		},
	}
}

// rawArrayCodec is for digests: raw bytes without a length, hex in JSON.
func rawArrayCodec(t reflect.Type) codec {
	name := "value"
	if t.Name() != "" {
		name = t.Name()
	}
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return append(b, v.Bytes()...), nil },
		unpack: func(r *reader, v reflect.Value) error {
			data, err := r.take(v.Len())
			copy(v.Bytes(), data)
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return appendHexString(b, v.Bytes()), nil },
		parse: func(p *parser, v reflect.Value) error {
			text, err := p.text()
			if err != nil {
				return err
			}
			return parseHexArray(v.Bytes(), text, name)
		},
	}
}

func publicKeyCodec() codec {
	key := func(v reflect.Value) *PublicKey { return v.Addr().Interface().(*PublicKey) }
	c := rawArrayCodec(publicKeyType)
	c.json = func(b []byte, v reflect.Value) ([]byte, error) { return appendString(b, key(v).String()), nil }
	c.parse = func(p *parser, v reflect.Value) error {
		text, err := p.text()
		if err != nil {
			return err
		}
		k, err := ParsePublicKey(text)
		*key(v) = k
		return err
	}
	return c
}

func optionalCodec(t reflect.Type) codec {
	inner := lazyCodec(t.Elem())
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, 0), nil
			}
			return inner().pack(append(b, 1), v.Elem())
		},
		unpack: func(r *reader, v reflect.Value) error {
			there, err := r.bool()
			if err != nil || !there {
				return err
			}
			v.Set(reflect.New(t.Elem()))
			return inner().unpack(r, v.Elem())
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, "null"...), nil
			}
			return inner().json(b, v.Elem())
		},
		parse: func(p *parser, v reflect.Value) error {
			if p.null() {
				return nil
			}
			v.Set(reflect.New(t.Elem()))
			return inner().parse(p, v.Elem())
		},
	}
}

// pairCodec is for a struct of two fields that is an array of two in JSON.
func pairCodec(t reflect.Type) codec {
	s := &structPlan{fields: fieldsOf(t)}
	if len(s.fields) != 2 {
		return unsupportedCodec(t)
	}
	return codec{pack: s.pack, unpack: s.unpack,
		json: func(b []byte, v reflect.Value) (_ []byte, err error) {
			b = append(b, '[')
			if b, err = s.fields[0].codec().json(b, v.Field(s.fields[0].index)); err != nil {
				return b, err
			}
			b, err = s.fields[1].codec().json(append(b, ','), v.Field(s.fields[1].index))
			return append(b, ']'), err
		},
		parse: func(p *parser, v reflect.Value) error {
			n := 0
			err := p.array(func() error {
				if n == 2 {
					return errors.New("a pair has two parts, here are more")
				}
				f := &s.fields[n]
				n++
				return within(f.name, f.codec().parse(p, v.Field(f.index)))
			})
			if err == nil && n != 2 {
				err = errors.New("a pair has two parts, here are fewer")
			}
			return err
		},
	}
}

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

// foreignCodec is for types that only have a JSON form of their own, such as
// json.RawMessage: they can be answered, never packed.
func foreignCodec(t reflect.Type) codec {
	c := unsupportedCodec(t)
	c.json = func(b []byte, v reflect.Value) ([]byte, error) {
		if (v.Kind() == reflect.Slice || v.Kind() == reflect.Pointer) && v.IsNil() {
			return append(b, "null"...), nil
		}
		data, err := v.Interface().(json.Marshaler).MarshalJSON()
		return append(b, data...), err
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		c.parse = func(p *parser, v reflect.Value) error {
			raw, err := p.raw()
			if err != nil {
				return err
			}
			return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw)
		}
	}
	return c
}

// interfaceCodec writes whatever an any holds; it cannot be read back.
func interfaceCodec() codec {
	c := unsupportedCodec(reflect.TypeFor[any]())
	c.json = func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return appendAny(b, v.Elem())
	}
	return c
}

// mapCodec writes a map with text keys as an object in key order.
func mapCodec(t reflect.Type) codec {
	c := unsupportedCodec(t)
	if t.Key().Kind() != reflect.String {
		return c
	}
	c.json = func(b []byte, v reflect.Value) (_ []byte, err error) {
		keys := v.MapKeys()
		sort.Slice(keys, func(i, j int) bool { return keys[i].String() < keys[j].String() })
		b = append(b, '{')
		for i, k := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, k.String()), ':')
			if b, err = appendAny(b, v.MapIndex(k)); err != nil {
				return b, err
			}
		}
		return append(b, '}'), nil
	}
	return c
}

// appendAny writes a value that may not be addressable.
func appendAny(b []byte, v reflect.Value) ([]byte, error) {
	if !v.CanAddr() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p.Elem()
	}
	return codecOf(v.Type()).json(b, v)
}

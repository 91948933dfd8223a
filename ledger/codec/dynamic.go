package codec

import (
	"encoding/json"
	"reflect"
	"sort"
)

var marshalerType = reflect.TypeFor[json.Marshaler]()

// hasOwnJSON reports whether a type is written by its own MarshalJSON. A struct with
// members is not: the method may be promoted from an embedded struct and would
// leave out the other members.
func hasOwnJSON(t reflect.Type) bool {
	if !t.Implements(marshalerType) {
		return false
	}
	switch t.Kind() {
	case reflect.Struct:
		return !hasFields(t)
	case reflect.Slice, reflect.Map, reflect.String, reflect.Uint64:
		return true
	}
	return false
}

// optionalCodec is for pointers: a flag byte, then the value if there is one.
func optionalCodec(t reflect.Type, find finder) codec {
	inner := find.later(t.Elem(), "")
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, 0), nil
			}
			return inner().pack(append(b, 1), v.Elem())
		},
		unpack: func(r *Reader, v reflect.Value) error {
			present, err := r.Bool()
			if err != nil || !present {
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
		parse: func(p *Parser, v reflect.Value) error {
			if p.Null() {
				return nil
			}
			v.Set(reflect.New(t.Elem()))
			return inner().parse(p, v.Elem())
		},
	}
}

// foreignCodec is for types that only have a JSON form of their own, such as
// json.RawMessage: they cannot be packed.
func foreignCodec(t reflect.Type) codec {
	c := unsupportedCodec(t)
	c.json = func(b []byte, v reflect.Value) ([]byte, error) {
		if (v.Kind() == reflect.Slice || v.Kind() == reflect.Pointer) && v.IsNil() {
			return append(b, "null"...), nil
		}
		data, err := v.Interface().(json.Marshaler).MarshalJSON()
		b = append(b, data...)
		if _, secret := v.Interface().(interface{ Wipe() }); secret {
			clear(data)
		}
		return b, err
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		c.parse = func(p *Parser, v reflect.Value) error {
			raw, err := p.Raw()
			if err != nil {
				return err
			}
			return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw)
		}
	}
	return c
}

// interfaceCodec writes whatever an any holds; it cannot be read back.
func interfaceCodec(find finder) codec {
	c := unsupportedCodec(reflect.TypeFor[any]())
	c.json = func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return find.append(b, v.Elem())
	}
	return c
}

// mapCodec writes a map with text keys as an object in key order.
func mapCodec(t reflect.Type, find finder) codec {
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
			b = append(AppendString(b, k.String()), ':')
			if b, err = find.append(b, v.MapIndex(k)); err != nil {
				return b, err
			}
		}
		return append(b, '}'), nil
	}
	return c
}

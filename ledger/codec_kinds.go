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

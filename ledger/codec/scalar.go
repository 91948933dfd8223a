package codec

import (
	"fmt"
	"reflect"
	"strconv"
)

func boolCodec() codec {
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return AppendBool(b, v.Bool()), nil },
		unpack: func(r *Reader, v reflect.Value) error {
			x, err := r.Bool()
			v.SetBool(x)
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil },
		parse: func(p *Parser, v reflect.Value) error {
			x, err := p.Bool()
			v.SetBool(x)
			return err
		},
	}
}

func intCodec(t reflect.Type) codec {
	size := int(t.Size())
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return AppendLE(b, uint64(v.Int()), size), nil },
		unpack: func(r *Reader, v reflect.Value) error {
			x, err := r.Uint(size)
			v.SetInt(int64(x<<(64-8*size)) >> (64 - 8*size))
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return AppendInt(b, v.Int()), nil },
		parse: func(p *Parser, v reflect.Value) error {
			text, err := p.Whole()
			if err != nil {
				return err
			}
			x, err := strconv.ParseInt(text, 10, 8*size)
			v.SetInt(x)
			return NumberError(text, "a whole number", err)
		},
	}
}

func uintCodec(t reflect.Type) codec {
	size := int(t.Size())
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return AppendLE(b, v.Uint(), size), nil },
		unpack: func(r *Reader, v reflect.Value) error {
			x, err := r.Uint(size)
			v.SetUint(x)
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return AppendUint(b, v.Uint()), nil },
		parse: func(p *Parser, v reflect.Value) error {
			text, err := p.Whole()
			if err != nil {
				return err
			}
			x, err := strconv.ParseUint(text, 10, 8*size)
			v.SetUint(x)
			return NumberError(text, "a whole number without sign", err)
		},
	}
}

func stringCodec() codec {
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) {
			s := v.String()
			return append(AppendVarint(b, uint64(len(s))), s...), nil
		},
		unpack: func(r *Reader, v reflect.Value) error {
			s, err := r.Bytes()
			v.SetString(string(s))
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return AppendString(b, v.String()), nil },
		parse: func(p *Parser, v reflect.Value) error {
			s, err := p.Scalar()
			v.SetString(s)
			return err
		},
	}
}

// rawArrayCodec is for digests: raw bytes without a length, hex in JSON.
func rawArrayCodec(t reflect.Type) codec {
	name := t.Name()
	if t.Len() == 20 || t.Len() == 32 || name == "" {
		name = "hash"
	}
	return codec{
		pack: func(b []byte, v reflect.Value) ([]byte, error) { return append(b, v.Bytes()...), nil },
		unpack: func(r *Reader, v reflect.Value) error {
			data, err := r.Take(v.Len())
			copy(v.Bytes(), data)
			return err
		},
		json: func(b []byte, v reflect.Value) ([]byte, error) { return AppendHex(b, v.Bytes()), nil },
		parse: func(p *Parser, v reflect.Value) error {
			text, err := p.Text()
			if err != nil {
				return err
			}
			return ParseHex(v.Bytes(), text, name)
		},
	}
}

func coderCodec() codec {
	asCoder := func(v reflect.Value) Coder { return v.Addr().Interface().(Coder) }
	return codec{
		pack:   func(b []byte, v reflect.Value) ([]byte, error) { return asCoder(v).AppendBinary(b) },
		unpack: func(r *Reader, v reflect.Value) error { return asCoder(v).ReadBinary(r) },
		json:   func(b []byte, v reflect.Value) ([]byte, error) { return asCoder(v).AppendJSON(b), nil },
		parse:  func(p *Parser, v reflect.Value) error { return asCoder(v).ReadJSON(p) },
	}
}

func unsupportedCodec(t reflect.Type) codec {
	err := fmt.Errorf("a Go %s has no form on the ledger", t)
	return codec{
		pack:   func([]byte, reflect.Value) ([]byte, error) { return nil, err },
		unpack: func(*Reader, reflect.Value) error { return err },
		json:   func([]byte, reflect.Value) ([]byte, error) { return nil, err },
		parse:  func(*Parser, reflect.Value) error { return err },
	}
}

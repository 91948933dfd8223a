package ledger

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"billfold/ledger/codec"
)

// Variant is a value of any JSON kind, as in the data of non-fungible tokens. It
// holds nil, int64 (negative only), uint64, Double, bool, string, []Variant or
// []VariantMember. A number's text decides its kind: without a sign uint64, with
// "-" int64, with a point Double; with an exponent it is a string
// (docs/protocol/ledger.md 2). What a caller writes is a number in all of JSON's forms.
type Variant struct{ Value any }

// VariantMember is one member of an object inside a Variant.
type VariantMember struct {
	Name  string
	Value Variant
}

// Double is the only floating-point number on the ledger. It appears in token data
// and is passed on unchanged, never calculated with.
type Double float64

const (
	variantNull = iota
	variantInt64
	variantUint64
	variantDouble
	variantBool
	variantString
	variantArray
	variantObject
)

// survivesJSON returns an error if the value changes on its way through JSON, in which it is sent to a daemon: integers
// above 4294967295 and fractions become text there, so the daemon would not read the bytes that were signed.
func (v Variant) survivesJSON() error {
	packed, err := v.AppendBinary(nil)
	if err != nil {
		return err
	}
	text := v.AppendJSON(nil)
	var read Variant
	if err := read.UnmarshalJSON(text); err != nil {
		return err
	}
	if again, err := read.AppendBinary(nil); err != nil || !bytes.Equal(packed, again) {
		return fmt.Errorf("the value %s cannot be sent: daemons read it as text; integers go up to 4294967295, "+
			"and fractions are given as text",
			bytes.ReplaceAll(text, []byte(`"`), nil))
	}
	return nil
}

// MarshalJSON writes the value; a Double as a string with 17 decimals.
func (v Variant) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads any JSON value.
func (v *Variant) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

// AppendJSON appends the JSON form.
func (v Variant) AppendJSON(b []byte) []byte {
	switch x := v.Value.(type) {
	case int64:
		return codec.AppendInt(b, x)
	case uint64:
		return codec.AppendUint(b, x)
	case Double:
		return codec.AppendString(b, strconv.FormatFloat(float64(x), 'f', 17, 64))
	case bool:
		return strconv.AppendBool(b, x)
	case string:
		return codec.AppendString(b, x)
	case []Variant:
		b = append(b, '[')
		for i, item := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.AppendJSON(b)
		}
		return append(b, ']')
	case []VariantMember:
		b = append(b, '{')
		for i, m := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.Value.AppendJSON(append(codec.AppendString(b, m.Name), ':'))
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// ReadJSON reads the JSON form.
func (v *Variant) ReadJSON(p *codec.Parser) (err error) {
	switch c := p.Peek(); {
	case p.Null():
		v.Value = nil
	case p.Word("true"):
		v.Value = true
	case p.Word("false"):
		v.Value = false
	case c == '"':
		v.Value, err = p.Text()
	case c == '[':
		items := []Variant{}
		err = p.Array(func() error {
			items = append(items, Variant{})
			return items[len(items)-1].ReadJSON(p)
		})
		v.Value = items
	case c == '{':
		members := []VariantMember{}
		err = p.Object(func(name []byte) error {
			members = append(members, VariantMember{Name: string(name)})
			return members[len(members)-1].Value.ReadJSON(p)
		})
		v.Value = members
	default:
		v.Value, err = parseVariantNumber(p)
	}
	return err
}

func parseVariantNumber(p *codec.Parser) (any, error) {
	text, err := p.Number()
	if err != nil {
		return nil, codec.ErrJSON
	}
	if p.Exact() { // 2.0 and 1e1 of a caller are whole numbers, and a fraction is one in either form
		digits, err := codec.WholeNumber(text)
		if err != nil {
			f, err := strconv.ParseFloat(text, 64)
			return Double(f), codec.NumberError(text, "a number", err)
		}
		text = digits
	}
	switch {
	case strings.ContainsAny(text, "eE"):
		return text, nil
	case strings.Contains(text, "."):
		f, err := strconv.ParseFloat(text, 64)
		return Double(f), codec.NumberError(text, "a number", err)
	case strings.HasPrefix(text, "-"):
		n, err := strconv.ParseInt(text, 10, 64)
		return n, codec.NumberError(text, "a number", err)
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, codec.NumberError(text, "a number", err)
}

// AppendBinary appends the bytes.
func (v Variant) AppendBinary(b []byte) (_ []byte, err error) {
	switch x := v.Value.(type) {
	case nil:
		return append(b, variantNull), nil
	case int64:
		return codec.AppendLE(append(b, variantInt64), uint64(x), 8), nil
	case uint64:
		return codec.AppendLE(append(b, variantUint64), x, 8), nil
	case Double:
		return codec.AppendLE(append(b, variantDouble), math.Float64bits(float64(x)), 8), nil
	case bool:
		return codec.AppendBool(append(b, variantBool), x), nil
	case string:
		return append(codec.AppendVarint(append(b, variantString), uint64(len(x))), x...), nil
	case []Variant:
		b = codec.AppendVarint(append(b, variantArray), uint64(len(x)))
		for _, item := range x {
			if b, err = item.AppendBinary(b); err != nil {
				return nil, err
			}
		}
		return b, nil
	case []VariantMember:
		b = codec.AppendVarint(append(b, variantObject), uint64(len(x)))
		for _, m := range x {
			b = append(binary.AppendUvarint(b, uint64(len(m.Name))), m.Name...)
			if b, err = m.Value.AppendBinary(b); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	return nil, fmt.Errorf("a Go %T is not a token value", v.Value)
}

// ReadBinary reads the bytes.
func (v *Variant) ReadBinary(r *codec.Reader) error {
	kind, err := r.Uint(1)
	if err != nil {
		return err
	}
	switch kind {
	case variantNull:
		return nil
	case variantInt64, variantUint64, variantDouble:
		return v.unpackNumber(r, kind)
	case variantBool:
		v.Value, err = r.Bool()
		return err
	case variantString:
		text, err := r.Bytes()
		v.Value = string(text)
		return err
	case variantArray, variantObject:
		return r.Nested(func() error { return v.unpackItems(r, kind == variantObject) })
	}
	return errors.New("a token value of an unknown kind")
}

func (v *Variant) unpackNumber(r *codec.Reader, kind uint64) error {
	n, err := r.Uint64()
	switch kind {
	case variantInt64:
		v.Value = int64(n)
	case variantUint64:
		v.Value = n
	default:
		v.Value = Double(math.Float64frombits(n))
	}
	return err
}

func (v *Variant) unpackItems(r *codec.Reader, named bool) error {
	n, err := r.Count()
	items, members := []Variant{}, []VariantMember{}
	for i := 0; i < n && err == nil; i++ {
		var m VariantMember
		if named {
			var name []byte
			if name, err = r.Bytes(); err != nil {
				return err
			}
			m.Name = string(name)
		}
		err = m.Value.ReadBinary(r)
		items, members = append(items, m.Value), append(members, m)
	}
	if v.Value = any(items); named {
		v.Value = members
	}
	return err
}

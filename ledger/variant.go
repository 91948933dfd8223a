package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Variant is a value of any JSON kind, as the data of non-fungible tokens. It
// holds nil, int64 (negative only), uint64, Double, bool, string, []Variant or
// []VariantMember. A number's kind is decided by its digits: without sign
// uint64, with "-" int64, with a point a double; with an exponent it is text
// (protocol/ledger.md 2).
type Variant struct{ Value any }

// VariantMember is one member of an object inside a Variant.
type VariantMember struct {
	Name  string
	Value Variant
}

// Double is the only fraction on the ledger, inside token data; it is carried,
// never calculated with.
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

// MarshalJSON writes the value; a double as text with 17 decimals.
func (v Variant) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

// UnmarshalJSON reads any JSON value.
func (v *Variant) UnmarshalJSON(data []byte) error { return Unmarshal(data, v) }

func (v Variant) appendJSON(b []byte) []byte {
	switch x := v.Value.(type) {
	case int64:
		return appendInt(b, x)
	case uint64:
		return appendUint(b, x)
	case Double:
		return appendString(b, strconv.FormatFloat(float64(x), 'f', 17, 64))
	case bool:
		return strconv.AppendBool(b, x)
	case string:
		return appendString(b, x)
	case []Variant:
		b = append(b, '[')
		for i, item := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	case []VariantMember:
		b = append(b, '{')
		for i, m := range x {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.Value.appendJSON(append(appendString(b, m.Name), ':'))
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func (v *Variant) parseJSON(p *parser) (err error) {
	switch c := p.peek(); {
	case p.null():
		v.Value = nil
	case p.word("true"):
		v.Value = true
	case p.word("false"):
		v.Value = false
	case c == '"':
		v.Value, err = p.text()
	case c == '[':
		items := []Variant{}
		err = p.array(func() error {
			items = append(items, Variant{})
			return items[len(items)-1].parseJSON(p)
		})
		v.Value = items
	case c == '{':
		members := []VariantMember{}
		err = p.object(func(name []byte) error {
			members = append(members, VariantMember{Name: string(name)})
			return members[len(members)-1].Value.parseJSON(p)
		})
		v.Value = members
	default:
		v.Value, err = parseVariantNumber(p)
	}
	return err
}

func parseVariantNumber(p *parser) (any, error) {
	text, err := p.number()
	if err != nil {
		return nil, errJSON
	}
	switch {
	case strings.ContainsAny(text, "eE"):
		return text, nil
	case strings.Contains(text, "."):
		f, err := strconv.ParseFloat(text, 64)
		return Double(f), integerFault(text, "a number", err)
	case strings.HasPrefix(text, "-"):
		n, err := strconv.ParseInt(text, 10, 64)
		return n, integerFault(text, "a number", err)
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, integerFault(text, "a number", err)
}

func (v Variant) pack(b []byte) (_ []byte, err error) {
	switch x := v.Value.(type) {
	case nil:
		return append(b, variantNull), nil
	case int64:
		return appendLE(append(b, variantInt64), uint64(x), 8), nil
	case uint64:
		return appendLE(append(b, variantUint64), x, 8), nil
	case Double:
		return appendLE(append(b, variantDouble), math.Float64bits(float64(x)), 8), nil
	case bool:
		return appendBool(append(b, variantBool), x), nil
	case string:
		return append(appendVarint(append(b, variantString), uint64(len(x))), x...), nil
	case []Variant:
		b = appendVarint(append(b, variantArray), uint64(len(x)))
		for _, item := range x {
			if b, err = item.pack(b); err != nil {
				return nil, err
			}
		}
		return b, nil
	case []VariantMember:
		b = appendVarint(append(b, variantObject), uint64(len(x)))
		for _, m := range x {
			b = append(binary.AppendUvarint(b, uint64(len(m.Name))), m.Name...)
			if b, err = m.Value.pack(b); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	return nil, fmt.Errorf("a Go %T is not a token value", v.Value)
}

func (v *Variant) unpack(r *reader) error {
	kind, err := r.le(1)
	if err != nil {
		return err
	}
	switch kind {
	case variantNull:
		return nil
	case variantInt64, variantUint64, variantDouble:
		return v.unpackNumber(r, kind)
	case variantBool:
		v.Value, err = r.bool()
		return err
	case variantString:
		text, err := r.bytes()
		v.Value = string(text)
		return err
	case variantArray, variantObject:
		return r.nested(func() error { return v.unpackItems(r, kind == variantObject) })
	}
	return errors.New("a token value of an unknown kind")
}

func (v *Variant) unpackNumber(r *reader, kind uint64) error {
	n, err := r.uint64()
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

func (v *Variant) unpackItems(r *reader, named bool) error {
	n, err := r.count()
	items, members := []Variant{}, []VariantMember{}
	for i := 0; i < n && err == nil; i++ {
		var m VariantMember
		if named {
			var name []byte
			if name, err = r.bytes(); err != nil {
				return err
			}
			m.Name = string(name)
		}
		err = m.Value.unpack(r)
		items, members = append(items, m.Value), append(members, m)
	}
	if v.Value = any(items); named {
		v.Value = members
	}
	return err
}

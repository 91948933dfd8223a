package codec

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// field is one member of a struct.
type field struct {
	index    int
	name     string
	quote    string // `"name":`
	codec    func() *codec
	omit     bool        // left out of JSON when nil
	optional bool        // may be missing in JSON
	embedded *structPlan // of an embedded struct, whose members belong to the outer one
}

// fieldsOf lists the members of t in order: named fields and embedded structs.
// Fields with `fc:"-"` need not be in JSON.
func fieldsOf(t reflect.Type, find finder) []field {
	var list []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, ok := memberName(f)
		if !ok {
			continue
		}
		member := field{
			index: i, name: name, quote: string(AppendString(nil, name)) + ":",
			codec: find.later(f.Type, f.Tag.Get("fc")), omit: f.Type.Kind() == reflect.Pointer,
			optional: mayBeMissing(f),
		}
		if name == "" && f.Type.Kind() == reflect.Struct {
			member.embedded = &structPlan{fields: fieldsOf(f.Type, find)}
		}
		list = append(list, member)
	}
	return list
}

// mayBeMissing reports whether UnmarshalExact accepts an object without the member.
func mayBeMissing(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch f.Type.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	}
	empty := f.Type.Kind() == reflect.Struct && f.Type.NumField() == 0
	return empty || options == "omitempty" || f.Tag.Get("fc") == "-" || hasDefaults(f.Type)
}

// memberName returns a field's name on the ledger, empty for an embedded struct.
// ok is false if the field is not a member.
func memberName(f reflect.StructField) (name string, ok bool) {
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	return name, f.IsExported() && name != "-" && (name != "" || f.Anonymous)
}

func hasFields(t reflect.Type) bool {
	for i := range t.NumField() {
		if _, ok := memberName(t.Field(i)); ok {
			return true
		}
	}
	return false
}

// shape returns the tag on a struct's blank field: "pair", "variant" or nothing.
func shape(t reflect.Type) string {
	if f, ok := t.FieldByName("_"); ok {
		return f.Tag.Get("fc")
	}
	return ""
}

func structCodec(t reflect.Type, find finder) codec {
	s := &structPlan{fields: fieldsOf(t, find), defaults: hasDefaults(t)}
	return codec{pack: s.pack, unpack: s.unpack, json: s.json, parse: s.parse}
}

type structPlan struct {
	fields   []field
	defaults bool // some member, at any depth, has a default that is not zero
}

// hasDefaults reports whether t or a struct within it has defaults other than zero.
func hasDefaults(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	if reflect.PointerTo(t).Implements(defaulterType) {
		return true
	}
	for i := range t.NumField() {
		if hasDefaults(t.Field(i).Type) {
			return true
		}
	}
	return false
}

// setDefaults sets the defaults of v's members, then v's own.
func setDefaults(v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Field(i); f.CanSet() && hasDefaults(f.Type()) {
			setDefaults(f)
		}
	}
	if d, ok := v.Addr().Interface().(Defaulter); ok {
		d.SetDefaults()
	}
}

func (s *structPlan) pack(b []byte, v reflect.Value) (_ []byte, err error) {
	for i := range s.fields {
		f := &s.fields[i]
		if b, err = f.codec().pack(b, v.Field(f.index)); err != nil {
			return nil, Within(f.name, err)
		}
	}
	return b, nil
}

func (s *structPlan) unpack(r *Reader, v reflect.Value) error {
	for i := range s.fields {
		f := &s.fields[i]
		if err := f.codec().unpack(r, v.Field(f.index)); err != nil {
			return Within(f.name, err)
		}
	}
	return nil
}

func (s *structPlan) json(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '{')
	b, err := s.members(b, v)
	return append(b, '}'), err
}

// members appends the members without braces, those of embedded structs among them.
func (s *structPlan) members(b []byte, v reflect.Value) (_ []byte, err error) {
	start := len(b)
	for i := range s.fields {
		f := &s.fields[i]
		fv := v.Field(f.index)
		if f.omit && fv.IsNil() {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		if f.name == "" {
			b, err = f.embedded.members(b, fv)
		} else {
			b, err = f.codec().json(append(b, f.quote...), fv)
		}
		if err != nil {
			return b, Within(f.name, err)
		}
	}
	return b, nil
}

func (s *structPlan) parse(p *Parser, v reflect.Value) error {
	if s.defaults {
		setDefaults(v)
	}
	seen := make([]bool, 0, 32)
	err := p.Object(func(name []byte) error {
		f, fv, at := s.find(v, name, 0)
		for len(seen) <= at {
			seen = append(seen, false)
		}
		if f == nil || seen[at] { // unknown, or a repeated name: the first one counts
			p.unknown = p.unknown || f == nil
			if err := s.checkSurplus(p, string(name), f); err != nil {
				return err
			}
			return p.Skip()
		}
		seen[at] = true
		if err := f.codec().parse(p, fv); err != nil {
			return Within(f.name, err)
		}
		return nil
	})
	if err != nil || !p.exact || p.partial || s.defaults {
		return err
	}
	return s.missing(seen, 0)
}

// checkSurplus returns an error for an unknown or repeated member if p is exact. known is nil for an unknown member.
func (s *structPlan) checkSurplus(p *Parser, name string, known *field) error {
	switch {
	case !p.exact || slices.Contains(p.others, name):
		return nil
	case known != nil:
		return &MemberError{Name: name, Fault: "is given twice"}
	}
	return &MemberError{Name: name, Fault: notAMember, Known: s.names(nil)}
}

// names appends the names of the members to list.
func (s *structPlan) names(list []string) []string {
	for _, f := range s.fields {
		if f.embedded != nil {
			list = f.embedded.names(list)
			continue
		}
		list = append(list, f.name)
	}
	return list
}

// missing returns an error for the first required member that was not seen; at is the position of s's first member in
// the flattened list, see find.
func (s *structPlan) missing(seen []bool, at int) error {
	for i, f := range s.fields {
		if f.embedded == nil && !f.optional && (at+i >= len(seen) || !seen[at+i]) {
			return &MemberError{Name: f.name, Fault: "is missing"}
		}
	}
	at += len(s.fields)
	for _, f := range s.fields {
		if f.embedded == nil {
			continue
		}
		if err := f.embedded.missing(seen, at); err != nil {
			return err
		}
		at += len(f.embedded.fields)
	}
	return nil
}

// find looks up a member by name, in embedded structs too. at is the position of
// s's first member in the flattened list; find returns that of the member.
func (s *structPlan) find(v reflect.Value, name []byte, at int) (*field, reflect.Value, int) {
	for i := range s.fields {
		f := &s.fields[i]
		if f.name == string(name) && f.name != "" {
			return f, v.Field(f.index), at + i
		}
	}
	at += len(s.fields)
	for i := range s.fields {
		f := &s.fields[i]
		if f.name != "" {
			continue
		}
		inner := f.embedded
		if g, gv, n := inner.find(v.Field(f.index), name, at); g != nil {
			return g, gv, n
		}
		at += len(inner.fields)
	}
	return nil, reflect.Value{}, at
}

// pairCodec is for a struct of two fields that is an array of two in JSON.
func pairCodec(t reflect.Type, find finder) codec {
	s := &structPlan{fields: fieldsOf(t, find)}
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
		parse: func(p *Parser, v reflect.Value) error {
			n := 0
			err := p.Array(func() error {
				if n == 2 {
					return errors.New("a pair has two parts; there are more")
				}
				f := &s.fields[n]
				n++
				return Within(f.name, f.codec().parse(p, v.Field(f.index)))
			})
			if err == nil && n != 2 {
				err = errors.New("a pair has two parts; there are fewer")
			}
			return err
		},
	}
}

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

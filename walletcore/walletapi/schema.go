package walletapi

import (
	"encoding/json"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"billfold/ledger/codec"
)

// Schema is a JSON schema (draft 7). The zero value permits everything.
type Schema struct {
	Ref         string            `json:"$ref,omitempty"`
	Type        any               `json:"type,omitempty"` // a string, or a list of strings
	Description string            `json:"description,omitempty"`
	Pattern     string            `json:"pattern,omitempty"`
	Minimum     *int64            `json:"minimum,omitempty"`
	Maximum     *int64            `json:"maximum,omitempty"`
	Items       any               `json:"items,omitempty"` // a *Schema, or a []Schema for the places of a pair
	Properties  map[string]Schema `json:"properties,omitempty"`
	Required    []string          `json:"required,omitempty"`
	AnyOf       []Schema          `json:"anyOf,omitempty"`
}

// schemas makes schemas of Go types as the ledger's codec writes them. Structs of the
// ledger go into components and are referred to by name.
type schemas struct{ components map[string]Schema }

// described is a type that supplies its own schema, and its own words for help.
type described interface {
	schema(s *schemas) Schema
	word() string
}

// of returns the schema of t. It looks at the JSON of t's zero value, so that a
// type with a marshaler of its own needs no entry anywhere.
func (s *schemas) of(t reflect.Type) Schema {
	if d, ok := reflect.Zero(t).Interface().(described); ok {
		return d.schema(s)
	}
	if t.Kind() == reflect.Pointer {
		if t.Elem() == reflect.TypeFor[struct{}]() {
			return Schema{Type: "null"}
		}
		return s.of(t.Elem())
	}
	value := reflect.New(t)
	if t.Kind() == reflect.Slice {
		value.Elem().Set(reflect.MakeSlice(t, 0, 0)) // nil may be null
	}
	zero, err := codec.Marshal(value.Interface())
	if err != nil || len(zero) == 0 {
		return Schema{}
	}
	switch zero[0] {
	case '"':
		return textSchema(string(zero[1 : len(zero)-1]))
	case 't', 'f':
		return Schema{Type: "boolean"}
	case '{':
		return s.object(t)
	case '[':
		return s.array(t)
	case 'n':
		return Schema{}
	}
	return integerSchema(t)
}

// textSchema recognises ids, hex and keys by the text of the zero value.
func textSchema(zero string) Schema {
	switch {
	case regexp.MustCompile(`^[0-9]+\.[0-9]+\.0$`).MatchString(zero) && zero != "0.0.0":
		return Schema{Type: "string", Pattern: "^" + strings.ReplaceAll(strings.TrimSuffix(zero, "0"), ".", `\.`) + "[0-9]+$"}
	case zero == "0.0.0":
		return Schema{Type: "string", Pattern: `^[0-9]+\.[0-9]+\.[0-9]+$`}
	case len(zero) >= 40 && strings.Trim(zero, "0") == "":
		return Schema{Type: "string", Pattern: "^[0-9a-f]{" + strconv.Itoa(len(zero)) + "}$"}
	case strings.HasPrefix(zero, "DCT"):
		return Schema{Type: "string", Pattern: "^DCT[1-9A-HJ-NP-Za-km-z]+$"}
	}
	return Schema{Type: "string"}
}

// integerSchema returns the schema of an integer. Types of up to 32 bits are always numbers; wider ones are written as
// text from 4294967296 on.
func integerSchema(t reflect.Type) Schema {
	bits := t.Bits()
	switch {
	case t.Kind() >= reflect.Uint && bits <= 32:
		return Schema{Type: "integer", Minimum: new(int64(0)), Maximum: new(int64(1)<<bits - 1)}
	case bits <= 32:
		return Schema{Type: "integer", Minimum: new(-int64(1) << (bits - 1)), Maximum: new(int64(1)<<(bits-1) - 1)}
	}
	return Schema{Type: []string{"integer", "string"}}
}

func (s *schemas) array(t reflect.Type) Schema {
	switch {
	case t.Kind() == reflect.Slice && !hasMarshaler(t):
		item := s.of(t.Elem())
		return Schema{Type: "array", Items: &item}
	case t.Kind() == reflect.Struct && shapeOf(t) == "pair":
		var places []Schema
		for _, f := range members(t) {
			places = append(places, s.of(f.Type))
		}
		return Schema{Type: "array", Items: places}
	}
	return Schema{Type: "array"}
}

func hasMarshaler(t reflect.Type) bool { return t.Implements(reflect.TypeFor[json.Marshaler]()) }

// shapeOf returns the tag by which the ledger's codec recognises pairs and variants.
func shapeOf(t reflect.Type) string {
	f, _ := t.FieldByName("_")
	return f.Tag.Get("fc")
}

// members returns the fields that the ledger's codec writes, embedded ones flattened.
func members(t reflect.Type) []reflect.StructField {
	var list []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		switch name := memberName(f); {
		case !f.IsExported() || name == "-":
		case name == "" && f.Anonymous:
			list = append(list, members(f.Type)...)
		case name != "":
			list = append(list, f)
		}
	}
	return list
}

func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// object returns the schema of a struct; for a struct of the ledger, a reference to the component it adds once.
func (s *schemas) object(t reflect.Type) Schema {
	if t.Kind() != reflect.Struct || len(members(t)) == 0 {
		return Schema{Type: "object"}
	}
	if !inLedger(t) {
		return s.structure(t)
	}
	name := snake(t.Name())
	if _, known := s.components[name]; !known {
		s.components[name] = Schema{} // a type may contain itself
		s.components[name] = s.structure(t)
	}
	return Schema{Ref: "#/components/schemas/" + name}
}

func (s *schemas) structure(t reflect.Type) Schema {
	o := Schema{Type: "object", Properties: map[string]Schema{}}
	for _, f := range members(t) {
		name := memberName(f)
		member := s.of(f.Type)
		if help := f.Tag.Get("help"); help != "" && member.Ref == "" {
			member.Description = help
		}
		if o.Properties[name] = member; f.Type.Kind() != reflect.Pointer {
			o.Required = append(o.Required, name)
		}
	}
	return o
}

func inLedger(t reflect.Type) bool { return t.Name() != "" && path.Base(t.PkgPath()) == "ledger" }

// snake turns "SignedTransaction" into "signed_transaction", "ObjectID" into "object_id".
func snake(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// wordOf names a type for help, in a word or two: a struct of the ledger by its
// name, any other by its members.
func wordOf(t reflect.Type) string {
	if d, ok := reflect.Zero(t).Interface().(described); ok {
		return d.word()
	}
	switch {
	case t.Kind() == reflect.Pointer && t.Elem() == reflect.TypeFor[struct{}]():
		return "null"
	case t.Kind() == reflect.Pointer:
		return wordOf(t.Elem())
	case inLedger(t) && ledgerWords()[t.Name()] != "":
		return ledgerWords()[t.Name()]
	case inLedger(t) && t.Kind() != reflect.Bool:
		return strings.ReplaceAll(strings.ReplaceAll(snake(ledgerName(t)), "_id", " id"), "_", " ")
	case t.Kind() == reflect.Slice && !hasMarshaler(t):
		return listOf(t.Elem())
	case t.Kind() == reflect.Struct:
		return membersInWords(t)
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Interface:
		return "JSON"
	case t.Kind() == reflect.Map:
		return "object"
	}
	return t.Kind().String()
}

// listOf returns "list of accounts", "list of {id, name}".
func listOf(t reflect.Type) string {
	word := "list of " + wordOf(t)
	if inLedger(t) && t.Kind() == reflect.Struct {
		word += "s"
	}
	return word
}

// ledgerWords returns the words for types of the ledger whose Go name is not what a person would say.
func ledgerWords() map[string]string {
	return map[string]string{"SignedTransaction": "transaction", "Bytes": "hex", "KeyText": "private key", "Hash160": "40 hex digits"}
}

// ledgerName returns the type's name; for an id, which is generic, with its kind:
// ID[accountKind] is AccountID.
func ledgerName(t reflect.Type) string {
	name, kind, generic := strings.Cut(t.Name(), "[")
	if !generic {
		return name
	}
	kind = path.Ext(strings.TrimSuffix(kind, "]"))
	return strings.ToUpper(kind[1:2]) + strings.TrimSuffix(strings.TrimSuffix(kind[2:], "Kind"), "kind") + name
}

// membersInWords returns "{id, name, memo?}", or "[name, id]" for a pair.
func membersInWords(t reflect.Type) string {
	var names []string
	for _, f := range members(t) {
		name := memberName(f)
		if f.Type.Kind() == reflect.Pointer {
			name += "?"
		}
		names = append(names, name)
	}
	if shapeOf(t) == "pair" {
		return "[" + strings.Join(names, ", ") + "]"
	}
	return "{" + strings.Join(names, ", ") + "}"
}

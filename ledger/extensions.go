package ledger

import (
	"errors"
	"math"

	"billfold/ledger/codec"
)

var errExtension = errors.New("an extension of a newer ledger, which this program cannot write")

// Extensions is a list for future extensions, always empty on this ledger: JSON
// [], bytes 00. A list from JSON that is not empty marks its object as unknown.
type Extensions struct{}

// AppendBinary appends the bytes.
func (Extensions) AppendBinary(b []byte) ([]byte, error) { return append(b, 0), nil }

// AppendJSON appends the JSON form.
func (Extensions) AppendJSON(b []byte) []byte { return append(b, "[]"...) }

// ReadBinary reads the bytes.
func (*Extensions) ReadBinary(r *codec.Reader) error {
	n, err := r.Varint(math.MaxUint64)
	if err == nil && n > 0 {
		err = errExtension
	}
	return err
}

// ReadJSON reads the JSON form.
func (*Extensions) ReadJSON(p *codec.Parser) error {
	if p.Null() {
		return nil
	}
	return p.Array(p.SkipUnknown)
}

// StructExtensions is the extension struct of account_create and
// account_update, of which no member was ever used: JSON {}, bytes 00.
type StructExtensions struct{}

// AppendBinary appends the bytes.
func (StructExtensions) AppendBinary(b []byte) ([]byte, error) { return append(b, 0), nil }

// AppendJSON appends the JSON form.
func (StructExtensions) AppendJSON(b []byte) []byte { return append(b, "{}"...) }

// ReadBinary reads the bytes.
func (*StructExtensions) ReadBinary(r *codec.Reader) error { return new(Extensions).ReadBinary(r) }

// ReadJSON reads the JSON form.
func (*StructExtensions) ReadJSON(p *codec.Parser) error {
	if p.Peek() == '[' || p.Peek() == 'n' {
		return new(Extensions).ReadJSON(p)
	}
	return p.Object(func(name []byte) error { return p.SkipMember(string(name)) })
}

// Void is the empty alternative of a variant: JSON {}, no bytes.
type Void struct{}

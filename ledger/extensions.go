package ledger

import "errors"

var errExtension = errors.New("an extension of a newer ledger, which this program cannot write")

// Extensions is a list of future extensions; on this ledger always empty. JSON
// [], bytes 00. One that is not empty is marked unknown when read from JSON.
type Extensions struct{}

func (Extensions) pack(b []byte) ([]byte, error) { return append(b, 0), nil }

func (Extensions) appendJSON(b []byte) []byte { return append(b, "[]"...) }

func (*Extensions) unpack(r *reader) error {
	n, err := r.varint(maxRawSize)
	if err == nil && n > 0 {
		err = errExtension
	}
	return err
}

func (*Extensions) parseJSON(p *parser) error {
	if p.null() {
		return nil
	}
	return p.array(func() error {
		p.unknown = true
		return p.skip()
	})
}

// StructExtensions is the extension struct of account_create and
// account_update; no member was ever used. JSON {}, bytes 00.
type StructExtensions struct{}

func (StructExtensions) pack(b []byte) ([]byte, error) { return append(b, 0), nil }

func (StructExtensions) appendJSON(b []byte) []byte { return append(b, "{}"...) }

func (*StructExtensions) unpack(r *reader) error { return new(Extensions).unpack(r) }

func (*StructExtensions) parseJSON(p *parser) error {
	if p.peek() == '[' || p.peek() == 'n' {
		return new(Extensions).parseJSON(p)
	}
	return p.object(func([]byte) error {
		p.unknown = true
		return p.skip()
	})
}

// Void is the empty alternative of a choice: JSON {}, no bytes.
type Void struct{}

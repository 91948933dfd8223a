package ledger

import (
	"fmt"
	"strconv"

	"billfold/ledger/codec"
)

// MarshalJSON writes [code, {…}].
func (op Operation) MarshalJSON() ([]byte, error) { return codec.Marshal(op) }

// UnmarshalJSON reads [code, {…}].
func (op *Operation) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, op) }

// AppendJSON appends [code, {…}], or the text that was read if the operation is not known completely.
func (op *Operation) AppendJSON(b []byte) []byte {
	if op.Raw != nil {
		return append(b, op.Raw...)
	}
	b = append(strconv.AppendUint(append(b, '['), uint64(op.Code), 10), ',')
	if op.Body == nil {
		return append(b, "{}]"...)
	}
	b, err := codec.AppendJSON(b, op.Body)
	if err != nil { // cannot happen: every body type has a JSON form, as a test checks
		return append(b, "null]"...)
	}
	return append(b, ']')
}

// ReadJSON reads [code, {…}] and keeps its text if it is not known completely.
func (op *Operation) ReadJSON(p *codec.Parser) (err error) {
	op.Raw, err = p.Watch(func() error {
		return p.Tagged(1<<32, func(code uint64) error {
			op.Code = OpCode(code)
			d := declared(op.Code)
			if d == nil {
				return p.SkipUnknown()
			}
			op.Body = d.new()
			return codec.Within(d.name, codec.ReadJSON(p, op.Body))
		})
	})
	return err
}

// AppendBinary appends the code and the body's members.
func (op *Operation) AppendBinary(b []byte) ([]byte, error) {
	if op.Raw != nil || op.Body == nil {
		return nil, fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	return codec.AppendPacked(codec.AppendVarint(b, uint64(op.Code)), op.Body)
}

// ReadBinary reads the code and the body's members.
func (op *Operation) ReadBinary(r *codec.Reader) error {
	code, err := r.Varint(1 << 32)
	if err != nil {
		return err
	}
	d := declared(OpCode(code))
	if d == nil {
		return fmt.Errorf("operation %d: %w", code, ErrUnknownOperation)
	}
	op.Code, op.Body = OpCode(code), d.new()
	return codec.ReadBinary(r, op.Body)
}

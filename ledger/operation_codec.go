package ledger

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
)

// MarshalJSON writes [code, {…}].
func (op Operation) MarshalJSON() ([]byte, error) { return Marshal(op) }

// UnmarshalJSON reads [code, {…}].
func (op *Operation) UnmarshalJSON(data []byte) error { return Unmarshal(data, op) }

func (op *Operation) appendJSON(b []byte) []byte {
	if op.Raw != nil {
		return append(b, op.Raw...)
	}
	b = append(strconv.AppendUint(append(b, '['), uint64(op.Code), 10), ',')
	if op.Body == nil {
		return append(b, "{}]"...)
	}
	v := reflect.ValueOf(op.Body).Elem()
	b, err := codecOf(v.Type()).json(b, v)
	if err != nil { // cannot happen: every body type has a JSON form, a test walks them
		return append(b, "null]"...)
	}
	return append(b, ']')
}

func (op *Operation) parseJSON(p *parser) error {
	p.space()
	start, before := p.pos, p.unknown
	p.unknown = false
	err := p.tagged(1<<32, func(code uint64) error {
		op.Code = OpCode(code)
		d := declared(op.Code)
		if d == nil {
			p.unknown = true
			return p.skip()
		}
		op.Body = d.new()
		return p.nestedOperation(op.Body)
	})
	if err != nil {
		return err
	}
	if p.unknown {
		op.Raw = append(json.RawMessage{}, p.data[start:p.pos]...)
	}
	p.unknown = p.unknown || before
	return nil
}

func (p *parser) nestedOperation(body Body) error {
	v := reflect.ValueOf(body).Elem()
	return within(v.Type().Name(), codecOf(v.Type()).parse(p, v))
}

func (op *Operation) pack(b []byte) ([]byte, error) {
	if op.Raw != nil || op.Body == nil {
		return nil, fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	v := reflect.ValueOf(op.Body).Elem()
	return codecOf(v.Type()).pack(appendVarint(b, uint64(op.Code)), v)
}

func (op *Operation) unpack(r *reader) error {
	code, err := r.varint(1 << 32)
	if err != nil {
		return err
	}
	d := declared(OpCode(code))
	if d == nil {
		return fmt.Errorf("operation %d: %w", code, ErrUnknownOperation)
	}
	op.Code, op.Body = OpCode(code), d.new()
	v := reflect.ValueOf(op.Body).Elem()
	return r.nested(func() error { return codecOf(v.Type()).unpack(r, v) })
}

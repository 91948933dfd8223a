package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// OpCode is the number of an operation. Codes 46 to 51 are virtual: they stand
// in history only, a transaction that contains one is refused.
type OpCode uint64

// Body is the payload of an operation: a pointer to one of the …Op structs.
type Body interface {
	// FeePayer is the account that pays the fee and whose active authority must sign.
	FeePayer() AccountID
}

// Operation is one thing a transaction does. JSON [code, {…}], bytes varint
// code then the fields.
//
// An operation, or a member of one, that this program does not know survives
// reading: Raw then holds the whole JSON, which is written back as it was, and
// packing is refused with ErrUnknownOperation.
type Operation struct {
	Code OpCode
	Body Body            // nil when the code is not known
	Raw  json.RawMessage // set only when something in it is not known
}

// ErrUnknownOperation says that an operation is of a newer ledger and cannot
// be packed, so neither signed nor given an id.
var ErrUnknownOperation = errors.New("an operation of a newer ledger, which this program can show but not sign")

// NewOperation wraps a body with its code.
func NewOperation(body Body) Operation {
	t := reflect.TypeOf(body)
	for i := range operations {
		if operations[i].typ == t {
			return Operation{Code: operations[i].code, Body: body}
		}
	}
	return Operation{Code: OpCode(len(operations)), Body: body}
}

// OpName is the reference's name with its suffix, "transfer_operation", or
// "operation_N" for a code this program does not know.
func OpName(code OpCode) string {
	if s := specOf(code); s != nil {
		return s.name + "_operation"
	}
	return "operation_" + strconv.FormatUint(uint64(code), 10)
}

// IsVirtual says that the code stands in history only.
func (c OpCode) IsVirtual() bool {
	s := specOf(c)
	return s != nil && s.virtual
}

// NewBody gives an empty body of the code with the reference's defaults, or
// nil for a code this program does not know.
func NewBody(code OpCode) Body {
	s := specOf(code)
	if s == nil {
		return nil
	}
	body := s.make()
	if err := Unmarshal([]byte("{}"), body); err != nil {
		return nil
	}
	return body
}

// Fee is the fee the operation offers; nil when the code is not known.
func (op Operation) Fee() *AssetAmount {
	if op.Body == nil {
		return nil
	}
	return reflect.ValueOf(op.Body).Elem().Field(0).Addr().Interface().(*AssetAmount)
}

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
		spec := specOf(op.Code)
		if spec == nil {
			p.unknown = true
			return p.skip()
		}
		op.Body = spec.make()
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
	spec := specOf(OpCode(code))
	if spec == nil {
		return fmt.Errorf("operation %d: %w", code, ErrUnknownOperation)
	}
	op.Code, op.Body = OpCode(code), spec.make()
	v := reflect.ValueOf(op.Body).Elem()
	return r.nested(func() error { return codecOf(v.Type()).unpack(r, v) })
}

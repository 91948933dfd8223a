package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"billfold/ledger/codec"
)

// Operation is one thing a transaction does. Its JSON is [code, {…}]; its bytes are
// the code as a varint, then the fields.
//
// An operation that this program does not know, or of which it does not know a
// member, survives reading from JSON: Raw holds the whole JSON, which is written
// back unchanged, and packing fails with ErrUnknownOperation.
type Operation struct {
	Code OpCode
	Body Body            // nil if the code is not known
	Raw  json.RawMessage // set only if something in it is not known
}

// ErrUnknownOperation is the error for an operation of a newer ledger: it cannot be
// packed, so it can neither be signed nor have an id.
var ErrUnknownOperation = errors.New("an operation of a newer ledger, which this program can show but not sign")

// NewOperation wraps a body with its code.
func NewOperation(body Body) Operation { return Operation{Code: body.declared().code, Body: body} }

// Fee returns a pointer to the operation's fee, to be read or set, or nil if the
// code is not known.
func (op Operation) Fee() *AssetAmount {
	if op.Body == nil {
		return nil
	}
	return reflect.ValueOf(op.Body).Elem().Field(0).Addr().Interface().(*AssetAmount)
}

// Memo returns the operation's memo, or nil.
func (op Operation) Memo() *Memo {
	if m, ok := op.Body.(memoCarrier); ok {
		return *m.memo()
	}
	return nil
}

// Memos lists the operation's memos, those of proposed operations included.
func (op Operation) Memos() (out []*Memo) {
	for _, each := range op.WithProposed() {
		if memo := each.Memo(); memo != nil {
			out = append(out, memo)
		}
	}
	return out
}

// Strip removes what differs each time the same request is made: the fee and the
// memo, those of proposed operations included.
func (op Operation) Strip() {
	for _, each := range op.WithProposed() {
		if fee := each.Fee(); fee != nil {
			*fee = AssetAmount{}
		}
		if m, ok := each.Body.(memoCarrier); ok {
			*m.memo() = nil
		}
	}
}

// WithProposed returns the operation and those that it proposes, at any depth.
func (op Operation) WithProposed() []Operation {
	all := []Operation{op}
	if proposal, ok := op.Body.(interface{ Operations() []Operation }); ok {
		for _, each := range proposal.Operations() {
			all = append(all, each.WithProposed()...)
		}
	}
	return all
}

// memoCarrier is a body with a memo in it.
type memoCarrier interface{ memo() **Memo }

// Validate makes the checks of an operation that need no ledger state. The node
// refuses an operation that fails them with 3031000 (docs/protocol/serialization.md 2).
func (op Operation) Validate() error {
	if op.Body == nil || op.Raw != nil {
		return fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	if op.Fee().Amount < 0 {
		return errors.New("the fee must not be negative")
	}
	return op.Body.declared().rules(op.Body)
}

// Sentence returns in words what an operation did: "alice paid 12.25000000 DCT to
// bobby". Names and other text in it are not made safe to print; that is up to the
// caller. For an operation of a newer ledger it contains only the code.
func Sentence(op Operation, n Namer) string {
	if op.Body == nil {
		return "operation " + strconv.FormatUint(uint64(op.Code), 10) + " of a newer ledger"
	}
	return op.Body.declared().sentence.of(op.Body, n)
}

// NeedsOf returns the authorities that the operations need together. Each account
// appears once, in order of ids.
func NeedsOf(ops []Operation) Needs {
	var n Needs
	for _, op := range ops {
		if op.Body != nil {
			op.Body.declared().signs(op.Body, &n)
		}
	}
	n.Active, n.Owner = distinct(n.Active), distinct(n.Owner)
	return n
}

// Touched returns the accounts whose history the operation enters: those whose
// authority it needs and the others it concerns, each once, in order of ids.
// result is the operation's result.
func (op Operation) Touched(result OperationResult) []AccountID {
	if op.Body == nil {
		return nil
	}
	n := NeedsOf([]Operation{op})
	accounts := append(append(n.Active, n.Owner...), op.Body.FeePayer())
	for i := range n.Other {
		accounts = append(accounts, membersOf(&n.Other[i])...)
	}
	return distinct(append(accounts, op.Body.declared().touches(op.Body, result)...))
}

// Moves returns the amounts the operation moves, without the fee.
func (op Operation) Moves() []Movement {
	if op.Body == nil {
		return nil
	}
	return op.Body.declared().moves(op.Body)
}

// Receivers returns the accounts, other than the fee payer, that gain value or rights from the operation, each once, in
// order of ids.
func (op Operation) Receivers() []AccountID {
	if op.Body == nil {
		return nil
	}
	var all []AccountID
	for _, m := range op.Moves() {
		if to := AccountID(m.To.Instance()); to.Object() == m.To {
			all = append(all, to)
		}
	}
	if gives := op.Body.declared().gives; gives != nil {
		all = append(all, gives(op.Body)...)
	}
	nobody := func(id AccountID) bool { return id == op.Body.FeePayer() || id == NullAccount }
	return distinct(slices.DeleteFunc(all, nobody))
}

// OnlyPays reports whether the operation only pays what Moves lists, from the account that pays its fee.
func (op Operation) OnlyPays() bool {
	return op.Body != nil && op.Raw == nil && op.Body.declared().pays
}

func distinct(ids []AccountID) []AccountID {
	slices.Sort(ids)
	return slices.Compact(ids)
}

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

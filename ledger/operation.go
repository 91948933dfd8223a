package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

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

// ErrUnknownOperation is the error for an operation of a newer ledger, which cannot
// be packed, so neither signed nor given an id.
var ErrUnknownOperation = errors.New("an operation of a newer ledger, which this program can show but not sign")

// NewOperation wraps a body with its code.
func NewOperation(body Body) Operation { return Operation{Code: body.declared().code, Body: body} }

// Fee returns the fee the operation offers, to be read or set; nil when the code
// is not known.
func (op Operation) Fee() *AssetAmount {
	if op.Body == nil {
		return nil
	}
	return reflect.ValueOf(op.Body).Elem().Field(0).Addr().Interface().(*AssetAmount)
}

// Memo returns the memo the operation carries, nil when it has none.
func (op Operation) Memo() *Memo {
	if m, ok := op.Body.(memoCarrier); ok {
		return *m.memo()
	}
	return nil
}

// Memos lists the memos that the operation carries, those of proposed operations included.
func (op Operation) Memos() (out []*Memo) {
	for _, each := range op.WithProposed() {
		if memo := each.Memo(); memo != nil {
			out = append(out, memo)
		}
	}
	return out
}

// Strip takes away what differs each time the same is asked for: the fee and the
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

// WithProposed returns the operation, and those that it proposes, at any depth.
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

// Validate makes the checks of an operation that need no ledger state; the node
// refuses what fails them with 3031000 (protocol/serialization.md 2).
func (op Operation) Validate() error {
	if op.Body == nil || op.Raw != nil {
		return fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	if op.Fee().Amount < 0 {
		return errors.New("the fee must not be negative")
	}
	return op.Body.declared().rules(op.Body)
}

// Sentence returns in words what an operation does: "alice paid 12.25000000 DCT to
// bobby". Text that others wrote stands in it as it is; whoever shows it cleans
// it. Of an operation of a newer ledger only the number is known.
func Sentence(op Operation, n Namer) string {
	if op.Body == nil {
		return "operation " + strconv.FormatUint(uint64(op.Code), 10) + " of a newer ledger"
	}
	return op.Body.declared().sentence.of(op.Body, n)
}

// NeedsOf returns the authorities that the operations need together: each
// account once, in order.
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
// authority it needs and those it concerns besides them, each once, in order.
// result is what the operation left.
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

// Moves returns what the operation moves, the fee left out.
func (op Operation) Moves() []Movement {
	if op.Body == nil {
		return nil
	}
	return op.Body.declared().moves(op.Body)
}

// Receivers returns the accounts other than its payer to which the operation gives value or rights, each once, in order.
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

// OnlyPays reports whether the operation does nothing but pay what Moves lists, from the account that pays its fee.
func (op Operation) OnlyPays() bool {
	return op.Body != nil && op.Raw == nil && op.Body.declared().pays
}

func distinct(ids []AccountID) []AccountID {
	slices.Sort(ids)
	return slices.Compact(ids)
}

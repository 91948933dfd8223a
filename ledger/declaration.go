package ledger

import (
	"errors"
	"fmt"
)

// Body is the payload of an operation: a pointer to one of the …Op structs.
type Body interface {
	// FeePayer returns the account that pays the fee.
	FeePayer() AccountID
	// declared returns everything that is fixed for this type of operation.
	declared() *declaration
}

// declaration is everything about one type of operation besides its fields. It is
// declared next to the struct. Members may be left out only where noted: what an
// operation lacks is declared as lacking (noRules, touchesNobodyElse,
// movesNothing), and a test checks the table.
type declaration struct {
	code OpCode
	name string      // the reference's name without its suffix
	new  func() Body // an empty body, without defaults
	fee  feeRule
	// rules makes the checks that need no ledger state.
	rules func(Body) error
	// signs adds the authorities that must sign.
	signs func(Body, *Needs)
	// touches lists the accounts whose history the operation enters besides
	// those whose authority it needs.
	touches func(Body, OperationResult) []AccountID
	// moves lists the amounts that move, without the fee.
	moves func(Body) []Movement
	// gives lists the accounts that gain rights or value besides those to which
	// moves pays an amount; it may be left out.
	gives    func(Body) []AccountID
	sentence sentence
	virtual  bool // made by the ledger itself, never sent; may be left out
	pays     bool // only moves what moves lists, from its fee payer; may be left out
	told     bool // see Told; may be left out
}

// OperationResult is the result of an operation: nothing, or the id of a new object.
type OperationResult struct {
	_      struct{}  `fc:"variant"`
	Void   *Void     `json:"void"`
	Object *ObjectID `json:"object"`
}

// Movement is an amount that an operation moves. From is 0.0.0 if the amount is
// created or comes out of an object of the ledger, To if it is destroyed or goes
// into one.
type Movement struct {
	From, To ObjectID
	Amount   AssetAmount
}

// Needs are the authorities a transaction must satisfy (docs/protocol/serialization.md 5).
type Needs struct {
	Active []AccountID // each account's active authority, or its owner authority
	Owner  []AccountID // each account's owner authority
	Other  []Authority // keys required directly, as by proposal_update
}

// Empty reports whether nothing is needed.
func (n Needs) Empty() bool { return len(n.Active)+len(n.Owner)+len(n.Other) == 0 }

// empty returns an empty body of type T.
func empty[T any, P interface {
	*T
	Body
}]() Body {
	return P(new(T))
}

// rules adapts the checks of one operation type to a declaration.
func rules[T Body](check func(T) error) func(Body) error {
	return func(op Body) error { return check(op.(T)) }
}

// noRules is for operations without checks besides that of the fee.
func noRules(Body) error { return nil }

// payerSigns is for operations that need only the active authority of the fee payer.
func payerSigns(op Body, n *Needs) { n.Active = append(n.Active, op.FeePayer()) }

// signers adapts the needs of one operation type to a declaration.
func signers[T Body](add func(T, *Needs)) func(Body, *Needs) {
	return func(op Body, n *Needs) { add(op.(T), n) }
}

// gives adapts the beneficiaries of one operation type to a declaration.
func gives[T Body](accounts func(T) []AccountID) func(Body) []AccountID {
	return func(op Body) []AccountID { return accounts(op.(T)) }
}

// touches adapts the touched accounts of one operation type to a declaration.
func touches[T Body](accounts func(T) []AccountID) func(Body, OperationResult) []AccountID {
	return func(op Body, _ OperationResult) []AccountID { return accounts(op.(T)) }
}

// touchesNobodyElse is for operations that concern only their signers.
func touchesNobodyElse(Body, OperationResult) []AccountID { return nil }

// moves adapts the movements of one operation type to a declaration.
func moves[T Body](list func(T) []Movement) func(Body) []Movement {
	return func(op Body) []Movement { return list(op.(T)) }
}

// movesNothing is for operations that move no amount besides their fee.
func movesNothing(Body) []Movement { return nil }

// words adapts the sentence of one operation type to a declaration.
func words[T Body](write func(T, Namer) string) sentence {
	return wording(func(op any, n Namer) string { return write(op.(T), n) })
}

// maxDescription is the longest description, in bytes (docs/protocol/serialization.md 2).
const maxDescription = 1000

// check returns the first error, or nil.
func check(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func require(ok bool, text string) error {
	if ok {
		return nil
	}
	return errors.New(text)
}

func positive(what string, a AssetAmount) error {
	return require(a.Amount > 0, what+" must be more than zero")
}

func validDescription(text string) error {
	return require(len(text) <= maxDescription, fmt.Sprintf("a description has at most %d bytes", maxDescription))
}

package ledger

// Body is the payload of an operation: a pointer to one of the …Op structs.
type Body interface {
	// FeePayer returns the account that pays the fee.
	FeePayer() AccountID
	// declared returns everything that is fixed for this kind of operation.
	declared() *declaration
}

// declaration is everything the ledger knows about one operation besides its
// fields. Each family of operations declares its own, next to the struct. No
// member may be left out: what an operation lacks is declared as lacking
// (noRules, touchesNobodyElse, movesNothing), and a test walks the table.
type declaration struct {
	code OpCode
	name string      // the reference's name without its suffix
	new  func() Body // an empty body, without defaults
	fee  feeRule
	// rules makes the checks that need no state of the ledger.
	rules func(Body) error
	// signs adds the authorities that must sign.
	signs func(Body, *Needs)
	// touches lists the accounts whose history the operation enters besides
	// those whose authority it needs.
	touches func(Body, OperationResult) []AccountID
	// moves lists what goes from whom to whom, the fee left out.
	moves func(Body) []Movement
	// gives lists who gets rights or value besides those to whom moves pays an
	// amount; nil may be left out: nobody.
	gives    func(Body) []AccountID
	sentence sentence
	virtual  bool // set by the ledger itself, never sent; false may be left out
	pays     bool // does nothing but move from its fee payer what moves lists; false may be left out
}

// OperationResult is what an operation left: nothing, or a new object.
type OperationResult struct {
	_      struct{}  `fc:"variant"`
	Void   *Void     `json:"void"`
	Object *ObjectID `json:"object"`
}

// Movement is an amount that an operation moves. From is nobody (0.0.0) where
// the amount comes into being or out of an object of the ledger, To where it
// ceases to be or goes into one.
type Movement struct {
	From, To ObjectID
	Amount   AssetAmount
}

// Needs are the authorities a transaction must satisfy (protocol/serialization.md 5).
type Needs struct {
	Active []AccountID // each account's active authority, or its owner authority
	Owner  []AccountID // each account's owner authority
	Other  []Authority // keys named directly, as proposal_update does
}

// Empty reports whether nothing is needed.
func (n Needs) Empty() bool { return len(n.Active)+len(n.Owner)+len(n.Other) == 0 }

// empty returns an empty body of one type.
func empty[T any, P interface {
	*T
	Body
}]() Body {
	return P(new(T))
}

// rules makes checks of one type's operations fit a declaration.
func rules[T Body](check func(T) error) func(Body) error {
	return func(op Body) error { return check(op.(T)) }
}

// noRules is for operations of which only the fee can be wrong.
func noRules(Body) error { return nil }

// payerSigns is for operations that need the active authority of whoever pays the fee.
func payerSigns(op Body, n *Needs) { n.Active = append(n.Active, op.FeePayer()) }

// signers makes the needs of one type's operations fit a declaration.
func signers[T Body](add func(T, *Needs)) func(Body, *Needs) {
	return func(op Body, n *Needs) { add(op.(T), n) }
}

// gives makes the accounts of one type's operations fit a declaration.
func gives[T Body](accounts func(T) []AccountID) func(Body) []AccountID {
	return func(op Body) []AccountID { return accounts(op.(T)) }
}

// touches makes the accounts of one type's operations fit a declaration.
func touches[T Body](accounts func(T) []AccountID) func(Body, OperationResult) []AccountID {
	return func(op Body, _ OperationResult) []AccountID { return accounts(op.(T)) }
}

// touchesNobodyElse is for operations that concern only whoever signs them.
func touchesNobodyElse(Body, OperationResult) []AccountID { return nil }

// moves makes the movements of one type's operations fit a declaration.
func moves[T Body](list func(T) []Movement) func(Body) []Movement {
	return func(op Body) []Movement { return list(op.(T)) }
}

// movesNothing is for operations that cost a fee at most.
func movesNothing(Body) []Movement { return nil }

// words makes the sentence of one type's operations fit a declaration.
func words[T Body](say func(T, Namer) string) sentence {
	return wording(func(op any, n Namer) string { return say(op.(T), n) })
}

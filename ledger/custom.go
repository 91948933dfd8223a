package ledger

import "fmt"

// Codes of the operation that carries application data.
const (
	CodeCustom OpCode = 18 // custom
)

// MessageID is the id of custom operations that carry a message.
const MessageID = 1

// CustomOp carries data of an application; id 1 is a message.
type CustomOp struct {
	Fee           AssetAmount `json:"fee,omitempty"`
	Payer         AccountID   `json:"payer"`
	RequiredAuths []AccountID `json:"required_auths" fc:"set"`
	ID            uint16      `json:"id"`
	Data          Bytes       `json:"data"`
}

// FeePayer returns the payer.
func (op *CustomOp) FeePayer() AccountID { return op.Payer }

func (*CustomOp) declared() *declaration { return &customDeclaration }

var customDeclaration = declaration{
	code: CodeCustom, name: "custom", new: empty[CustomOp],
	fee:      bySize(100_000, 10),
	rules:    rules((*CustomOp).valid),
	signs:    signers((*CustomOp).needs),
	touches:  touches((*CustomOp).receivers),
	moves:    movesNothing,
	sentence: words((*CustomOp).sentence),
}

func (op *CustomOp) valid() error {
	return require(op.Fee.Amount > 0, "custom data needs a fee above zero")
}

func (op *CustomOp) sentence(n Namer) string {
	who := n.AccountName(op.Payer)
	if m, err := ReadMessage(op.Data); op.ID == MessageID && err == nil {
		return who + " sent a message to " + accountWords(m.receivers(), n)
	}
	return fmt.Sprintf("%s wrote custom data of kind %d", who, op.ID)
}

// effects names the accounts that sign for the data besides the payer.
func (op *CustomOp) effects(_ Before, n Namer) []Effect {
	if len(op.RequiredAuths) == 0 {
		return nil
	}
	return []Effect{{What: "also signed by", Now: allWithIDs(op.RequiredAuths, n)}}
}

// needs adds the payer and the accounts that the operation names.
func (op *CustomOp) needs(n *Needs) {
	n.Active = append(append(n.Active, op.Payer), op.RequiredAuths...)
}

// receivers returns the receivers of a message, or nil if the data is not one.
func (op *CustomOp) receivers() []AccountID {
	if op.ID != MessageID {
		return nil
	}
	m, err := ReadMessage(op.Data)
	if err != nil {
		return nil
	}
	return m.receivers()
}

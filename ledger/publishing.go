package ledger

// Codes of the operations on publishing rights.
const (
	CodeSetPublishingManager OpCode = 30 // set_publishing_manager
	CodeSetPublishingRight   OpCode = 31 // set_publishing_right
)

// SetPublishingManagerOp names or dismisses publishing managers; only 1.2.15 may do so.
type SetPublishingManagerOp struct {
	Fee                 AssetAmount `json:"fee,omitempty"`
	From                AccountID   `json:"from"`
	To                  []AccountID `json:"to"`
	CanCreatePublishers bool        `json:"can_create_publishers"`
}

// FeePayer returns the account that names the managers.
func (op *SetPublishingManagerOp) FeePayer() AccountID { return op.From }

func (*SetPublishingManagerOp) declared() *declaration { return &setPublishingManagerDeclaration }

var setPublishingManagerDeclaration = declaration{
	code: CodeSetPublishingManager, name: "set_publishing_manager", new: empty[SetPublishingManagerOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    signers((*SetPublishingManagerOp).needs),
	touches:  touches(func(op *SetPublishingManagerOp) []AccountID { return op.To }),
	moves:    movesNothing,
	gives:    gives((*SetPublishingManagerOp).beneficiaries),
	sentence: template("{from} {can_create_publishers:named|dismissed} publishing managers: {to}"),
}

// SetPublishingRightOp names or dismisses publishers.
type SetPublishingRightOp struct {
	Fee         AssetAmount `json:"fee,omitempty"`
	From        AccountID   `json:"from"`
	To          []AccountID `json:"to"`
	IsPublisher bool        `json:"is_publisher"`
}

// FeePayer returns the publishing manager.
func (op *SetPublishingRightOp) FeePayer() AccountID { return op.From }

func (*SetPublishingRightOp) declared() *declaration { return &setPublishingRightDeclaration }

var setPublishingRightDeclaration = declaration{
	code: CodeSetPublishingRight, name: "set_publishing_right", new: empty[SetPublishingRightOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touches(func(op *SetPublishingRightOp) []AccountID { return op.To }),
	moves:    movesNothing,
	gives:    gives((*SetPublishingRightOp).beneficiaries),
	sentence: template("{from} {is_publisher:named|dismissed} publishers: {to}"),
}

// needs adds the only account that may name managers, besides the payer.
func (op *SetPublishingManagerOp) needs(n *Needs) {
	n.Active = append(n.Active, op.From, PublishingMaster)
}

// beneficiaries returns the managers that are named; dismissed ones gain nothing.
func (op *SetPublishingManagerOp) beneficiaries() []AccountID {
	if !op.CanCreatePublishers {
		return nil
	}
	return op.To
}

// beneficiaries returns the publishers that are named; dismissed ones gain nothing.
func (op *SetPublishingRightOp) beneficiaries() []AccountID {
	if !op.IsPublisher {
		return nil
	}
	return op.To
}

// effects names who may then publish.
func (op *SetPublishingRightOp) effects(_ Before, n Namer) []Effect {
	return rightEffects(op.beneficiaries(), "may then offer content", n)
}

// effects names who may then decide who publishes.
func (op *SetPublishingManagerOp) effects(_ Before, n Namer) []Effect {
	return rightEffects(op.beneficiaries(), "may then decide who offers content", n)
}

func rightEffects(to []AccountID, may string, n Namer) []Effect {
	if len(to) == 0 {
		return nil
	}
	return []Effect{{What: "publishing rights", Now: allWithIDs(to, n), Whom: to, Careful: allWithIDs(to, n) + ": " + may}}
}

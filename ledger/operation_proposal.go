package ledger

// Codes of the proposal operations.
const (
	CodeProposalCreate OpCode = 9  // proposal_create
	CodeProposalUpdate OpCode = 10 // proposal_update
	CodeProposalDelete OpCode = 11 // proposal_delete
)

// ProposalCreateOp proposes operations that others approve.
type ProposalCreateOp struct {
	Fee                 AssetAmount         `json:"fee"`
	FeePayingAccount    AccountID           `json:"fee_paying_account"`
	ExpirationTime      Time                `json:"expiration_time"`
	ProposedOps         []ProposedOperation `json:"proposed_ops"`
	ReviewPeriodSeconds *uint32             `json:"review_period_seconds,omitempty"`
	Extensions          Extensions          `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ProposalCreateOp) FeePayer() AccountID { return op.FeePayingAccount }

// ProposalUpdateOp approves a proposal or withdraws approval.
type ProposalUpdateOp struct {
	Fee                     AssetAmount `json:"fee"`
	FeePayingAccount        AccountID   `json:"fee_paying_account"`
	Proposal                ProposalID  `json:"proposal"`
	ActiveApprovalsToAdd    []AccountID `json:"active_approvals_to_add" fc:"set"`
	ActiveApprovalsToRemove []AccountID `json:"active_approvals_to_remove" fc:"set"`
	OwnerApprovalsToAdd     []AccountID `json:"owner_approvals_to_add" fc:"set"`
	OwnerApprovalsToRemove  []AccountID `json:"owner_approvals_to_remove" fc:"set"`
	KeyApprovalsToAdd       []PublicKey `json:"key_approvals_to_add" fc:"set"`
	KeyApprovalsToRemove    []PublicKey `json:"key_approvals_to_remove" fc:"set"`
	Extensions              Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ProposalUpdateOp) FeePayer() AccountID { return op.FeePayingAccount }

// ProposalDeleteOp withdraws a proposal.
type ProposalDeleteOp struct {
	Fee                 AssetAmount `json:"fee"`
	FeePayingAccount    AccountID   `json:"fee_paying_account"`
	UsingOwnerAuthority bool        `json:"using_owner_authority"`
	Proposal            ProposalID  `json:"proposal"`
	Extensions          Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ProposalDeleteOp) FeePayer() AccountID { return op.FeePayingAccount }

// ProposedOperation wraps an operation inside a proposal: {"op": […]} in JSON,
// the bare operation in bytes.
type ProposedOperation struct {
	Op Operation `json:"op"`
}

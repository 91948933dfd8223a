package ledger

// Proposal is the object 1.6.N: operations that wait for approvals.
type Proposal struct {
	ID                       ProposalID  `json:"id"`
	ExpirationTime           Time        `json:"expiration_time"`
	ReviewPeriodTime         *Time       `json:"review_period_time,omitempty"` // from then on approvals can only be withdrawn
	ProposedTransaction      Transaction `json:"proposed_transaction"`
	RequiredActiveApprovals  []AccountID `json:"required_active_approvals"`
	AvailableActiveApprovals []AccountID `json:"available_active_approvals"`
	RequiredOwnerApprovals   []AccountID `json:"required_owner_approvals"`
	AvailableOwnerApprovals  []AccountID `json:"available_owner_approvals"`
	AvailableKeyApprovals    []PublicKey `json:"available_key_approvals"`
}

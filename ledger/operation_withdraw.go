package ledger

// Codes of the withdraw operations.
const (
	CodeWithdrawPermissionCreate OpCode = 12 // withdraw_permission_create
	CodeWithdrawPermissionUpdate OpCode = 13 // withdraw_permission_update
	CodeWithdrawPermissionClaim  OpCode = 14 // withdraw_permission_claim
	CodeWithdrawPermissionDelete OpCode = 15 // withdraw_permission_delete
)

// WithdrawPermissionCreateOp lets another account withdraw up to a limit per period.
type WithdrawPermissionCreateOp struct {
	Fee                    AssetAmount `json:"fee"`
	WithdrawFromAccount    AccountID   `json:"withdraw_from_account"`
	AuthorizedAccount      AccountID   `json:"authorized_account"`
	WithdrawalLimit        AssetAmount `json:"withdrawal_limit"`
	WithdrawalPeriodSec    uint32      `json:"withdrawal_period_sec"`
	PeriodsUntilExpiration uint32      `json:"periods_until_expiration"`
	PeriodStartTime        Time        `json:"period_start_time"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *WithdrawPermissionCreateOp) FeePayer() AccountID { return op.WithdrawFromAccount }

// WithdrawPermissionUpdateOp changes a withdraw permission; the last two fields stand the other way round than in its creation.
type WithdrawPermissionUpdateOp struct {
	Fee                    AssetAmount          `json:"fee"`
	WithdrawFromAccount    AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount      AccountID            `json:"authorized_account"`
	PermissionToUpdate     WithdrawPermissionID `json:"permission_to_update"`
	WithdrawalLimit        AssetAmount          `json:"withdrawal_limit"`
	WithdrawalPeriodSec    uint32               `json:"withdrawal_period_sec"`
	PeriodStartTime        Time                 `json:"period_start_time"`
	PeriodsUntilExpiration uint32               `json:"periods_until_expiration"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *WithdrawPermissionUpdateOp) FeePayer() AccountID { return op.WithdrawFromAccount }

// WithdrawPermissionClaimOp withdraws under a permission.
type WithdrawPermissionClaimOp struct {
	Fee                 AssetAmount          `json:"fee"`
	WithdrawPermission  WithdrawPermissionID `json:"withdraw_permission"`
	WithdrawFromAccount AccountID            `json:"withdraw_from_account"`
	WithdrawToAccount   AccountID            `json:"withdraw_to_account"`
	AmountToWithdraw    AssetAmount          `json:"amount_to_withdraw"`
	Memo                *Memo                `json:"memo,omitempty"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *WithdrawPermissionClaimOp) FeePayer() AccountID { return op.WithdrawToAccount }

// WithdrawPermissionDeleteOp takes a withdraw permission back.
type WithdrawPermissionDeleteOp struct {
	Fee                  AssetAmount          `json:"fee"`
	WithdrawFromAccount  AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount    AccountID            `json:"authorized_account"`
	WithdrawalPermission WithdrawPermissionID `json:"withdrawal_permission"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *WithdrawPermissionDeleteOp) FeePayer() AccountID { return op.WithdrawFromAccount }

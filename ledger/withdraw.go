package ledger

import "strconv"

// WithdrawPermission is the object 1.8.N: an account may withdraw up to a limit
// from another one in each period.
type WithdrawPermission struct {
	ID                  WithdrawPermissionID `json:"id"`
	WithdrawFromAccount AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount   AccountID            `json:"authorized_account"`
	WithdrawalLimit     AssetAmount          `json:"withdrawal_limit"`
	WithdrawalPeriodSec uint32               `json:"withdrawal_period_sec"`
	PeriodStartTime     Time                 `json:"period_start_time"`
	Expiration          Time                 `json:"expiration"`
	ClaimedThisPeriod   int64                `json:"claimed_this_period"`
}

// Available returns how much may still be withdrawn at time now.
func (p *WithdrawPermission) Available(now Time) int64 {
	if uint64(now) >= uint64(p.PeriodStartTime)+uint64(p.WithdrawalPeriodSec) {
		return p.WithdrawalLimit.Amount
	}
	return max(p.WithdrawalLimit.Amount-p.ClaimedThisPeriod, 0)
}

// Claim records a withdrawal at time now and moves on to the period it falls into.
func (p *WithdrawPermission) Claim(amount int64, now Time) {
	periods := int64(now) - int64(p.PeriodStartTime)
	periods /= int64(p.WithdrawalPeriodSec)
	p.PeriodStartTime += Time(periods * int64(p.WithdrawalPeriodSec))
	if periods == 0 {
		amount += p.ClaimedThisPeriod
	}
	p.ClaimedThisPeriod = amount
}

// Periods returns how many periods are left at time now, the current one included.
func (p *WithdrawPermission) Periods(now Time) int {
	length := uint64(max(p.WithdrawalPeriodSec, 1))
	return int((uint64(p.Expiration-min(max(now, p.PeriodStartTime), p.Expiration)) + length - 1) / length)
}

// Codes of the operations on withdraw permissions.
const (
	CodeWithdrawPermissionCreate OpCode = 12 // withdraw_permission_create
	CodeWithdrawPermissionUpdate OpCode = 13 // withdraw_permission_update
	CodeWithdrawPermissionClaim  OpCode = 14 // withdraw_permission_claim
	CodeWithdrawPermissionDelete OpCode = 15 // withdraw_permission_delete
)

// WithdrawPermissionCreateOp lets another account withdraw up to a limit per period.
type WithdrawPermissionCreateOp struct {
	Fee                    AssetAmount `json:"fee,omitempty"`
	WithdrawFromAccount    AccountID   `json:"withdraw_from_account"`
	AuthorizedAccount      AccountID   `json:"authorized_account"`
	WithdrawalLimit        AssetAmount `json:"withdrawal_limit"`
	WithdrawalPeriodSec    uint32      `json:"withdrawal_period_sec"`
	PeriodsUntilExpiration uint32      `json:"periods_until_expiration"`
	PeriodStartTime        Time        `json:"period_start_time"`
}

// FeePayer returns the account withdrawn from.
func (op *WithdrawPermissionCreateOp) FeePayer() AccountID { return op.WithdrawFromAccount }

func (*WithdrawPermissionCreateOp) declared() *declaration {
	return &withdrawPermissionCreateDeclaration
}

var withdrawPermissionCreateDeclaration = declaration{
	code: CodeWithdrawPermissionCreate, name: "withdraw_permission_create", new: empty[WithdrawPermissionCreateOp],
	fee:      flatFee(100_000),
	rules:    rules((*WithdrawPermissionCreateOp).valid),
	signs:    payerSigns,
	touches:  touches(func(op *WithdrawPermissionCreateOp) []AccountID { return []AccountID{op.AuthorizedAccount} }),
	moves:    movesNothing,
	gives:    gives(func(op *WithdrawPermissionCreateOp) []AccountID { return []AccountID{op.AuthorizedAccount} }),
	sentence: words((*WithdrawPermissionCreateOp).sentence),
}

func (op *WithdrawPermissionCreateOp) sentence(n Namer) string {
	return n.AccountName(op.WithdrawFromAccount) + " allowed " + n.AccountName(op.AuthorizedAccount) + " to withdraw " +
		limitWords(n.AmountText(op.WithdrawalLimit), op.WithdrawalPeriodSec, op.PeriodsUntilExpiration, op.PeriodStartTime)
}

// limitWords returns a withdrawal limit: "at most 1,000 DCT in each of 4 periods of 7 days, from … until …".
func limitWords(amount string, period, periods uint32, start Time) string {
	if periods == 1 {
		return "at most " + grouped(amount) + " in " + PeriodsWords(uint64(period), uint64(periods), start)
	}
	return "at most " + grouped(amount) + " in each of " + PeriodsWords(uint64(period), uint64(periods), start)
}

// PeriodsWords describes a number of periods of so many seconds: "1,000 periods of 1 hour, from … until …".
func PeriodsWords(period, periods uint64, start Time) string {
	count := grouped(strconv.FormatUint(periods, 10)) + " periods"
	if periods == 1 {
		count = "1 period"
	}
	return count + " of " + DurationWords(period) + ", from " + start.Words() + " until " + start.After(period*periods).Words()
}

func (op *WithdrawPermissionCreateOp) valid() error {
	return check(require(op.WithdrawFromAccount != op.AuthorizedAccount, "a permission is for another account"),
		positive("the limit", op.WithdrawalLimit), require(op.WithdrawalPeriodSec > 0, "the period must be more than zero"),
		require(op.PeriodsUntilExpiration > 0, "the number of periods must be more than zero"))
}

// WithdrawPermissionUpdateOp changes a withdraw permission. Its last two fields are in the opposite order of those in the creation.
type WithdrawPermissionUpdateOp struct {
	Fee                    AssetAmount          `json:"fee,omitempty"`
	WithdrawFromAccount    AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount      AccountID            `json:"authorized_account"`
	PermissionToUpdate     WithdrawPermissionID `json:"permission_to_update"`
	WithdrawalLimit        AssetAmount          `json:"withdrawal_limit"`
	WithdrawalPeriodSec    uint32               `json:"withdrawal_period_sec"`
	PeriodStartTime        Time                 `json:"period_start_time"`
	PeriodsUntilExpiration uint32               `json:"periods_until_expiration"`
}

// FeePayer returns the account withdrawn from.
func (op *WithdrawPermissionUpdateOp) FeePayer() AccountID { return op.WithdrawFromAccount }

func (*WithdrawPermissionUpdateOp) declared() *declaration {
	return &withdrawPermissionUpdateDeclaration
}

var withdrawPermissionUpdateDeclaration = declaration{
	code: CodeWithdrawPermissionUpdate, name: "withdraw_permission_update", new: empty[WithdrawPermissionUpdateOp],
	fee:      flatFee(100_000),
	rules:    rules((*WithdrawPermissionUpdateOp).valid),
	signs:    payerSigns,
	touches:  touches(func(op *WithdrawPermissionUpdateOp) []AccountID { return []AccountID{op.AuthorizedAccount} }),
	moves:    movesNothing,
	gives:    gives(func(op *WithdrawPermissionUpdateOp) []AccountID { return []AccountID{op.AuthorizedAccount} }),
	sentence: words((*WithdrawPermissionUpdateOp).sentence),
}

func (op *WithdrawPermissionUpdateOp) sentence(n Namer) string {
	return n.AccountName(op.WithdrawFromAccount) + " changed what " + n.AccountName(op.AuthorizedAccount) + " may withdraw to " +
		limitWords(n.AmountText(op.WithdrawalLimit), op.WithdrawalPeriodSec, op.PeriodsUntilExpiration, op.PeriodStartTime)
}

func (op *WithdrawPermissionUpdateOp) valid() error {
	return check(require(op.WithdrawFromAccount != op.AuthorizedAccount, "a permission is for another account"),
		positive("the limit", op.WithdrawalLimit), require(op.WithdrawalPeriodSec > 0, "the period must be more than zero"),
		require(op.PeriodsUntilExpiration > 0, "the number of periods must be more than zero"))
}

// WithdrawPermissionClaimOp withdraws under a permission.
type WithdrawPermissionClaimOp struct {
	Fee                 AssetAmount          `json:"fee,omitempty"`
	WithdrawPermission  WithdrawPermissionID `json:"withdraw_permission"`
	WithdrawFromAccount AccountID            `json:"withdraw_from_account"`
	WithdrawToAccount   AccountID            `json:"withdraw_to_account"`
	AmountToWithdraw    AssetAmount          `json:"amount_to_withdraw"`
	Memo                *Memo                `json:"memo,omitempty"`
}

// FeePayer returns the account that withdraws.
func (op *WithdrawPermissionClaimOp) FeePayer() AccountID { return op.WithdrawToAccount }

func (op *WithdrawPermissionClaimOp) memo() **Memo { return &op.Memo }

func (*WithdrawPermissionClaimOp) declared() *declaration { return &withdrawPermissionClaimDeclaration }

var withdrawPermissionClaimDeclaration = declaration{
	code: CodeWithdrawPermissionClaim, name: "withdraw_permission_claim", new: empty[WithdrawPermissionClaimOp],
	fee: feeRule{fixed: 100_000, perKByte: 10, base: base(func(f FeeParameters, op *WithdrawPermissionClaimOp) (uint64, error) {
		if op.Memo == nil {
			return f.Fee, nil
		}
		return f.plus(uint64(f.PricePerKByte), &op.Memo)
	})},
	rules:   rules((*WithdrawPermissionClaimOp).valid),
	signs:   payerSigns,
	touches: touches(func(op *WithdrawPermissionClaimOp) []AccountID { return []AccountID{op.WithdrawFromAccount} }),
	moves: moves(func(op *WithdrawPermissionClaimOp) []Movement {
		return []Movement{{From: op.WithdrawFromAccount.Object(), To: op.WithdrawToAccount.Object(), Amount: op.AmountToWithdraw}}
	}),
	sentence: template("{withdraw_to_account} withdrew {amount_to_withdraw} from {withdraw_from_account}"),
}

func (op *WithdrawPermissionClaimOp) valid() error {
	return check(require(op.WithdrawFromAccount != op.WithdrawToAccount, "a withdrawal is from another account"),
		positive("the amount to withdraw", op.AmountToWithdraw))
}

// WithdrawPermissionDeleteOp revokes a withdraw permission.
type WithdrawPermissionDeleteOp struct {
	Fee                  AssetAmount          `json:"fee,omitempty"`
	WithdrawFromAccount  AccountID            `json:"withdraw_from_account"`
	AuthorizedAccount    AccountID            `json:"authorized_account"`
	WithdrawalPermission WithdrawPermissionID `json:"withdrawal_permission"`
}

// FeePayer returns the account withdrawn from.
func (op *WithdrawPermissionDeleteOp) FeePayer() AccountID { return op.WithdrawFromAccount }

func (*WithdrawPermissionDeleteOp) declared() *declaration {
	return &withdrawPermissionDeleteDeclaration
}

var withdrawPermissionDeleteDeclaration = declaration{
	code: CodeWithdrawPermissionDelete, name: "withdraw_permission_delete", new: empty[WithdrawPermissionDeleteOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touches(func(op *WithdrawPermissionDeleteOp) []AccountID { return []AccountID{op.AuthorizedAccount} }),
	moves:    movesNothing,
	sentence: template("{withdraw_from_account} no longer allows {authorized_account} to withdraw"),
}

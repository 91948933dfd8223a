package ledger

import (
	"errors"
	"fmt"
)

// Validate makes the checks of an operation that need no ledger state; the node
// refuses what fails them with 3031000 (protocol/serialization.md 2).
func (op Operation) Validate() error {
	fee := op.Fee()
	if fee == nil || op.Raw != nil {
		return fmt.Errorf("operation %d: %w", op.Code, ErrUnknownOperation)
	}
	if fee.Amount < 0 {
		return errors.New("the fee must not be negative")
	}
	if v, ok := op.Body.(interface{ validate() error }); ok {
		return v.validate()
	}
	return nil
}

func (op *TransferObsoleteOp) validate() error {
	return validateTransfer(op.From == op.To, op.Amount)
}

func (op *TransferOp) validate() error {
	return validateTransfer(op.From.Object() == op.To, op.Amount)
}

func validateTransfer(toItself bool, amount AssetAmount) error {
	if toItself {
		return errors.New("sender and recipient of a transfer must differ")
	}
	if amount.Amount <= 0 {
		return errors.New("the amount of a transfer must be more than zero")
	}
	return nil
}

func (op *AccountCreateOp) validate() error {
	if err := ValidAccountName(op.Name); err != nil {
		return err
	}
	if err := validateAuthority("owner", op.Owner); err != nil {
		return err
	}
	if err := validateAuthority("active", op.Active); err != nil {
		return err
	}
	return op.Options.validate()
}

func (op *AccountUpdateOp) validate() error {
	switch {
	case op.Account == MinerAccount || op.Account == TempAccount:
		return fmt.Errorf("account %s cannot be changed", op.Account)
	case op.Owner == nil && op.Active == nil && op.NewOptions == nil:
		return errors.New("an account update must change something: owner, active or options")
	}
	if op.Owner != nil {
		if err := validateAuthority("owner", *op.Owner); err != nil {
			return err
		}
	}
	if op.Active != nil {
		if err := validateAuthority("active", *op.Active); err != nil {
			return err
		}
	}
	if op.NewOptions != nil {
		return op.NewOptions.validate()
	}
	return nil
}

func validateAuthority(name string, a Authority) error {
	if a.Members() == 0 {
		return fmt.Errorf("the %s authority names nobody", name)
	}
	if a.Impossible() {
		return fmt.Errorf("the %s authority can never be satisfied: its weights stay below the threshold", name)
	}
	return nil
}

// longestSubscription is in days.
const longestSubscription = 365

func (o *AccountOptions) validate() error {
	if len(o.Votes) < int(o.NumMiner) {
		return errors.New("an account cannot want more miners than it votes for")
	}
	if !o.AllowSubscription {
		return nil
	}
	if o.SubscriptionPeriod < 1 || o.SubscriptionPeriod > longestSubscription || o.PricePerSubscribe.Amount <= 0 {
		return errors.New("a subscription lasts 1 to 365 days and costs more than zero")
	}
	return nil
}

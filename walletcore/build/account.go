package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// RegisterAccountParams are those of register_account.
type RegisterAccountParams struct {
	Name      string           `json:"name"`
	Owner     ledger.PublicKey `json:"owner"`
	Active    ledger.PublicKey `json:"active"            help:"also the memo key"`
	Registrar string           `json:"registrar_account" role:"account" help:"pays the fee"`
}

// RegisterAccount creates an account with given keys; its memo key is the active
// key, as in the reference. Errors: fault.AccountExists, fault.NoSuchAccount
// (registrar), fault.InvalidOperation (name).
func RegisterAccount(ctx context.Context, b *Builder, p RegisterAccountParams) ([]ledger.Operation, error) {
	if err := nameFree(ctx, b, p.Name); err != nil && !b.Repeated() {
		return nil, err
	}
	registrar, err := b.Payer(ctx, p.Registrar)
	if err != nil {
		return nil, err
	}
	b.Require(p.holds)
	return []ledger.Operation{ledger.NewOperation(&ledger.AccountCreateOp{
		Registrar: registrar.ID, Name: p.Name,
		Owner: ledger.SingleKeyAuthority(p.Owner), Active: ledger.SingleKeyAuthority(p.Active),
		Options: ledger.NewAccountOptions(p.Active),
	})}, nil
}

func nameFree(ctx context.Context, b *Builder, name string) error {
	taken, err := b.accountNamed(ctx, name)
	if err != nil || taken == nil {
		return err
	}
	return &fault.Error{Code: fault.AccountExists, Op: "register_account", Hint: "choose another name",
		Message: "the name " + fault.Quote(name) + " is taken, by account " + taken.ID.String()}
}

// holds compares the creation of an account with what was asked.
func (p RegisterAccountParams) holds(ops []ledger.Operation) error {
	for _, op := range ops {
		body, ok := op.Body.(*ledger.AccountCreateOp)
		switch {
		case !ok:
			return notAsked("it registers no account")
		case body.Name != p.Name:
			return notAsked("it registers another name")
		case !isSingleKey(body.Owner, p.Owner) || !isSingleKey(body.Active, p.Active) || body.Options.MemoKey != p.Active:
			return notAsked("it registers other keys")
		}
	}
	return nil
}

// isSingleKey reports whether this key alone satisfies the authority.
func isSingleKey(a ledger.Authority, key ledger.PublicKey) bool {
	return a.WeightThreshold == 1 && len(a.AccountAuths) == 0 && len(a.KeyAuths) == 1 &&
		a.KeyAuths[0] == ledger.KeyWeight{Key: key, Weight: 1}
}

package txbuild

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// RegisterAccountParams are the parameters of register_account.
type RegisterAccountParams struct {
	Name      string           `json:"name" help:"name of the new account"`
	Owner     ledger.PublicKey `json:"owner" help:"public key of its owner role"`
	Active    ledger.PublicKey `json:"active"            help:"public key of its active role, and its memo key"`
	Registrar string           `json:"registrar_account" role:"account" help:"pays the fee"`
}

// RegisterAccount creates an account with given keys; its memo key is the active
// key, as in the reference. Errors: fault.AccountExists, fault.NoSuchAccount
// (registrar), fault.InvalidOperation (name).
func RegisterAccount(ctx context.Context, b *Builder, p RegisterAccountParams) ([]ledger.Operation, error) {
	return b.register(ctx, p.Registrar, p.Name, ledger.SingleKeyAuthority(p.Owner), ledger.SingleKeyAuthority(p.Active), p.Active)
}

// RegisterAccountWithKeysParams are the parameters of register_account_with_keys.
type RegisterAccountWithKeysParams struct {
	Name      string           `json:"name" help:"name of the new account"`
	Owner     ledger.PublicKey `json:"owner" help:"public key of its owner role"`
	Active    ledger.PublicKey `json:"active" help:"public key of its active role"`
	Memo      ledger.PublicKey `json:"memo"              help:"memos to the account are encrypted to it"`
	Registrar string           `json:"registrar_account" role:"account" help:"pays the fee"`
}

// RegisterAccountWithKeys creates an account with a memo key of its own. Errors: those of RegisterAccount.
func RegisterAccountWithKeys(ctx context.Context, b *Builder, p RegisterAccountWithKeysParams) ([]ledger.Operation, error) {
	return b.register(ctx, p.Registrar, p.Name, ledger.SingleKeyAuthority(p.Owner), ledger.SingleKeyAuthority(p.Active), p.Memo)
}

// RegisterMultisigAccountParams are the parameters of register_multisig_account.
type RegisterMultisigAccountParams struct {
	Name      string           `json:"name" help:"name of the new account"`
	Owner     ledger.Authority `json:"owner"             help:"who may change everything"`
	Active    ledger.Authority `json:"active"            help:"who may pay"`
	Memo      ledger.PublicKey `json:"memo"              help:"memos to the account are encrypted to it"`
	Registrar string           `json:"registrar_account" role:"account" help:"pays the fee"`
}

// RegisterMultisigAccount creates an account for which several parties may have to sign together. Errors: those of
// RegisterAccount; fault.BadValue for an authority with the threshold 0; fault.InvalidOperation also for one that nobody
// can satisfy.
func RegisterMultisigAccount(ctx context.Context, b *Builder, p RegisterMultisigAccountParams) ([]ledger.Operation, error) {
	if err := needsSigners(b.op, &p.Owner, &p.Active); err != nil {
		return nil, err
	}
	return b.register(ctx, p.Registrar, p.Name, p.Owner, p.Active, p.Memo)
}

// register creates an account, unless its name is taken.
func (b *Builder) register(ctx context.Context, registrar, name string, owner, active ledger.Authority, memo ledger.PublicKey) ([]ledger.Operation, error) {
	if err := b.checkNameFree(ctx, name); err != nil {
		return nil, err
	}
	by, err := b.Payer(ctx, registrar)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AccountCreateOp{
		Registrar: by.ID, Name: name, Owner: owner, Active: active, Options: ledger.NewAccountOptions(memo),
	})
}

// checkNameFree returns fault.AccountExists if there is an account with this name.
func (b *Builder) checkNameFree(ctx context.Context, name string) error {
	if b.Repeated() {
		return nil
	}
	taken, err := b.accountByName(ctx, name)
	if err != nil || taken == nil {
		return err
	}
	return &fault.Error{Code: fault.AccountExists, Op: b.op, Hint: "choose another name",
		Message: "the name " + fault.Quote(name) + " is taken, by account " + taken.ID.String()}
}

// CreateAccountParams are the parameters of create_account_with_brain_key.
type CreateAccountParams struct {
	BrainKey  string `json:"brain_key"         secret:"true" help:"words of the brain key"`
	Name      string `json:"account_name" help:"name of the new account"`
	Registrar string `json:"registrar_account" role:"account" help:"pays the fee"`
}

// CreateAccount creates an account whose keys are derived from a brain key. Its active and memo keys are written to
// disk, encrypted, before anything is signed. Errors: fault.BadValue for a brain key without words or with a ledger.BrainKeyProblem, those of RegisterAccount.
func CreateAccount(ctx context.Context, b *Builder, p CreateAccountParams) ([]ledger.Operation, error) {
	if why := ledger.BrainKeyProblem(p.BrainKey); why != "" && !b.Repeated() { // an account of before has the keys that it has
		return nil, badValue(b.op, why, "what is written down would not restore the account; type the words again, with plain spaces between them")
	}
	if p.BrainKey = ledger.PlainBrainKey(p.BrainKey); p.BrainKey == "" {
		return nil, badValue(b.op, "the brain key has no words", "suggest_brain_key makes one")
	}
	if err := b.checkNameFree(ctx, p.Name); err != nil {
		return nil, err
	}
	var made *ledger.Account
	if b.Repeated() {
		var err error
		if made, err = b.accountByName(ctx, p.Name); err != nil {
			return nil, err
		}
	}
	b.brainKey = p.BrainKey
	keys, err := b.keys.DeriveAccount(b.op, p.BrainKey, made)
	if err != nil {
		return nil, err
	}
	if made == nil {
		b.saveKeys = func() error { return b.keys.KeepAccount(b.op, p.Name, p.BrainKey, keys) }
	}
	return b.register(ctx, p.Registrar, p.Name, ledger.SingleKeyAuthority(keys.Owner), ledger.SingleKeyAuthority(keys.Active), keys.Memo)
}

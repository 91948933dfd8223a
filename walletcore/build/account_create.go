package build

import (
	"context"

	"billfold/ledger"
)

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
	if err := checkNameFree(ctx, b, p.Name); err != nil {
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
	return register(ctx, b, p.Registrar, p.Name, ledger.SingleKeyAuthority(keys.Owner), ledger.SingleKeyAuthority(keys.Active), keys.Memo)
}

package txbuild

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// UpdateAccountKeysParams are the parameters of update_account_keys.
type UpdateAccountKeysParams struct {
	Account string `json:"name"   role:"account" help:"account name or id"`
	Owner   string `json:"owner"  help:"public key; empty = unchanged"`
	Active  string `json:"active" help:"public key; empty = unchanged"`
	Memo    string `json:"memo"   help:"public key; empty = unchanged"`
}

// UpdateAccountKeys sets new keys for an account, each alone in its authority. Errors: fault.BadValue for text that is not
// a key, a key that the account has already, and no keys at all; those of Payer and present.
func UpdateAccountKeys(ctx context.Context, b *Builder, p UpdateAccountKeysParams) ([]ledger.Operation, error) {
	a, err := b.changedAccount(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	op := &ledger.AccountUpdateOp{Account: a.ID}
	if op.Owner, err = a.newKey(b, p.Owner, ledger.PartOwner); err != nil {
		return nil, err
	}
	if op.Active, err = a.newKey(b, p.Active, ledger.PartActive); err != nil {
		return nil, err
	}
	if p.Memo != "" {
		key, err := publicKey(b.op, p.Memo)
		if err != nil {
			return nil, err
		}
		if a.hasMemoKey(key) && !b.Repeated() {
			return nil, a.already(ledger.PartMemoKey, badValue(b.op, key.String()+" is the memo key of "+a.Name+" already", "name what should change"))
		}
		op.NewOptions = b.options(a)
		op.NewOptions.MemoKey = key
	}
	if op.Owner == nil && op.Active == nil && op.NewOptions == nil {
		return nil, badValue(b.op, "no new key was given for "+a.Name, "give at least one; an empty text leaves a key unchanged")
	}
	return b.exactly(op)
}

// newKey reads the key that is to stand alone in an authority; nil where text is empty.
func (a *presentAccount) newKey(b *Builder, text, part string) (*ledger.Authority, error) {
	if text == "" {
		return nil, nil
	}
	key, err := publicKey(b.op, text)
	if err != nil {
		return nil, err
	}
	authority := ledger.SingleKeyAuthority(key)
	if a.hasAuthority(part, &authority) && !b.Repeated() {
		return nil, a.already(part, badValue(b.op, key.String()+" is the key of this authority already", "name what should change"))
	}
	return &authority, nil
}

// publicKey parses a key that is given as text. Error: fault.BadValue.
func publicKey(op, text string) (ledger.PublicKey, error) {
	key, err := ledger.ParsePublicKey(text)
	if err != nil {
		return key, badValue(op, fault.Quote(text)+" is not a public key", "a public key begins with DCT")
	}
	return key, nil
}

// badValue returns the error for a value that the operation cannot take.
func badValue(op, message, hint string) *fault.Error {
	return &fault.Error{Code: fault.BadValue, Op: op, Message: message, Hint: hint + "; nothing was signed"}
}

// UpdateAccountToMultisigParams are the parameters of update_account_keys_to_multisig.
type UpdateAccountToMultisigParams struct {
	Account string           `json:"name"   role:"account" help:"account name or id"`
	Owner   ledger.Authority `json:"owner"  help:"who may change everything"`
	Active  ledger.Authority `json:"active" help:"who may pay"`
	Memo    ledger.PublicKey `json:"memo"   help:"memos to the account are encrypted to it"`
}

// UpdateAccountToMultisig sets new authorities for an account. Unchanged ones are left out of the operation. Errors:
// fault.SameAuthority when nothing would change, those of Payer and present.
func UpdateAccountToMultisig(ctx context.Context, b *Builder, p UpdateAccountToMultisigParams) ([]ledger.Operation, error) {
	a, err := b.changedAccount(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	op, err := b.accountUpdate(a, &p.Owner, &p.Active, &p.Memo)
	if err != nil {
		return nil, err
	}
	return b.exactly(op)
}

// accountUpdate returns the operation that sets the authorities and the memo key of an account; nil ones are not to be set. What
// the account has already is left out, but not on the daemon's word alone.
func (b *Builder) accountUpdate(a *presentAccount, owner, active *ledger.Authority, memo *ledger.PublicKey) (*ledger.AccountUpdateOp, error) {
	if err := needsSigners(b.op, owner, active); err != nil {
		return nil, err
	}
	op := &ledger.AccountUpdateOp{Account: a.ID}
	if owner != nil && !a.hasAuthority(ledger.PartOwner, owner) {
		op.Owner = owner
	}
	if active != nil && !a.hasAuthority(ledger.PartActive, active) {
		op.Active = active
	}
	if memo != nil && !a.hasMemoKey(*memo) {
		op.NewOptions = b.options(a)
		op.NewOptions.MemoKey = *memo
	}
	if op.Owner == nil && op.Active == nil && op.NewOptions == nil {
		same := &fault.Error{Code: fault.SameAuthority, Op: b.op, Hint: "nothing was signed; name what should change",
			Message: "the account " + a.Name + " has these authorities and this memo key already"}
		for _, part := range []string{ledger.PartOwner, ledger.PartActive, ledger.PartMemoKey} {
			same = a.already(part, same)
		}
		return nil, same
	}
	return op, nil
}

// needsSigners refuses authorities for which nobody would have to sign. Error: fault.BadValue.
func needsSigners(op string, all ...*ledger.Authority) error {
	for _, a := range all {
		if a != nil && a.WeightThreshold == 0 {
			return badValue(op, "an authority with the threshold 0 needs nobody's signature", "write a weight_threshold of 1 or more")
		}
	}
	return nil
}

package main

import (
	"context"
	"errors"

	"billfold/walletcore/fault"
	"billfold/walletcore/vault/strength"
)

// judgePassword returns how strong a new password of this wallet is.
func (p *program) judgePassword(password string) strength.Verdict {
	return p.wallet.Vault.JudgePassword(strength.New(), password)
}

func (p *program) unlockForCall(ctx context.Context, ask *secrets) error {
	password := sandboxPassword
	if p.box == nil && !p.wallet.Vault.IsNew() {
		var err error
		if password, err = ask.ask("Wallet password"); err != nil {
			if missing, is := errors.AsType[*missingError](err); is { // a matter of the wallet, not of what is asked of it
				return &fault.Error{Code: fault.Locked, Message: missing.Error(), Hint: "nothing was done; where a server has the wallet and is unlocked, no password is needed", Err: err}
			}
			return err
		}
	}
	return p.wallet.Vault.Unlock(ctx, password)
}

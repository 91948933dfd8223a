package main

import (
	"context"

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
			return err
		}
	}
	return p.wallet.Vault.Unlock(ctx, password)
}

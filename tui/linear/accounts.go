package linear

import (
	"context"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/accountcard"
)

// sayCard prints an account's card: who it is and what was paid between it and the account in focus.
func (d *Conversation) sayCard(ctx context.Context, who ledger.AccountID) error {
	env := d.env()
	card, err := within(ctx, d, "Reading the account", func(ctx context.Context) (accountcard.Card, error) {
		return accountcard.Read(ctx, d.opt.Core.Cards, env.Account.ID, who), nil
	})
	if err != nil {
		return err
	}
	for _, row := range card.Rows(env) {
		if row.Label == "" {
			d.Under(row.Line)
			continue
		}
		d.Fact(row.Label, row.Line)
	}
	return nil
}

// removeAccount removes one of the wallet's accounts from the list after the word delete; its keys stay.
func removeAccount(ctx context.Context, d *Conversation, rest string) error {
	env, err := d.account()
	if err != nil {
		return err
	}
	a, err := pick(env.Accounts, rest, "account")
	if err != nil {
		return err
	}
	d.Fact("Remove from the list", format.Account(a.AccountRef))
	d.Say("Its keys stay in this wallet; importing one of them lists it again.")
	if err := d.ConfirmWord(ctx, "delete", "remove it from the list"); err != nil {
		return err
	}
	if err := d.opt.Core.Accounts.Remove(a.ID.String()); err != nil {
		return err
	}
	d.Fact("Removed", format.Account(a.AccountRef))
	return nil
}

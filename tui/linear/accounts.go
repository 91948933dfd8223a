package linear

import (
	"context"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/overlay/card"
)

// sayCard prints an account's card: who it is and what was paid between it and the account in focus.
func (d *Conversation) sayCard(ctx context.Context, who ledger.AccountID) error {
	env := d.env()
	c, err := within(ctx, d, "Reading the account", func(ctx context.Context) (card.Card, error) {
		return card.OfAccount(who)(ctx, d.opt.Core.Cards, env.Account.ID), nil
	})
	if err != nil {
		return err
	}
	d.sayRows(c.Rows(env))
	return nil
}

// sayRows prints the rows of a card.
func (d *Conversation) sayRows(rows []card.Row) {
	for _, row := range rows {
		switch {
		case row.Quote != "":
			d.Say(row.Label + ", text by others:")
			d.quote(row.Quote)
		case row.Line.Width() == 0:
		case row.Label == "":
			d.Under(row.Line)
		default:
			d.Fact(strings.ToUpper(row.Label[:1])+row.Label[1:], row.Line)
		}
	}
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

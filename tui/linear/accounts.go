package linear

import (
	"context"

	"billfold/tui/format"
)

// removeAccount takes an own account off the list, by its word.
func removeAccount(ctx context.Context, d *Desk, rest string) error {
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
	if err := d.Agree(ctx, "delete", "remove it from the list"); err != nil {
		return err
	}
	if err := d.opt.Core.Accounts.Remove(a.ID.String()); err != nil {
		return err
	}
	d.Fact("Removed", format.Account(a.AccountRef))
	return nil
}

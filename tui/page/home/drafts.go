package home

import (
	"context"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
	"billfold/walletcore/vault"
)

// Drafts are payments that were typed and not sent. The wallet must be open.
type Drafts interface {
	List(ctx context.Context, account ledger.AccountID) ([]draft.Draft, error)
}

// kept is how many drafts each own account has; those without one are left out.
type kept map[ledger.AccountID]int

// countDrafts counts those of the accounts of this wallet. What is being signed is a draft, too, and is no payment that was not sent.
func countDrafts(ctx context.Context, core Drafts, own []vault.OwnAccount, signing screen.Signing) (kept, error) {
	out := kept{}
	for _, a := range own {
		list, err := core.List(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if !signing.Is(a.ID, d) {
				out[a.ID]++
			}
		}
	}
	return out, nil
}

// said returns, in w cells, the drafts of the account in focus, else those of another one, and how to get there; empty while the
// wallet is locked, and where there are none.
func (k kept) said(env screen.Env, w int) string {
	if !env.Unlocked() {
		return ""
	}
	n, of, them := k[env.Account.ID], "", "them"
	way, short := waysTo(env)
	for _, a := range env.Accounts {
		if n == 0 && k[a.ID] > 0 {
			n, of, way, short = k[a.ID], " of "+format.Account(a.AccountRef).String(), " · @ switches", " · @ switches"
			them = ""
		}
	}
	switch {
	case n == 0:
		return ""
	case n == 1 && of == "":
		them = "it"
	}
	all, are := theme.SignNew+" "+format.Many(n, "draft"), " are kept"
	if n == 1 {
		are = " is kept"
	}
	if way == "" {
		them = ""
	}
	if long := all + " of a payment" + of + are + way + them; canvas.Width(long) <= w {
		return long
	}
	return all + of + short + them
}

// waysTo say how the drafts are listed; empty while Send shows what is under way, from which no key leads to them.
func waysTo(env screen.Env) (long, short string) {
	switch env.ToDrafts {
	case "":
		return "", ""
	case "3 esc d":
		return " · 3 opens Send, esc d lists ", " · 3 esc d lists "
	}
	return " · " + env.ToDrafts + " lists ", " · " + env.ToDrafts + " lists "
}

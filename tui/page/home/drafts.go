package home

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/draft"
	"billfold/walletcore/vault"
)

// Drafts lists payments that were typed and not sent. The wallet must be unlocked.
type Drafts interface {
	List(ctx context.Context, account ledger.AccountID) ([]draft.Draft, error)
}

// draftCount holds the number of an account's drafts, and of the proposals among them.
type draftCount struct {
	all, proposals int
	leaving        int       // those that leave by themselves
	next           time.Time // when the first of them does
}

// of returns what the drafts are of.
func (n draftCount) of() string {
	switch n.proposals {
	case 0:
		return "a payment"
	case n.all:
		return "a proposal"
	}
	return "payments and proposals"
}

// draftCounts holds the number of drafts of each own account; accounts without any are left out.
type draftCounts map[ledger.AccountID]draftCount

// countDrafts counts the drafts of the accounts of this wallet, but for the payment that is being signed: its draft goes with it.
func countDrafts(ctx context.Context, core Drafts, own []vault.OwnAccount, signing screen.Signing) (draftCounts, error) {
	out := draftCounts{}
	for _, a := range own {
		list, err := core.List(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if signing.Is(a.ID, d) {
				continue
			}
			n := out[a.ID]
			if n.all++; d.Proposes {
				n.proposals++
			}
			if d.Leaves() {
				if n.leaving++; n.next.IsZero() || d.Wait.At.Before(n.next) {
					n.next = d.Wait.At
				}
			}
			out[a.ID] = n
		}
	}
	return out, nil
}

// text returns in w cells how many drafts the account in focus has, or else another account, and how to list them. It is empty
// while the wallet is locked and if there are none.
func (d draftCounts) text(env screen.Env, w int) string {
	if !env.Unlocked() {
		return ""
	}
	count, of, them := d[env.Account.ID], "", "them"
	way, short := waysToDrafts(env)
	for _, a := range env.Accounts {
		if count.all == 0 && d[a.ID].all > 0 {
			count, of, way, short = d[a.ID], " of "+format.Account(a.AccountRef).String(), " · @ switches", " · @ switches"
			them = ""
		}
	}
	n := count.all
	switch {
	case n == 0:
		return ""
	case n == 1 && of == "":
		them = "it"
	}
	all, are := theme.SignNew+" "+format.Many(n, "draft"), " are kept"
	if count.leaving > 0 {
		at := env.Times().Moment(ledger.TimeOf(count.next), false) + " " + env.Times().Zone(count.next)
		if long := all + of + " · " + format.Count(count.leaving) + " leaves, next " + at + way + them; canvas.Width(long) <= w {
			return long
		}
		return all + of + " · leaves " + at
	}
	if n == 1 {
		are = " is kept"
	}
	if way == "" {
		them = ""
	}
	if long := all + " of " + count.of() + of + are + way + them; canvas.Width(long) <= w {
		return long
	}
	return all + of + short + them
}

// waysToDrafts returns which keys list the drafts; empty while Send shows payments in progress, from where no key leads to them.
func waysToDrafts(env screen.Env) (long, short string) {
	switch env.ToDrafts {
	case "":
		return "", ""
	case "3 esc d":
		return " · 3 opens Send, esc d lists ", " · 3 esc d lists "
	}
	return " · " + env.ToDrafts + " lists ", " · " + env.ToDrafts + " lists "
}

package reconcile

import (
	"context"
	"math/big"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// How often, and at what intervals, index and balances are read until both are as of one block.
const (
	tries   = 20
	between = 500 * time.Millisecond
)

// Account reconciles one account; from and to are UTC days such as 2026-11-01, empty for all. Errors: fault.BadValue
// for an invalid day and if from is after to; fault.NoSuchAccount, those of the daemon.
func Account(ctx context.Context, h *history.Reader, nameOrID, from, to string) (*Report, error) {
	if err := CheckDays(from, to); err != nil {
		return nil, err
	}
	a, err := h.View.Accounts.Get(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	r := &Report{Account: a.Name, AccountID: a.ID, Lines: []Line{}, Differences: []Difference{}}
	b, err := open(ctx, h, a.ID, r)
	if err != nil || !r.Complete {
		return r, err
	}
	return r, r.fill(ctx, h, b, from, to)
}

// CheckDays refuses first and last days that are invalid or in the wrong order; either may be empty. Error: fault.BadValue.
func CheckDays(from, to string) error {
	for _, day := range []string{from, to} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			return &fault.Error{Code: fault.BadValue, Op: "reconcile", Message: fault.Quote(day) + " is not a day",
				Hint: "write it as 2026-11-22; days are in UTC"}
		}
	}
	if from != "" && to != "" && from > to { // no day would be checked, and nothing would differ
		return &fault.Error{Code: fault.BadValue, Op: "reconcile", Message: "the first day " + from + " is after the last day " + to,
			Hint: "swap them; nothing was checked"}
	}
	return nil
}

// open reads index and balances at one head; if the index does not get there, the report says how far it is.
func open(ctx context.Context, h *history.Reader, id ledger.AccountID, r *Report) (*books, error) {
	followed := h.Index != nil && slices.ContainsFunc(h.Vault.Listed(), func(a ledgerview.AccountRef) bool { return a.ID == id })
	for try := 0; ; try++ { // nothing fills the index of other accounts; that of an own account may have just started
		b, same, err := readAt(ctx, h, id)
		if err != nil {
			return nil, err
		}
		s := b.status
		r.Total, r.Head, r.Final = s.Total, s.Head, s.Final
		if s.Known() {
			r.Operations = s.Rows()
		}
		if r.Complete = same; same || try == tries || !followed {
			return b, nil
		}
		select {
		case <-ctx.Done():
			return nil, fault.Daemon("reconcile", ctx.Err())
		case <-time.After(between):
		}
	}
}

// fill writes lines and differences.
func (r *Report) fill(ctx context.Context, h *history.Reader, b *books, from, to string) error {
	assets := b.days.assets(b.held)
	names, err := h.View.Namer(ctx, mentionsOf(assets))
	if err != nil {
		return err
	}
	r.Opening = "derived"
	if b.created {
		r.Opening = "zero"
	}
	for _, id := range assets {
		asset := names.Assets[id]
		closing, opening := big.NewInt(b.held[id]), big.NewInt(b.held[id])
		for _, day := range b.days {
			if of := day[id]; of != nil {
				opening.Sub(opening, of.net())
			}
		}
		if b.created && opening.Sign() != 0 {
			expected := new(big.Int).Sub(closing, opening)
			r.Differences = append(r.Differences,
				difference("", asset, expected, closing, "the operations add up to a different balance")...)
			opening = new(big.Int)
		}
		r.Lines = append(r.Lines, b.days.lines(asset, opening, from, to)...)
	}
	if b.created && len(r.Differences) == 0 {
		return nil
	}
	return r.compare(ctx, h, b, names.Assets, from, to)
}

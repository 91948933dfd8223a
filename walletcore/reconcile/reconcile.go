package reconcile

import (
	"context"
	"math/big"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/history"
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
	if err != nil || !r.Complete || !r.Exact {
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
	openings := b.openings()
	for _, id := range assets {
		asset := names.Assets[id]
		closing, opening := big.NewInt(b.held[id]), openings[id]
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

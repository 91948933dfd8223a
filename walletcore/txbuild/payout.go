package txbuild

import (
	"bytes"
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// MaxPayments is the largest number of payments in one transaction.
const MaxPayments = 100

// PayManyParams are a list of payments from one account.
type PayManyParams struct {
	From     string       `json:"from"     role:"account" help:"account name or id"`
	Payments []PayoutItem `json:"payments" help:"at most 100; memos are encrypted"`
}

// PayoutItem is one payment of a list.
type PayoutItem struct {
	To     string `json:"to"`
	Amount string `json:"amount"`
	Asset  string `json:"asset_symbol"`
	Memo   string `json:"memo,omitempty"` // encrypted for the recipient; empty = none
}

// PayMany makes several payments from one account in one transaction: all of them are executed,
// or none is.
func PayMany(ctx context.Context, b *Builder, p PayManyParams) ([]ledger.Operation, error) {
	if n := len(p.Payments); n == 0 || n > MaxPayments {
		return nil, &fault.Error{Code: fault.InvalidOperation, Op: b.op, Hint: "nothing was sent",
			Message: fmt.Sprintf("a transaction makes 1 to %d payments, and %d were given", MaxPayments, n)}
	}
	ops := make([]ledger.Operation, len(p.Payments))
	for i, item := range p.Payments {
		made, err := Transfer(ctx, b, TransferParams{From: p.From, To: item.To, Amount: item.Amount, Asset: item.Asset, Memo: item.Memo})
		if err != nil {
			return nil, err
		}
		ops[i] = made[0]
	}
	return ops, b.requireOrder(ops)
}

// requireOrder requires that the operations read back from the bytes are these, in this
// order, except for their fees and memos: the words alone would allow the amounts and
// recipients of a list to be swapped.
func (b *Builder) requireOrder(ops []ledger.Operation) error {
	want, memos := make([][]byte, len(ops)), make([]int, len(ops))
	for i, op := range ops {
		memos[i] = len(op.Memos()) // their texts are compared elsewhere, in this order
		var err error
		if want[i], err = contentOf(op); err != nil {
			return unpackable(b.op, err)
		}
	}
	b.Require(func(ops []ledger.Operation) error {
		if len(ops) != len(want) {
			return notAsked("it makes more payments, or fewer")
		}
		for i, op := range ops {
			got, err := contentOf(op)
			if err != nil {
				return unpackable(b.op, err)
			}
			if !bytes.Equal(got, want[i]) || len(op.Memos()) != memos[i] {
				return notAsked(fmt.Sprintf("its payment %d is a different one", i+1))
			}
		}
		return nil
	})
	return nil
}

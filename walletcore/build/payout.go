package build

import (
	"bytes"
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// MostPayments is how many payments one transaction makes at most.
const MostPayments = 100

// PayManyParams is a list of payments by one account.
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

// PayMany makes several payments of one account in one transaction: all of them happen,
// or none does.
func PayMany(ctx context.Context, b *Builder, p PayManyParams) ([]ledger.Operation, error) {
	if n := len(p.Payments); n == 0 || n > MostPayments {
		return nil, &fault.Error{Code: fault.InvalidOperation, Op: b.op, Hint: "nothing was sent",
			Message: fmt.Sprintf("a transaction makes 1 to %d payments, and %d were given", MostPayments, n)}
	}
	ops := make([]ledger.Operation, len(p.Payments))
	for i, item := range p.Payments {
		made, err := Transfer(ctx, b, TransferParams{From: p.From, To: item.To, Amount: item.Amount, Asset: item.Asset, Memo: item.Memo})
		if err != nil {
			return nil, err
		}
		ops[i] = made[0]
	}
	return ops, b.inThisOrder(ops)
}

// inThisOrder requires that the operations that are read back from the bytes are these,
// one by one, but for their fees and memos: the words alone would allow amounts and
// recipients of one list to change places.
func (b *Builder) inThisOrder(ops []ledger.Operation) error {
	want, memos := make([][]byte, len(ops)), make([]int, len(ops))
	for i, op := range ops {
		memos[i] = len(op.Memos()) // their texts are compared in their order
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
				return notAsked(fmt.Sprintf("its payment %d is another one", i+1))
			}
		}
		return nil
	})
	return nil
}

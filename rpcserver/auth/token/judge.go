package token

import (
	"context"
	"errors"
	"slices"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
)

// judge checks what a call would sign against the token's limits: who has to sign and, if the token's payments
// are limited, that the operations do nothing but pay, and whom, how much and at which fee. All that is paid to one
// recipient in one asset counts as one payment, however many operations make it.
func (c *call) judge(ctx context.Context, ops []ledger.Operation) error {
	c.counted = false
	err := c.judgeSigners(ctx, ops)
	if err == nil && c.token.Scope.restrictsPayments() {
		err = c.judgePayments(ctx, ops)
	}
	if err == nil {
		err = c.checkCounted()
	}
	if no, denied := errors.AsType[*rpcserver.Denied](err); denied && fault.CodeOf(err) != fault.Denied {
		return &fault.Error{Code: fault.Denied, Op: c.method.Name, Message: no.Message, Hint: no.Hint, Err: no}
	}
	return err
}

// judgeSigners checks the signers of the operations against the token's accounts.
func (c *call) judgeSigners(ctx context.Context, ops []ledger.Operation) error {
	if len(c.token.Scope.Accounts) == 0 {
		return nil
	}
	needs := ledger.NeedsOf(ops)
	if len(needs.Other) > 0 {
		return denied("This token is limited to accounts, and this needs the signature of a key that belongs to no account.",
			"use a token without accounts")
	}
	for _, id := range slices.Concat(needs.Active, needs.Owner) {
		if _, err := c.account(ctx, id.String()); err != nil {
			return err
		}
	}
	return nil
}

// judgePayments checks the operations against the token's destinations, assets and amounts, and counts the payments.
func (c *call) judgePayments(ctx context.Context, ops []ledger.Operation) error {
	type recipient struct {
		to    ledger.ObjectID
		asset ledger.AssetID
	}
	once, sums, fees := map[recipient]int64{}, map[ledger.AssetID]int64{}, int64(0)
	add := func(to *int64, amount int64) (fits bool) {
		*to, fits = ledger.AddAmounts(*to, amount)
		return fits
	}
	for _, op := range ops {
		if err := c.judgeKind(ctx, op); err != nil {
			return err
		}
		fits := add(&fees, op.Fee().Amount)
		for _, m := range op.Moves() {
			to := recipient{m.To, m.Amount.AssetID}
			each, sum := once[to], sums[to.asset]
			fits = add(&each, m.Amount.Amount) && add(&sum, m.Amount.Amount) && fits
			once[to], sums[to.asset] = each, sum
		}
		if !fits {
			return dayLimitError()
		}
	}
	assets := map[ledger.AssetID]*ledger.Asset{}
	for r, amount := range once {
		asset, err := c.judgeRecipient(ctx, r.to, r.asset, amount)
		if err != nil {
			return err
		}
		assets[r.asset] = asset
	}
	if c.isDry() {
		return nil
	}
	all := make([]paid, 0, len(sums))
	for id, amount := range sums {
		all = append(all, paid{assets[id], amount})
	}
	recordOutcome, err := c.reserve(ctx, func(context.Context) (int64, error) { return fees, nil }, all...)
	if before := c.correctJudged; err == nil { // judge runs again if another program was faster
		c.correctJudged = func(err error) { before(err); recordOutcome(err) }
	}
	return err
}

// judgeKind refuses an operation that does more than pay, and one that wastes money on its fee.
func (c *call) judgeKind(ctx context.Context, op ledger.Operation) error {
	if !op.OnlyPays() {
		return denied("This token is limited in what it pays, and this does more than pay: "+ledger.OpName(op.Code)+".",
			"use a token without such limits")
	}
	least, err := c.auth.ledger.Fees.LeastFee(ctx, op)
	if fee := op.Fee(); err == nil && (fee.AssetID != ledger.CoreAsset || fee.Amount > least) {
		err = denied("This token is limited in what it pays, and this offers a higher fee than the ledger requires.",
			"set_fees_on_builder_transaction sets the fees of a transaction under construction")
	}
	return err
}

// judgeRecipient checks what one recipient gets of one asset against the token's limits.
func (c *call) judgeRecipient(ctx context.Context, to ledger.ObjectID, of ledger.AssetID, amount int64) (*ledger.Asset, error) {
	if _, err := c.checkDestination(ctx, to.String()); err != nil {
		return nil, err
	}
	asset, err := c.checkAsset(ctx, of.String())
	if err == nil {
		err = c.checkPerPayment(paid{asset, amount})
	}
	return asset, err
}

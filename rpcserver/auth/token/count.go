package token

import (
	"context"
	"errors"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// feeOf returns the fee of a call, in DCT.
type feeOf func(ctx context.Context) (int64, error)

// transferFee returns the fee of a call that makes one transfer.
func (c *call) transferFee(ctx context.Context) (int64, error) {
	_, fee, err := c.auth.ledger.Fees.TransferFee(ctx)
	return fee, err
}

// reserve counts payments of different assets, and their fee, against the day's limits.
func (c *call) reserve(ctx context.Context, fee feeOf, all ...paid) (recordOutcome func(error), err error) {
	recordOutcome, err = c.count(ctx, c.token.ID, c.token.Scope.PerDay, fee, all...)
	if isOver(err) {
		err = dayLimitError()
		found := c.auth.spent.countsFoundPayments(ctx, ledger.CoreAsset) // fees count as well
		for _, p := range all {
			found = found || c.auth.spent.countsFoundPayments(ctx, p.asset.ID)
		}
		if found {
			err = denied("This token would pay more than it may within 24 hours, because payments that were found after a loss count "+
				"for every token for a day.", "wait, or use a token with a higher limit")
		}
	}
	c.counted = err == nil
	return recordOutcome, err
}

// errUncounted means that a payment would be made that is in no sum.
var errUncounted = errors.New("the payment was not counted")

// checkCounted refuses a payment of a token with limits per day that is not in its sums, whatever kept it from being counted.
func (c *call) checkCounted() error {
	if c.counted || c.isDry() || !c.spends() || len(c.token.Scope.PerDay) == 0 {
		return nil
	}
	return fileError(c.method.Name, sumsError(errUncounted))
}

func dayLimitError() error {
	return denied("This token would pay more than it may within 24 hours.", "wait, or use another token; fees in "+coreSymbol+" count")
}

// count counts payments, and their fee, against limits per day under a name. It fails
// with errOverLimit, with a denial if there is no limit for the asset, or with the error
// of the sums; nothing is counted then.
func (c *call) count(ctx context.Context, name string, limits []Limit, fee feeOf, all ...paid) (recordOutcome func(error), err error) {
	if c.repeats(ctx) {
		return func(error) {}, nil
	}
	var reserved []*heldPayment
	recordOutcome = func(err error) {
		for _, h := range reserved {
			h.recordOutcome(ctx, err)
		}
	}
	due, err := c.reservations(ctx, name, limits, fee, all)
	if err != nil {
		return recordOutcome, err
	}
	for _, r := range due {
		h, err := c.auth.spent.reserve(ctx, c.unit(ctx), r.Spend, r.limit)
		if err != nil {
			for _, h := range reserved {
				h.drop(ctx)
			}
			if !isOver(err) {
				err = fileError(c.method.Name, sumsError(err))
			}
			return func(error) {}, err
		}
		reserved = append(reserved, h)
	}
	if len(limits) > 0 && len(reserved) < len(all) { // every amount is in a sum of its own
		recordOutcome(denied("", ""))
		return func(error) {}, fileError(c.method.Name, sumsError(errUncounted))
	}
	return recordOutcome, nil
}

// repeats reports whether the call is answered with what an earlier request under its key did. Should it pay after all, because that payment was
// given up meanwhile, the payment is refused: nothing was counted for it.
func (c *call) repeats(ctx context.Context) bool {
	unit, key := c.unit(ctx), c.texts[walletapi.RoleRequestKey]
	if unit == nil || key == "" || !c.auth.ledger.Payments.HasKey(ctx, key) {
		return false
	}
	unit.Add(store.Change{Apply: func(store.Tx) (refusal, failure error) {
		return &fault.Error{Code: fault.Denied, Op: c.method.Name, Message: "what was requested under this key before was given up meanwhile", RequestKey: fault.KeySame,
			Hint: "nothing was sent; make the same request again under the same key"}, nil
	}})
	return true
}

// asRepeat returns err, which without a daemon would say that nothing was sent, as one about the payment that was made under the key of the call.
func (c *call) asRepeat(ctx context.Context, err error) error {
	e, is := errors.AsType[*fault.Error](err)
	key := c.texts[walletapi.RoleRequestKey]
	if !is || e.Code != fault.DaemonAway || !c.auth.ledger.Payments.HasKey(ctx, key) {
		return err
	}
	said := *e
	said.RequestKey, said.Err = fault.KeySame, err
	said.Hint = "nothing was sent now; get_payment " + key + " reports on the payment that was made under this key"
	return &said
}

// reservation is a sum that counts against a limit of the day.
type reservation struct {
	store.Spend
	limit int64
}

// unit returns the unit that is committed together with the payment of this call, nil if the call sends none.
func (c *call) unit(ctx context.Context) *store.CallBatch {
	if !c.sends() {
		return nil
	}
	return store.CallBatchOf(ctx)
}

// sends reports whether the call broadcasts its transaction and does not export it.
func (c *call) sends() bool {
	export := c.texts[walletapi.RoleExport]
	return c.texts[walletapi.RoleBroadcast] == "true" && (export == "" || export == "0")
}

// coreSymbol is the symbol of the asset that fees are paid in.
const coreSymbol = "DCT"

// reservations returns the sums that payments count for: their amounts and, if there is a limit for
// DCT, their fee. The fees of many very small payments could otherwise exceed that limit.
func (c *call) reservations(ctx context.Context, name string, limits []Limit, fee feeOf, all []paid) (out []reservation, err error) {
	for _, p := range all {
		limit, limited, err := limitOf(limits, p.asset)
		if err != nil || !limited {
			return nil, err
		}
		out = append(out, reservation{c.spendOf(name, p.asset.ID, p.amount), limit})
	}
	core, err := c.auth.ledger.Assets.Get(ctx, ledger.CoreAsset.String())
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(limits, func(l Limit) bool { return l.appliesTo(core) }) {
		return out, nil
	}
	limit, _, err := limitOf(limits, core)
	if err != nil {
		return nil, err
	}
	costs, err := fee(ctx)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].Asset != core.ID {
			continue
		}
		var fits bool
		if out[i].Amount, fits = ledger.AddAmounts(out[i].Amount, costs); !fits {
			return nil, errOverLimit
		}
		return out, nil
	}
	return append(out, reservation{c.spendOf(name, core.ID, costs), limit}), nil
}

func (c *call) spendOf(name string, asset ledger.AssetID, amount int64) store.Spend {
	s := store.Spend{Token: name, Asset: asset, Amount: amount}
	if c.sends() { // a transaction that is only signed can be made many times under one key
		s.Key = c.texts[walletapi.RoleRequestKey]
	}
	return s
}

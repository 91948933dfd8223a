package token

import (
	"context"
	"errors"
	"slices"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

const hintNamed = "add the operation to the token's methods if that is intended"

// authorize looks at what the parameters name, replaces names by ids, and counts
// the payment. A spend whose parameters do not say what it pays to whom is judged by what
// was built, before anything is signed: see judge.
func (c *call) authorize(ctx context.Context) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	if c.method.Reach == walletapi.ReachChain && !c.spends() {
		return c.params, none, nil
	}
	if !slices.Contains(c.token.Scope.Methods, c.method.Name) {
		switch {
		case c.method.Does(walletapi.Keys | walletapi.Password):
			return c.params, none, denied("This token is limited, and this operation touches the keys of the wallet.", hintNamed)
		case !c.spends() && c.method.Reach != walletapi.ReachAccount:
			return c.params, none, denied("This token is limited, and this operation reaches the whole wallet.", hintNamed)
		}
	}
	if !c.spends() && !c.method.HasRoles() { // there is nothing to look at
		return c.params, none, nil
	}
	var err error
	if c.texts, c.params, err = c.method.ByRole(c.params); err != nil {
		return c.params, none, err
	}
	if err := c.checkAccount(ctx); err != nil || !c.spends() {
		return c.params, none, err
	}
	scope := c.token.Scope
	switch {
	case !c.pays():
		c.params.Judge = c.judge
		if scope.asks() { // it is above every limit
			c.asks, c.why = rpcserver.Always, "token "+c.token.Name+" has its owner asked"
		}
		return c.params, none, nil
	case !scope.restrictsPayments() && !scope.asks():
		return c.params, none, nil
	}
	return c.checkPayment(ctx)
}

// checkAccount holds the call to the token's accounts. An operation that names
// none and does not spend was named by the token's owner, see authorize.
func (c *call) checkAccount(ctx context.Context) error {
	if len(c.token.Scope.Accounts) == 0 {
		return nil
	}
	if which, of := c.texts[walletapi.RolePayment]; of {
		return c.auth.ledger.Payments.CheckPayers(ctx, which, func(id ledger.AccountID) bool {
			_, err := c.account(ctx, id.String())
			return err == nil
		})
	}
	text, given := c.texts[walletapi.RoleAccount]
	if !given { // a spend is judged by who has to sign
		return nil
	}
	if text == "" {
		return denied("This token is limited to accounts, and this operation does not say for which one it acts.",
			"name the account, or use a token without accounts")
	}
	a, err := c.account(ctx, text)
	if err == nil {
		c.pin(walletapi.RoleAccount, a.ID.String())
	}
	return err
}

// checkPayment holds the call to the token's destinations, assets and amounts.
func (c *call) checkPayment(ctx context.Context) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	id, err := c.checkDestination(ctx, c.texts[walletapi.RoleDestination])
	if err != nil {
		return c.params, none, err
	}
	c.pin(walletapi.RoleDestination, id)
	asset, err := c.checkAsset(ctx, c.texts[walletapi.RoleAsset])
	if err != nil {
		return c.params, none, err
	}
	c.pin(walletapi.RoleAsset, asset.ID.String())
	amount, err := ledger.ParseAmountOf(c.texts[walletapi.RoleAmount], asset.Symbol, asset.Precision)
	if err != nil || amount <= 0 {
		return c.params, none, notAmount(c.method.Name, asset, err)
	}
	paid := paid{asset, amount}
	if err := c.checkOnce(paid); err != nil {
		return c.params, none, err
	}
	c.pin(walletapi.RoleAmount, ledger.FormatAmount(amount, asset.Precision))
	if c.isDry() { // nothing will be paid
		return c.params, none, nil
	}
	recordOutcome, err := c.reserve(ctx, c.transferFee, paid)
	if err != nil {
		return c.params, none, err
	}
	unasked, err := c.consult(ctx, paid)
	if err != nil {
		recordOutcome(denied("", "")) // what was counted so far is not spent
		return c.params, none, err
	}
	return c.params, func(err error) { recordOutcome(err); unasked(err) }, nil
}

func notAmount(op string, asset *ledger.Asset, err error) error {
	out := &fault.Error{Code: fault.BadAmount, Op: op, Err: err,
		Message: "that is not an amount of " + asset.Symbol, Hint: "write digits with at most one point, such as 12.5"}
	var bad *ledger.AmountError
	if errors.As(err, &bad) {
		out.Message, out.Hint = out.Message+": "+bad.Why.Error(), bad.Hint
	}
	return out
}

// consult reports whether the token has its owner asked about the payment: above
// its limits and where there are none for the asset. What is paid unasked counts
// against the sum of the day.
func (c *call) consult(ctx context.Context, p paid) (recordOutcome func(error), err error) {
	recordOutcome = func(error) {}
	scope := c.token.Scope
	if !scope.asks() {
		return recordOutcome, nil
	}
	c.asks = rpcserver.Always
	for _, limits := range [][]Limit{scope.AskAbove, scope.AskAboveDay} {
		if _, _, err := limitOf(limits, p.asset); err != nil {
			c.why = "no limit of token " + c.token.Name + " fits " + p.asset.Symbol
			return recordOutcome, nil
		}
	}
	if limit, limited, _ := limitOf(scope.AskAbove, p.asset); limited && p.amount > limit {
		most := ledger.FormatAmount(limit, p.asset.Precision) + " " + p.asset.Symbol
		c.why = "over the " + most + " that token " + c.token.Name + " may pay unasked"
		return recordOutcome, nil
	}
	recordOutcome, err = c.count(ctx, c.token.ID+unaskedMark, scope.AskAboveDay, c.transferFee, p)
	if isOver(err) {
		c.why = "over what token " + c.token.Name + " may pay unasked in 24 hours"
		return func(error) {}, nil
	}
	c.asks, c.why = rpcserver.Never, "within what token "+c.token.Name+" may pay unasked"
	return recordOutcome, err
}

// unaskedMark distinguishes what was paid without asking from all that a token paid.
const unaskedMark = "/unasked"

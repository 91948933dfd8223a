package token

import (
	"context"
	"errors"
	"slices"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

const hintNamed = "add the operation to the token's methods if that is intended"

// authorize checks what the parameters name, replaces names by ids, and counts the
// payment. A spend whose parameters do not state what it pays to whom is judged by the
// operations it builds, before anything is signed: see judge.
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
	if !c.spends() && !c.method.HasRoles() { // there is nothing to check
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
	case !c.statesPayment():
		c.params.Judge = c.judge
		if scope.asks() { // without a stated amount, it counts as above every limit
			c.approval, c.why = rpcserver.AlwaysAsk, "token "+c.token.Name+" has its owner asked"
		}
		return c.params, none, nil
	case !scope.restrictsPayments() && !scope.asks():
		return c.params, none, nil
	}
	return c.checkPayment(ctx)
}

// checkAccount checks the call against the token's accounts. An operation that names
// no account and does not spend is one that the token lists by name: see authorize.
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
	if !given { // a spend is judged by whose signatures it needs
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

// checkPayment checks the call against the token's destinations, assets and amounts, and counts the payment.
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
	amount, err := txbuild.ParseAmount(c.texts[walletapi.RoleAmount], ledgerview.AssetRefOf(asset))
	if err != nil {
		return c.params, none, err
	}
	paid := paid{asset, amount}
	if err := c.checkPerPayment(paid); err != nil {
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
	unasked, err := c.decideApproval(ctx, paid)
	if err != nil {
		recordOutcome(denied("", "")) // take back what was counted so far
		return c.params, none, err
	}
	return c.params, func(err error) { recordOutcome(err); unasked(err) }, nil
}

// decideApproval sets whether the token's owner is asked about the payment: if it is above
// the token's limits, or if there is none for the asset. A payment without asking counts
// against the limit of the day.
func (c *call) decideApproval(ctx context.Context, p paid) (recordOutcome func(error), err error) {
	recordOutcome = func(error) {}
	scope := c.token.Scope
	if !scope.asks() {
		return recordOutcome, nil
	}
	c.approval = rpcserver.AlwaysAsk
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
	if err == nil { // the owner is asked about what is not counted
		c.approval, c.why = rpcserver.NeverAsk, "within what token "+c.token.Name+" may pay unasked"
	}
	return recordOutcome, err
}

// unaskedMark marks the sums that a token paid without asking, apart from all that it paid.
const unaskedMark = "/unasked"

func denied(message, hint string) error { return &rpcserver.Denied{Message: message, Hint: hint} }

// unreadableError returns the error for a token that may be valid but cannot be looked up now. Clients that are not authenticated
// yet read its text, so the reason, which may name files or hosts, stays out of it.
func unreadableError(err error) error {
	return &fault.Error{Code: fault.File, Message: "the wallet cannot look up tokens now, because they cannot be read", Err: err,
		Hint: "keep the token and make the same request again; the wallet's log and billfold token list say more"}
}

// fileError returns an error of the wallet's own files as one of the core.
func fileError(method string, err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: method, Message: err.Error(), Err: err, Hint: fault.Advice(err, fault.MakeRoom)}
}

// certainlyUnpaid reports whether after err a payment was certainly not made and nobody holds
// its signed bytes.
func certainlyUnpaid(err error) bool {
	if _, no := errors.AsType[*rpcserver.Denied](err); no {
		return true
	}
	return fault.NothingSpent(err)
}

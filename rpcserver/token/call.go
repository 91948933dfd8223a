package token

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/walletapi"
)

// call is one call of a token that is limited in accounts or payments.
type call struct {
	gate   *Gate
	token  Token
	method *walletapi.Method
	params rpcserver.Params
	texts  map[walletapi.Role]string
	asks   rpcserver.Asks // whether a person is asked, by the token's rule
	why    string         // that rule
}

// admit looks at what the parameters name, replaces names by ids, and counts
// the payment.
func (c *call) admit(ctx context.Context) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	named := slices.Contains(c.token.Scope.Methods, c.method.Name)
	switch {
	case c.method.Spends, c.method.Reach == walletapi.ReachAccount:
	case c.method.Reach == walletapi.ReachChain || named:
		return c.params, none, nil
	default:
		return c.params, none, denied("This token is limited, and this operation reaches the whole wallet.",
			"name the operation in the token's methods if that is meant")
	}
	var err error
	if c.texts, err = c.method.ByRole(c.params); err != nil {
		return c.params, none, err
	}
	if err := c.checkAccount(ctx); err != nil || !c.method.Spends {
		return c.params, none, err
	}
	switch _, pays := c.texts[walletapi.RoleAmount]; {
	case c.token.Scope.restrictsPayments():
	case len(c.token.Scope.AskAbove) == 0:
		return c.params, none, nil
	case !pays: // a spend that names no amount is above every limit
		c.asks, c.why = rpcserver.Always, "token "+c.token.Name+" has its owner asked"
		return c.params, none, nil
	}
	return c.admitPayment(ctx)
}

// checkAccount holds the call to the token's accounts.
func (c *call) checkAccount(ctx context.Context) error {
	allowed := c.token.Scope.Accounts
	if len(allowed) == 0 {
		return nil
	}
	text, given := c.texts[walletapi.RoleAccount]
	if !given {
		return denied("This token is limited to accounts, and this operation does not say for which it acts.", "use a token without accounts")
	}
	a, err := c.gate.ledger.Account(ctx, text)
	if err != nil {
		return err
	}
	if !slices.Contains(allowed, a.Name) && !slices.Contains(allowed, a.ID.String()) {
		return denied("This token may not act for this account.", "billfold token list shows for which")
	}
	if c.method.Spends {
		c.pin(walletapi.RoleAccount, a.ID.String())
	}
	return nil
}

func (c *call) pin(role walletapi.Role, text string) {
	c.params = c.method.Pinned(c.params, role, text)
}

// admitPayment holds the call to the token's destinations, assets and amounts.
func (c *call) admitPayment(ctx context.Context) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	for _, role := range []walletapi.Role{walletapi.RoleDestination, walletapi.RoleAsset, walletapi.RoleAmount} {
		if _, given := c.texts[role]; !given {
			return c.params, none, denied("This token is limited in what it pays, and this operation does not say what it pays to whom.", "use a token without such limits")
		}
	}
	if err := c.checkDestination(ctx); err != nil {
		return c.params, none, err
	}
	asset, err := c.checkAsset(ctx)
	if err != nil {
		return c.params, none, err
	}
	amount, err := ledger.ParseAmount(c.texts[walletapi.RoleAmount], asset.Precision)
	if err != nil || amount <= 0 {
		return c.params, none, &walletcore.Error{Code: walletcore.CodeBadAmount, Op: c.method.Name,
			Message: "that is not an amount of " + asset.Symbol, Hint: "write digits with at most one point, such as 12.5", Err: err}
	}
	if limit, limited, err := limitOf(c.token.Scope.PerPayment, asset); err != nil || limited && amount > limit {
		return c.params, none, over(err, "This token may not pay that much at once.")
	}
	c.consult(asset, amount)
	return c.reserve(ctx, asset, amount)
}

// consult tells whether the token has its owner asked about the payment: above
// the limit and where there is none for the asset; below it nobody is asked.
func (c *call) consult(asset *ledger.Asset, amount int64) {
	limit, limited, err := limitOf(c.token.Scope.AskAbove, asset)
	switch {
	case !limited:
	case err != nil:
		c.asks, c.why = rpcserver.Always, "no limit of token "+c.token.Name+" fits "+asset.Symbol
	case amount > limit:
		c.asks, c.why = rpcserver.Always, "over the "+ledger.FormatAmount(limit, asset.Precision)+" "+asset.Symbol+" that token "+c.token.Name+" may pay unasked"
	default:
		c.asks, c.why = rpcserver.Never, "within what token "+c.token.Name+" may pay unasked"
	}
}

func over(err error, message string) error {
	if err != nil {
		return err
	}
	return denied(message, "billfold token list shows its limits")
}

func (c *call) checkDestination(ctx context.Context) error {
	text := c.texts[walletapi.RoleDestination]
	id, isContent := contentID(text)
	name := id
	if !isContent {
		a, err := c.gate.ledger.Account(ctx, text)
		if err != nil {
			return err
		}
		id, name = a.ID.String(), a.Name
	}
	allowed := c.token.Scope.Destinations
	if len(allowed) > 0 && !slices.Contains(allowed, id) && !slices.Contains(allowed, name) {
		return denied("This token may not pay this destination.", "billfold token list shows whom it may pay")
	}
	c.pin(walletapi.RoleDestination, id)
	return nil
}

func (c *call) checkAsset(ctx context.Context) (*ledger.Asset, error) {
	asset, err := c.gate.ledger.Asset(ctx, c.texts[walletapi.RoleAsset])
	if err != nil {
		return nil, err
	}
	allowed := c.token.Scope.Assets
	if len(allowed) > 0 && !slices.Contains(allowed, asset.Symbol) && !slices.Contains(allowed, asset.ID.String()) {
		return nil, denied("This token may not pay with this asset.", "billfold token list shows with which")
	}
	c.pin(walletapi.RoleAsset, asset.ID.String())
	return asset, nil
}

// limitOf finds the limit for an asset in smallest units. Where there are
// limits, an asset without one is denied; of two, the lower counts.
func limitOf(limits []Limit, asset *ledger.Asset) (most int64, limited bool, err error) {
	if len(limits) == 0 {
		return 0, false, nil
	}
	for _, l := range limits {
		if l.Asset != asset.Symbol && l.Asset != asset.ID.String() {
			continue
		}
		amount, err := ledger.ParseAmount(l.Amount, asset.Precision)
		if err != nil {
			return 0, true, denied("The token's limit "+l.Amount+" "+l.Asset+" is not an amount of that asset.", "revoke the token and make one with a limit that is")
		}
		if !limited || amount < most {
			most, limited = amount, true
		}
	}
	if !limited {
		return 0, true, denied("This token has limits, and none for this asset.", "billfold token list shows its limits")
	}
	return most, true, nil
}

// reserve counts the payment against the day's limit.
func (c *call) reserve(ctx context.Context, asset *ledger.Asset, amount int64) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	limit, limited, err := limitOf(c.token.Scope.PerDay, asset)
	if err != nil || !limited {
		return c.params, none, err
	}
	p := sum{token: c.token.ID, asset: asset.ID, amount: amount}
	if c.texts[walletapi.RoleBroadcast] == "true" { // what is only signed can be sent many times, key or not
		p.key = c.texts[walletapi.RoleRequestKey]
	}
	fresh, err := c.gate.spent.reserve(ctx, p, limit)
	switch {
	case isOver(err):
		return c.params, none, denied("This token would pay more than it may within 24 hours.", "wait, or use another token")
	case err != nil:
		return c.params, none, fileError(c.method.Name, fileFault(c.gate.spent.file.Path(), err))
	}
	return c.params, func(err error) { c.settle(ctx, p, fresh, err) }, nil
}

// settle corrects the count when the call has ended. If the file fails now, the
// payment stays counted, which errs on the safe side.
func (c *call) settle(ctx context.Context, p sum, fresh bool, err error) {
	ctx = context.WithoutCancel(ctx)
	switch {
	case err != nil && spared(err) && fresh:
		_ = c.gate.spent.release(ctx, p)
	case !fresh && (err == nil || !spared(err)):
		_ = c.gate.spent.confirm(ctx, p)
	}
}

package token

import (
	"context"
	"errors"
	"slices"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// call is one call of a token that is limited in accounts or payments.
type call struct {
	auth   *Authenticator
	token  Token
	method *walletapi.Method
	params rpcserver.Params
	texts  map[walletapi.Role]string
	asks   rpcserver.Asks // whether a person is asked, by the token's rule
	why    string         // that rule
}

// check looks at what the parameters name, replaces names by ids, and counts
// the payment.
func (c *call) authorize(ctx context.Context) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	if c.method.Reach == walletapi.ReachChain && !c.spends() {
		return c.params, none, nil
	}
	named := slices.Contains(c.token.Scope.Methods, c.method.Name)
	if !named && !c.spends() && c.method.Reach != walletapi.ReachAccount {
		return c.params, none, denied("This token is limited, and this operation reaches the whole wallet.",
			"add the operation to the token's methods if that is intended")
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
	switch {
	case c.token.Scope.restrictsPayments():
	case !c.token.Scope.asks():
		return c.params, none, nil
	case !c.pays(): // a spend that does not say what it pays to whom is above every limit
		c.asks, c.why = rpcserver.Always, "token "+c.token.Name+" has its owner asked"
		return c.params, none, nil
	}
	return c.checkPayment(ctx)
}

// spends reports that the call may move money: whoever holds a signature may send it.
func (c *call) spends() bool { return c.method.Does(walletapi.Signs | walletapi.Spends) }

// pays reports whether the operation says what it pays to whom.
func (c *call) pays() bool {
	for _, role := range []walletapi.Role{walletapi.RoleDestination, walletapi.RoleAsset, walletapi.RoleAmount} {
		if _, given := c.texts[role]; !given {
			return false
		}
	}
	return true
}

// checkAccount holds the call to the token's accounts. An operation that names
// none and does not spend was named by the token's owner, see check.
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
	if !given && !c.spends() {
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

// account finds an account that the token may act for.
func (c *call) account(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	allowed := c.token.Scope.Accounts
	a, err := c.auth.ledger.Accounts.Get(ctx, nameOrID)
	if err == nil && !slices.Contains(allowed, a.Name) && !slices.Contains(allowed, a.ID.String()) {
		err = denied("This token may not act for this account.", "billfold token list shows for which")
	}
	return a, err
}

func (c *call) pin(role walletapi.Role, text string) {
	c.params = c.method.Pinned(c.params, role, text)
}

// checkPayment holds the call to the token's destinations, assets and amounts.
func (c *call) checkPayment(ctx context.Context) (rpcserver.Params, func(error), error) {
	none := func(error) {}
	if !c.pays() {
		return c.params, none, denied("This token is limited in what it pays, and this operation does not say what it pays to whom.",
			"use a token without such limits")
	}
	if err := c.checkDestination(ctx); err != nil {
		return c.params, none, err
	}
	asset, err := c.checkAsset(ctx)
	if err != nil {
		return c.params, none, err
	}
	amount, err := ledger.ParseAmountOf(c.texts[walletapi.RoleAmount], asset.Symbol, asset.Precision)
	if err != nil || amount <= 0 {
		return c.params, none, notAmount(c.method.Name, asset, err)
	}
	if limit, limited, err := limitOf(c.token.Scope.PerPayment, asset); err != nil || limited && amount > limit {
		return c.params, none, over(err, "This token may not pay that much at once.")
	}
	c.pin(walletapi.RoleAmount, ledger.FormatAmount(amount, asset.Precision))
	if c.texts[walletapi.RoleDryRun] == "true" { // nothing will be paid
		return c.params, none, nil
	}
	recordOutcome, err := c.reserve(ctx, asset, amount)
	if err != nil {
		return c.params, none, err
	}
	unasked, err := c.consult(ctx, asset, amount)
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
func (c *call) consult(ctx context.Context, asset *ledger.Asset, amount int64) (recordOutcome func(error), err error) {
	recordOutcome = func(error) {}
	scope := c.token.Scope
	if !scope.asks() {
		return recordOutcome, nil
	}
	c.asks = rpcserver.Always
	for _, limits := range [][]Limit{scope.AskAbove, scope.AskAboveDay} {
		if _, _, err := limitOf(limits, asset); err != nil {
			c.why = "no limit of token " + c.token.Name + " fits " + asset.Symbol
			return recordOutcome, nil
		}
	}
	if limit, limited, _ := limitOf(scope.AskAbove, asset); limited && amount > limit {
		most := ledger.FormatAmount(limit, asset.Precision) + " " + asset.Symbol
		c.why = "over the " + most + " that token " + c.token.Name + " may pay unasked"
		return recordOutcome, nil
	}
	recordOutcome, err = c.count(ctx, c.token.ID+unaskedMark, scope.AskAboveDay, asset, amount)
	if isOver(err) {
		c.why = "over what token " + c.token.Name + " may pay unasked in 24 hours"
		return func(error) {}, nil
	}
	c.asks, c.why = rpcserver.Never, "within what token "+c.token.Name+" may pay unasked"
	return recordOutcome, err
}

// unaskedMark distinguishes what was paid without asking from all that a token paid.
const unaskedMark = "/unasked"

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
		a, err := c.auth.ledger.Accounts.Get(ctx, text)
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
	asset, err := c.auth.ledger.Assets.Get(ctx, c.texts[walletapi.RoleAsset])
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
		if !l.names(asset) {
			continue
		}
		amount, err := ledger.ParseAmount(l.Amount, asset.Precision)
		if err != nil {
			return 0, true, denied("The token's limit "+l.Amount+" "+l.Asset+" is not an amount of that asset.",
				"revoke the token and make one with a limit that is")
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

// reserve counts the payment, and its fee, against the day's limits.
func (c *call) reserve(ctx context.Context, asset *ledger.Asset, amount int64) (recordOutcome func(error), err error) {
	recordOutcome, err = c.count(ctx, c.token.ID, c.token.Scope.PerDay, asset, amount)
	if isOver(err) {
		err = overDay()
	}
	return recordOutcome, err
}

func overDay() error {
	return denied("This token would pay more than it may within 24 hours.", "wait, or use another token; fees in "+coreSymbol+" count")
}

// count counts the payment, and its fee, against limits of a day under a name.
// Error: errOverLimit, a denial when there is no limit for the asset, or the file's;
// nothing is counted then.
func (c *call) count(ctx context.Context, name string, limits []Limit, asset *ledger.Asset, amount int64) (
	recordOutcome func(error), err error) {
	var reserved []*held
	recordOutcome = func(err error) {
		for _, h := range reserved {
			h.recordOutcome(ctx, err)
		}
	}
	due, err := c.due(ctx, name, limits, asset, amount)
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
				err = fileError(c.method.Name, fileFault(err))
			}
			return func(error) {}, err
		}
		reserved = append(reserved, h)
	}
	return recordOutcome, nil
}

// reservation is a sum that counts against a limit of the day.
type reservation struct {
	store.Spend
	limit int64
}

// unit is what is written together with the payment of this call; nil where the call sends none.
func (c *call) unit(ctx context.Context) *store.Unit {
	if !c.sends() {
		return nil
	}
	return store.UnitOf(ctx)
}

func (c *call) sends() bool { return c.texts[walletapi.RoleBroadcast] == "true" }

// coreSymbol names the asset that fees are paid in.
const coreSymbol = "DCT"

// due returns what a payment counts for: itself and, where there is a limit for DCT,
// its fee. Very small payments would otherwise cost what the limit forbids.
func (c *call) due(ctx context.Context, name string, limits []Limit, asset *ledger.Asset, amount int64) ([]reservation, error) {
	limit, limited, err := limitOf(limits, asset)
	if err != nil || !limited {
		return nil, err
	}
	paid := reservation{Spend: c.sum(name, asset.ID, amount), limit: limit}
	core, err := c.auth.ledger.Assets.Get(ctx, ledger.CoreAsset.String())
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(limits, func(l Limit) bool { return l.names(core) }) {
		return []reservation{paid}, nil
	}
	if limit, _, err = limitOf(limits, core); err != nil {
		return nil, err
	}
	_, fee, err := c.auth.ledger.Fees.TransferFee(ctx) // always in DCT
	if err != nil {
		return nil, err
	}
	if asset.ID == core.ID {
		var fits bool
		if paid.Amount, fits = ledger.AddAmounts(paid.Amount, fee); !fits {
			return nil, errOverLimit
		}
		return []reservation{paid}, nil
	}
	return []reservation{paid, {Spend: c.sum(name, core.ID, fee), limit: limit}}, nil
}

func (c *call) sum(name string, asset ledger.AssetID, amount int64) store.Spend {
	s := store.Spend{Token: name, Asset: asset, Amount: amount}
	if c.sends() { // what is only signed can be sent many times, key or not
		s.Key = c.texts[walletapi.RoleRequestKey]
	}
	return s
}

// contentID returns the id of a content object, which has no name.
func contentID(text string) (string, bool) {
	id, err := ledger.ParseObjectID(text)
	if err != nil || id.Space() != 2 || id.Type() != 13 {
		return "", false
	}
	return id.String(), true
}

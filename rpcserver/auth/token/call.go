package token

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/rpcserver"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// paid is an amount of an asset that a call pays.
type paid struct {
	asset  *ledger.Asset
	amount int64 // smallest unit
}

// call is one call with a token that is limited in accounts or payments.
type call struct {
	auth          *Authenticator
	token         Token
	method        *walletapi.Method
	params        rpcserver.Params
	texts         map[walletapi.Role]string
	approval      rpcserver.Approval // whether a person is asked, by the token's rule
	why           string             // that rule
	correctJudged func(error)        // corrects what judge counted, when the call has ended
	counted       bool               // what it pays is counted against the limits of the day
}

// spends reports whether the call may move money: a signature may be sent by anybody who holds it, and a file may be signed.
func (c *call) spends() bool { return c.method.Does(walletapi.Spends) }

// statesPayment reports whether the parameters state what the call pays to whom.
func (c *call) statesPayment() bool {
	for _, role := range []walletapi.Role{walletapi.RoleDestination, walletapi.RoleAsset, walletapi.RoleAmount} {
		if _, given := c.texts[role]; !given {
			return false
		}
	}
	return true
}

// account returns an account, or an error if the token may not act for it.
func (c *call) account(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	allowed := c.token.Scope.Accounts
	a, err := c.auth.ledger.Accounts.Get(ctx, nameOrID)
	if err == nil && !slices.Contains(allowed, a.Name) && !slices.Contains(allowed, a.ID.String()) {
		err = denied("This token may not act for this account.", "billfold token list shows for which it may")
	}
	return a, err
}

func (c *call) pin(role walletapi.Role, text string) {
	c.params = c.method.Pinned(c.params, role, text)
}

// checkPerPayment checks one payment against the token's limits per payment.
func (c *call) checkPerPayment(p paid) error {
	if limit, limited, err := limitOf(c.token.Scope.PerPayment, p.asset); err != nil || limited && p.amount > limit {
		return limitError(err, "This token may not pay that much at once.")
	}
	return nil
}

// isDry reports whether the call is a dry run.
func (c *call) isDry() bool { return c.texts[walletapi.RoleDryRun] == "true" }

func limitError(err error, message string) error {
	if err != nil {
		return err
	}
	return denied(message, "billfold token list shows its limits")
}

// checkDestination returns the id of the destination, an account or content object.
func (c *call) checkDestination(ctx context.Context, text string) (string, error) {
	id, isContent := contentID(text)
	name := id
	if !isContent {
		a, err := c.auth.ledger.Accounts.Get(ctx, text)
		if err != nil {
			return "", fault.OfRecipient(c.method.Name, text, err)
		}
		id, name = a.ID.String(), a.Name
	}
	allowed := c.token.Scope.Destinations
	if len(allowed) > 0 && !slices.Contains(allowed, id) && !slices.Contains(allowed, name) {
		return "", denied("This token may not pay this destination.", "billfold token list shows whom it may pay")
	}
	return id, nil
}

func (c *call) checkAsset(ctx context.Context, text string) (*ledger.Asset, error) {
	asset, err := c.auth.ledger.Assets.Get(ctx, text)
	if err != nil {
		return nil, err
	}
	allowed := c.token.Scope.Assets
	if len(allowed) > 0 && !slices.Contains(allowed, asset.Symbol) && !slices.Contains(allowed, asset.ID.String()) {
		return nil, denied("This token may not pay with this asset.", "billfold token list shows with which it may")
	}
	return asset, nil
}

// limitOf returns the limit for an asset, in its smallest unit. If there are limits,
// an asset without one is denied; of two limits the lower one counts.
func limitOf(limits []Limit, asset *ledger.Asset) (most int64, limited bool, err error) {
	if len(limits) == 0 {
		return 0, false, nil
	}
	for _, l := range limits {
		if !l.appliesTo(asset) {
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

// contentID returns the id in text if it is that of a content object. Content has no name.
func contentID(text string) (string, bool) {
	id, err := ledger.ParseObjectID(text)
	if err != nil || id.Space() != 2 || id.Type() != 13 {
		return "", false
	}
	return id.String(), true
}

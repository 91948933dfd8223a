package ledger

import (
	"strconv"

	"billfold/ledger/printable"
)

// What follows is what operations give away besides what they move: who can take an amount out again, who may issue,
// vote or publish from then on, and what is lost for ever or for long.

// effects names the issuer, who can take out of the pools what is paid into them.
func (op *AssetFundPoolsOp) effects(before Before, n Namer) []Effect {
	asset := n.AssetName(op.UIAAsset.AssetID)
	is := before.Asset(op.UIAAsset.AssetID)
	if is == nil {
		return []Effect{{What: "pools of " + asset, Unnamed: true,
			Careful: "whoever issues " + asset + " can take out all that is paid in; who that is, is not known here"}}
	}
	e := Effect{What: "pools of " + asset, Now: "belong to " + withID(is.Issuer, n) + ", who issues " + asset}
	if is.Issuer != op.FromAccount {
		e.Careful = withID(is.Issuer, n) + " issues " + asset + " and can take out all that is paid in"
		e.Whom = []AccountID{is.Issuer}
	}
	return []Effect{e}
}

// effects returns what the asset is made of in its own units, which nobody has a name for before it exists.
func (op *AssetCreateOp) effects(_ Before, n Namer) []Effect {
	if op.MonitoredAssetOpts != nil {
		return nil
	}
	words := func(a AssetAmount) string {
		if a.AssetID == CoreAsset {
			return n.AmountText(a)
		}
		return FormatDecimals(a.Amount, op.Precision) + " " + op.Symbol
	}
	rate := op.Options.CoreExchangeRate
	return []Effect{
		{What: "most units of " + op.Symbol, Now: words(AssetAmount{Amount: op.Options.MaxSupply, AssetID: 1})},
		{What: "rate to DCT of " + op.Symbol, Now: words(rate.Base) + " for " + words(rate.Quote)},
		{What: "fees can be paid in " + op.Symbol, Now: strconv.FormatBool(op.Options.IsExchangeable)},
	}
}

// effects compares the asset with how it is.
func (op *UpdateUserIssuedAssetOp) effects(before Before, n Namer) (out []Effect) {
	asset := n.AssetName(op.AssetToUpdate)
	if op.NewIssuer != nil {
		out = append(out, newIssuer(asset, op.Issuer, *op.NewIssuer, n))
	}
	units := func(amount uint64) string {
		return grouped(n.AmountText(AssetAmount{Amount: int64(amount), AssetID: op.AssetToUpdate}))
	}
	most, rate, fees, description := notKnown, notKnown, notKnown, notKnown
	if is := before.Asset(op.AssetToUpdate); is != nil {
		most, rate = units(uint64(is.Options.MaxSupply)), is.Options.CoreExchangeRate.words(n)
		fees, description = strconv.FormatBool(is.Options.IsExchangeable), printable.Word(is.Description)
	}
	out = append(out, changeOf("most units of "+asset, most, units(op.MaxSupply))...)
	out = append(out, changeOf("rate to DCT of "+asset, rate, op.CoreExchangeRate.words(n))...)
	out = append(out, changeOf("fees can be paid in "+asset, fees, strconv.FormatBool(op.IsExchangeable))...)
	return append(out, changeOf("description of "+asset, description, printable.Word(op.NewDescription))...)
}

// words is a price as two amounts.
func (p Price) words(n Namer) string {
	return grouped(n.AmountText(p.Base)) + " for " + grouped(n.AmountText(p.Quote))
}

// newIssuer warns that an asset, or a kind of token, is given away.
func newIssuer(of string, was, now AccountID, n Namer) Effect {
	return Effect{What: "issuer of " + of, Was: withID(was, n), Now: withID(now, n), Whom: []AccountID{now},
		Careful: "gives " + of + " away: only " + withID(now, n) + " can issue it, change it or give it back"}
}

// effects compares the precision with how it is, and warns of what can never be changed back.
func (op *UpdateUserIssuedAssetAdvancedOp) effects(before Before, n Namer) []Effect {
	asset, was := n.AssetName(op.AssetToUpdate), notKnown
	if is := before.Asset(op.AssetToUpdate); is != nil {
		was = strconv.Itoa(int(is.Precision))
	}
	out := changeOf("decimals of "+asset, was, strconv.Itoa(int(op.NewPrecision)))
	if op.SetFixedMaxSupply {
		out = append(out, Effect{What: "most units of " + asset, Now: "fixed",
			Careful: "fixes how many units of " + asset + " there can be, for ever"})
	}
	return out
}

// effects names the new issuer.
func (op *NFTUpdateDefinitionOp) effects(_ Before, n Namer) []Effect {
	if op.Options.Issuer == op.CurrentIssuer {
		return nil
	}
	return []Effect{newIssuer(n.KindName(op.NFTID), op.CurrentIssuer, op.Options.Issuer, n)}
}

// effects warns that burning is for ever.
func (op *AssetReserveOp) effects(_ Before, n Namer) []Effect {
	return []Effect{{What: "how much there is of " + n.AssetName(op.AmountToReserve.AssetID), Now: "less",
		Careful: grouped(n.AmountText(op.AmountToReserve)) + " are destroyed for ever"}}
}

// effects warns that a token is burned.
func (op *NFTTransferOp) effects(Before, Namer) []Effect {
	if op.To != NullAccount {
		return nil
	}
	return []Effect{{What: "the token " + op.NFTDataID.String(), Now: "is no more", Careful: "the token is destroyed for ever"}}
}

// effects names who may publish from then on.
func (op *SetPublishingRightOp) effects(_ Before, n Namer) []Effect {
	return rightEffects(op.given(), "may offer content from then on", n)
}

// effects names who may say from then on who publishes.
func (op *SetPublishingManagerOp) effects(_ Before, n Namer) []Effect {
	return rightEffects(op.given(), "may say from then on who offers content", n)
}

func rightEffects(to []AccountID, may string, n Namer) []Effect {
	if len(to) == 0 {
		return nil
	}
	return []Effect{{What: "publishing rights", Now: allWithIDs(to, n), Whom: to, Careful: allWithIDs(to, n) + ": " + may}}
}

// effects warns that an amount is locked up.
func (op *VestingBalanceCreateOp) effects(_ Before, n Namer) []Effect {
	amount, free := grouped(n.AmountText(op.Amount)), op.Policy.words()
	return []Effect{{What: "who can spend " + amount, Was: withID(op.Creator, n), Now: withID(op.Owner, n) + ", " + free,
		Careful: "locks " + amount + " up; nobody can free it sooner: " + free}}
}

// effects warns that a subscription is paid for again and again.
func (op *AutomaticRenewalOfSubscriptionOp) effects(Before, Namer) []Effect {
	if !op.AutomaticRenewal {
		return nil
	}
	return []Effect{{What: "renewal of " + op.Subscription.String(), Now: "automatic",
		Careful: "the author's price of the day is taken at the end of each period, unasked"}}
}

// termsEffect returns the price that a seller asks, and warns where more is paid: the ledger takes all that is offered.
func termsEffect(a *Terms, who string, paid AssetAmount, n Namer) []Effect {
	e := Effect{What: "what " + who + " asks", Now: a.words(n)}
	if a != nil && !a.Closed && a.Price.AssetID == paid.AssetID && paid.Amount > a.Price.Amount {
		e.Dear = true
		e.Careful = who + " asks " + e.Now + "; " + a.excess(paid.Amount, n) + " is paid, and the ledger takes all of it"
	}
	return []Effect{e}
}

// effects returns the author's price, and the period that it is for.
func (op *SubscribeOp) effects(before Before, n Namer) []Effect {
	return termsEffect(before.Subscription(op.From, op.To), withID(op.To, n), op.Price, n)
}

// effects returns what the content costs, and who gets that.
func (op *RequestToBuyOp) effects(before Before, n Namer) []Effect {
	is := before.Content(op.URI, op.RegionCodeFrom)
	out := termsEffect(is, "the seller", op.Price, n)
	if op.Price.Amount == 0 {
		return out
	}
	if is == nil || len(is.By) == 0 {
		return append(out, Effect{What: "who is paid", Now: "not known here", Unnamed: true,
			Careful: "pays " + grouped(n.AmountText(op.Price)) + " to whoever sells it; who that is, is not known here"})
	}
	return append(out, Effect{What: "who is paid", Now: allWithIDs(is.By, n), Paid: is.By})
}

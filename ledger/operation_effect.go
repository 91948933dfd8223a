package ledger

import (
	"strconv"

	"billfold/ledger/printable"
)

// This file holds what operations give away besides what they move: who can take an amount out again, who may issue,
// vote or publish afterwards, and what is lost for ever or for a long time.

// effects names the issuer, who can take out whatever is paid into the pools.
func (op *AssetFundPoolsOp) effects(before Before, n Namer) []Effect {
	asset := n.AssetName(op.UIAAsset.AssetID)
	current := before.Asset(op.UIAAsset.AssetID)
	if current == nil {
		return []Effect{{What: "pools of " + asset, Unnamed: true,
			Careful: "the issuer of " + asset + ", who is not known here, can take out all that is paid in"}}
	}
	e := Effect{What: "pools of " + asset, Now: "belong to " + withID(current.Issuer, n) + ", who issues " + asset}
	if current.Issuer != op.FromAccount {
		e.Careful = withID(current.Issuer, n) + " issues " + asset + " and can take out all that is paid in"
		e.Whom = []AccountID{current.Issuer}
	}
	return []Effect{e}
}

// effects returns the asset's settings in its own units, which no Namer knows before the asset exists.
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
		{What: "maximum supply of " + op.Symbol, Now: words(AssetAmount{Amount: op.Options.MaxSupply, AssetID: 1})},
		{What: "DCT rate of " + op.Symbol, Now: words(rate.Base) + " for " + words(rate.Quote)},
		{What: "fees can be paid in " + op.Symbol, Now: strconv.FormatBool(op.Options.IsExchangeable)},
	}
}

// effects compares the new settings with the asset's present ones.
func (op *UpdateUserIssuedAssetOp) effects(before Before, n Namer) (out []Effect) {
	asset := n.AssetName(op.AssetToUpdate)
	if op.NewIssuer != nil {
		out = append(out, newIssuer(asset, op.Issuer, *op.NewIssuer, n))
	}
	units := func(amount uint64) string {
		return grouped(n.AmountText(AssetAmount{Amount: int64(amount), AssetID: op.AssetToUpdate}))
	}
	supply, rate, fees, description := notKnown, notKnown, notKnown, notKnown
	if current := before.Asset(op.AssetToUpdate); current != nil {
		supply, rate = units(uint64(current.Options.MaxSupply)), current.Options.CoreExchangeRate.words(n)
		fees, description = strconv.FormatBool(current.Options.IsExchangeable), printable.Word(current.Description)
	}
	out = append(out, changeOf("maximum supply of "+asset, supply, units(op.MaxSupply))...)
	out = append(out, changeOf("DCT rate of "+asset, rate, op.CoreExchangeRate.words(n))...)
	out = append(out, changeOf("fees can be paid in "+asset, fees, strconv.FormatBool(op.IsExchangeable))...)
	return append(out, changeOf("description of "+asset, description, printable.Word(op.NewDescription))...)
}

// words returns the price as two amounts.
func (p Price) words(n Namer) string {
	return grouped(n.AmountText(p.Base)) + " for " + grouped(n.AmountText(p.Quote))
}

// newIssuer returns a warning that an asset, or a kind of token, is given away.
func newIssuer(of string, was, now AccountID, n Namer) Effect {
	return Effect{What: "issuer of " + of, Was: withID(was, n), Now: withID(now, n), Whom: []AccountID{now},
		Careful: "gives " + of + " away: only " + withID(now, n) + " can issue it, change it or give it back"}
}

// effects compares the new precision with the present one, and warns of what can never be undone.
func (op *UpdateUserIssuedAssetAdvancedOp) effects(before Before, n Namer) []Effect {
	asset, was := n.AssetName(op.AssetToUpdate), notKnown
	if current := before.Asset(op.AssetToUpdate); current != nil {
		was = strconv.Itoa(int(current.Precision))
	}
	out := changeOf("decimals of "+asset, was, strconv.Itoa(int(op.NewPrecision)))
	if op.SetFixedMaxSupply {
		out = append(out, Effect{What: "maximum supply of " + asset, Now: "fixed",
			Careful: "fixes the maximum supply of " + asset + " for ever"})
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
	return []Effect{{What: "supply of " + n.AssetName(op.AmountToReserve.AssetID), Now: "reduced",
		Careful: grouped(n.AmountText(op.AmountToReserve)) + " are destroyed for ever"}}
}

// effects warns that a token is burned.
func (op *NFTTransferOp) effects(Before, Namer) []Effect {
	if op.To != NullAccount {
		return nil
	}
	return []Effect{{What: "the token " + op.NFTDataID.String(), Now: "destroyed", Careful: "the token is destroyed for ever"}}
}

// effects names who may then publish.
func (op *SetPublishingRightOp) effects(_ Before, n Namer) []Effect {
	return rightEffects(op.beneficiaries(), "may then offer content", n)
}

// effects names who may then decide who publishes.
func (op *SetPublishingManagerOp) effects(_ Before, n Namer) []Effect {
	return rightEffects(op.beneficiaries(), "may then decide who offers content", n)
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
		Careful: "the author's current price is charged at the end of each period, without asking"}}
}

// termsEffect returns the price that a seller asks, and warns if more is paid: the ledger takes all that is offered.
func termsEffect(a *Terms, who string, paid AssetAmount, n Namer) []Effect {
	e := Effect{What: "what " + who + " asks", Now: a.words(n)}
	if a != nil && !a.Closed && a.Price.AssetID == paid.AssetID && paid.Amount > a.Price.Amount {
		e.Overpaid = true
		e.Careful = who + " asks " + e.Now + "; " + a.excess(paid.Amount, n) + " is paid, and the ledger takes all of it"
	}
	return []Effect{e}
}

// effects returns the author's price and the period it pays for.
func (op *SubscribeOp) effects(before Before, n Namer) []Effect {
	return termsEffect(before.Subscription(op.From, op.To), withID(op.To, n), op.Price, n)
}

// effects returns what the content costs and who is paid.
func (op *RequestToBuyOp) effects(before Before, n Namer) []Effect {
	terms := before.Content(op.URI, op.RegionCodeFrom)
	out := termsEffect(terms, "the seller", op.Price, n)
	if op.Price.Amount == 0 {
		return out
	}
	if terms == nil || len(terms.By) == 0 {
		return append(out, Effect{What: "who is paid", Now: "not known here", Unnamed: true,
			Careful: "pays " + grouped(n.AmountText(op.Price)) + " to the seller, who is not known here"})
	}
	return append(out, Effect{What: "who is paid", Now: allWithIDs(terms.By, n), Paid: terms.By})
}

// effects returns what content costs where, until when it is offered, and who shares in it or keeps it. Whoever may restore its key is
// worth a look: a quorum of the seeders can read it.
func (op *ContentSubmitOp) effects(_ Before, n Namer) []Effect {
	out := make([]Effect, 0, len(op.Price)+4)
	for _, p := range op.Price {
		out = append(out, Effect{What: "price in " + RegionWords(p.Region), Now: n.AmountText(p.Price)})
	}
	out = append(out, Effect{What: "offered until", Now: op.Expiration.Words()})
	for _, a := range op.CoAuthors {
		share := FormatDecimals(int64(a.Split), 2) + " % of the price"
		out = append(out, Effect{What: "share of " + withID(a.Account, n), Now: share})
	}
	if op.PublishingFee.Amount != 0 {
		out = append(out, Effect{What: "held for who keeps it", Now: n.AmountText(op.PublishingFee), Note: "what they have not earned in the end comes back"})
	}
	if len(op.Seeders) == 0 {
		return append(out, Effect{What: "who keeps it", Now: "nobody", Note: "buyers get no key: it must be readable without one"})
	}
	return append(out, Effect{What: "who keeps it", Now: allWithIDs(op.Seeders, n),
		Note: strconv.FormatUint(uint64(op.Quorum), 10) + " of them together can restore its key"})
}

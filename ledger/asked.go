package ledger

import "fmt"

// Asked is what is asked for a subscription or for content.
type Asked struct {
	Price  AssetAmount // in the asset that is paid
	Days   uint32      // how long it lasts; 0: for ever
	Until  Time        // the end of that, if it is paid now
	Closed bool        // it is not to be had
}

// words are the price, and what it is for.
func (a *Asked) words(n Namer) string {
	switch {
	case a == nil:
		return "not known here"
	case a.Closed:
		return "nothing: it is not to be had"
	case a.Days == 0:
		return n.AmountText(a.Price)
	}
	return n.AmountText(a.Price) + " for " + DurationWords(uint64(a.Days)*86400) + " (until " + a.Until.Words() + ")"
}

// effect says what who asks, and warns where more is paid: the ledger takes all that is offered.
func (a *Asked) effect(who string, paid AssetAmount, n Namer) []Effect {
	e := Effect{What: "what " + who + " asks", Now: a.words(n)}
	if a != nil && !a.Closed && a.Price.AssetID == paid.AssetID && paid.Amount > a.Price.Amount {
		e.Dear = true
		e.Careful = who + " asks " + e.Now + "; you pay " + a.excess(paid.Amount, n) + ", and the ledger takes all of it"
	}
	return []Effect{e}
}

// excess is how much more than the price is paid.
func (a *Asked) excess(paid int64, n Namer) string {
	price := a.Price.Amount
	if price <= 0 || paid/price < 2 {
		return n.AmountText(AssetAmount{Amount: paid - max(price, 0), AssetID: a.Price.AssetID}) + " more than that"
	}
	if paid%price != 0 {
		return fmt.Sprintf("more than %d times that", paid/price)
	}
	return fmt.Sprintf("%d times that", paid/price)
}

// effects says what the author asks for how long.
func (op *SubscribeOp) effects(before Before, n Namer) []Effect {
	return before.Subscription(op.From, op.To).effect(withID(op.To, n), op.Price, n)
}

// effects says what the content costs.
func (op *RequestToBuyOp) effects(before Before, n Namer) []Effect {
	return before.Content(op.URI, op.RegionCodeFrom).effect("the seller", op.Price, n)
}

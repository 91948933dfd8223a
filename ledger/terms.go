package ledger

import "fmt"

// Terms are the terms of a subscription or of content.
type Terms struct {
	Price  AssetAmount // in the asset that is paid
	Days   uint32      // how long it lasts; 0 means for ever
	Until  Time        // when it ends if it is paid now
	Closed bool        // it is not on offer
	By     []AccountID // of content: who receives the price
}

// notKnown takes the place of a present value that is not known; an absent value is never shown as notKnown.
const notKnown = "not known here"

// words returns the price and the period it pays for.
func (a *Terms) words(n Namer) string {
	switch {
	case a == nil:
		return notKnown
	case a.Closed:
		return "nothing: it is not on offer"
	case a.Days == 0:
		return n.AmountText(a.Price)
	}
	return n.AmountText(a.Price) + " for " + DurationWords(uint64(a.Days)*86400) + " (until " + a.Until.Words() + ")"
}

// excess returns how much more than the price is paid.
func (a *Terms) excess(paid int64, n Namer) string {
	price := a.Price.Amount
	if price <= 0 || paid/price < 2 {
		return n.AmountText(AssetAmount{Amount: paid - max(price, 0), AssetID: a.Price.AssetID}) + " more than that"
	}
	if paid%price != 0 {
		return fmt.Sprintf("more than %d times that", paid/price)
	}
	return fmt.Sprintf("%d times that", paid/price)
}

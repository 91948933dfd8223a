package ledger

import "fmt"

// Terms are what is asked for a subscription or for content.
type Terms struct {
	Price  AssetAmount // in the asset that is paid
	Days   uint32      // how long it lasts; 0: for ever
	Until  Time        // the end of that, if it is paid now
	Closed bool        // it is not to be had
	By     []AccountID // of content: whom the price goes to
}

// notKnown stands for how something is now where that cannot be told: never for a value that it may not have.
const notKnown = "not known here"

// words are the price, and what it is for.
func (a *Terms) words(n Namer) string {
	switch {
	case a == nil:
		return notKnown
	case a.Closed:
		return "nothing: it is not to be had"
	case a.Days == 0:
		return n.AmountText(a.Price)
	}
	return n.AmountText(a.Price) + " for " + DurationWords(uint64(a.Days)*86400) + " (until " + a.Until.Words() + ")"
}

// excess is how much more than the price is paid.
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

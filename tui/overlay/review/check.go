package review

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// The limits above which more must be typed for a payment, in whole DCT.
const (
	smallLimit = 50
	largeLimit = 1000
)

// check is a text that a person types to show that they read it.
type check struct {
	what  string // "amount" or "object id"
	brief string // the same for little room; empty: "it"
	why   string
	want  string
	match func(text string) bool
	wrong func(text string) string // why a text cannot be one at all, such as no amount; may be nil
	text  field.Field
	done  bool

	slight bool // a small total, asked for only because somebody new gets it: their id matters more
}

// rank returns the place of a check among others: small totals come last.
func (c check) rank() int {
	if c.slight {
		return 1
	}
	return 0
}

// exactCheck asks for exactly the text want.
func exactCheck(what, why, want string) check {
	return check{what: what, why: why, want: want, match: func(text string) bool { return text == want }}
}

// getsPower reports whether an account gains power, so that powerChecks asks for its id.
func getsPower(r txbuild.Review, id ledger.AccountID) bool {
	return slices.ContainsFunc(r.Effects, func(e ledger.Effect) bool { return slices.Contains(e.Whom, id) })
}

// overpaidWhy is the reason for typing an amount if overpays is true.
const overpaidWhy = "more is paid than is asked"

// overpays reports whether more is paid for something than its price.
func overpays(r txbuild.Review) bool {
	return slices.ContainsFunc(r.Effects, func(e ledger.Effect) bool { return e.Overpaid && !e.Approved })
}

// amountCheck asks for an amount, as a number with at most the asset's precision.
func amountCheck(what, why string, asset ledgerview.AssetRef, amount int64) check {
	return check{what: what, why: why, want: format.Digits(asset, amount), match: func(text string) bool {
		n, err := ledger.ParseAmountOf(strings.Trim(text, " "), asset.Symbol, asset.Precision)
		return err == nil && n == amount
	}, wrong: func(text string) string {
		_, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
		return format.AmountFault(err)
	}}
}

// dctOut returns what leaves the account in DCT, fee included. The limits are in DCT only: other assets have none.
func dctOut(r txbuild.Review) int64 {
	switch {
	case r.Asset.ID == ledger.CoreAsset && r.Amount != 0:
		return r.Spent()
	case r.FeeAsset.ID == ledger.CoreAsset:
		return r.Fee
	}
	return 0
}

// wholeUnits returns n whole units of an asset in its smallest unit.
func wholeUnits(a ledgerview.AssetRef, n int64) int64 {
	for range a.Precision {
		n *= 10
	}
	return n
}

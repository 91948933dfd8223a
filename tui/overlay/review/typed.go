package review

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/field"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
)

// The limits above which a payment asks for more, in whole DCT.
const (
	smallLimit = 50
	largeLimit = 1000
)

// check is a text that a person types to show that they read it.
type check struct {
	what  string // "amount" or "object id"
	brief string // the same where there is little room; empty: "it"
	why   string
	want  string
	match func(text string) bool
	wrong func(text string) string // why a text is none at all; may be nil
	text  field.Field
	done  bool

	slight bool // it is a small total, asked because of somebody new, whose id says more
}

// rank orders what is asked: small totals last.
func (c check) rank() int {
	if c.slight {
		return 1
	}
	return 0
}

// exactly asks for a text, letter by letter.
func exactly(what, why, want string) check {
	return check{what: what, why: why, want: want, match: func(text string) bool { return text == want }}
}

// power reports whether an account gets power, for which its id is typed.
func power(r build.Review, id ledger.AccountID) bool {
	return slices.ContainsFunc(r.Effects, func(e ledger.Effect) bool { return slices.Contains(e.Whom, id) })
}

// dearWhy is why an amount is typed of which dear is true.
const dearWhy = "more is paid than is asked"

// dear reports whether more is paid than is asked for what is bought.
func dear(r build.Review) bool {
	return slices.ContainsFunc(r.Effects, func(e ledger.Effect) bool { return e.Overpaid && !e.Approved })
}

// amountCheck asks for an amount in the digits that it is typed with elsewhere.
func amountCheck(what, why string, asset ledgerview.AssetRef, amount int64) check {
	return check{what: what, why: why, want: format.Digits(asset, amount), match: func(text string) bool {
		n, err := ledger.ParseAmountOf(strings.Trim(text, " "), asset.Symbol, asset.Precision)
		return err == nil && n == amount
	}, wrong: func(text string) string {
		_, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
		return format.AmountFault(err)
	}}
}

// dctOut is what leaves the account in DCT, the fee included. Other assets have
// no such limit.
func dctOut(r build.Review) int64 {
	switch {
	case r.Asset.ID == ledger.CoreAsset && r.Amount != 0:
		return r.Spent()
	case r.FeeAsset.ID == ledger.CoreAsset:
		return r.Fee
	}
	return 0
}

// whole is a number of whole units of an asset.
func whole(a ledgerview.AssetRef, n int64) int64 {
	for range a.Precision {
		n *= 10
	}
	return n
}

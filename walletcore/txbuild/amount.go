package txbuild

import (
	"errors"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// amountParser parses decimal text as an amount of an asset, in smallest units.
type amountParser func(text string, asset ledgerview.AssetRef) (int64, error)

// parseAmountOrZero is ParseAmount, but accepts zero.
func parseAmountOrZero(text string, asset ledgerview.AssetRef) (int64, error) {
	value, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
	if err == nil && value == 0 && strings.ContainsRune(text, '0') { // empty text is not an amount
		return 0, nil
	}
	return ParseAmount(text, asset)
}

// ParseAmount parses decimal text as a positive amount of the asset, in smallest units. Errors:
// fault.BadAmount, fault.InvalidOperation, fault.AmountLimit, fault.AmountOverflow.
func ParseAmount(text string, asset ledgerview.AssetRef) (int64, error) {
	value, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
	e := &fault.Error{Op: "amount", Code: fault.BadAmount, Err: err, Hint: "write only digits and one point"}
	var bad *ledger.AmountError
	switch {
	case err == nil && value > 0:
		return value, nil
	case err == nil:
		e.Code, e.Message, e.Hint = fault.InvalidOperation, "an amount must be more than zero", "write a larger one"
		return 0, e
	case text == "" || text == "." || text == "-":
		e.Code, e.Message = fault.InvalidOperation, "expected an amount, not "+fault.Quote(text)
		return 0, e
	case errors.As(err, &bad):
		e.Message, e.Hint = fault.Quote(text)+" is not an amount: "+bad.Why.Error(), bad.Hint
	}
	switch {
	case errors.Is(err, ledger.ErrAmountNegative):
		e.Code, e.Message = fault.InvalidOperation, fault.Quote(text)+" is negative; an amount must be more than zero"
	case errors.Is(err, ledger.ErrAmountDigits):
		e.Message = fault.Quote(text) + " has more decimals than " + asset.Symbol + " allows"
	case errors.Is(err, ledger.ErrAmountLimit):
		e.Code, e.Message = fault.AmountLimit, fault.Quote(text)+" is more than any asset has"
	case errors.Is(err, ledger.ErrAmountOverflow):
		e.Code, e.Message = fault.AmountOverflow, fault.Quote(text)+" is more than any asset can have"
	}
	return 0, e
}

package send

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// funds is what the account holds and what a payment costs, as last read.
type funds struct {
	balances     []ledgerview.Balance
	readAt       time.Time // zero: not read from a node yet
	feeAsset     ledgerview.AssetRef
	fee          int64
	feeKnown     bool
	missingAsset string // a symbol that the ledger does not have, in capitals
}

// balance returns what is held of an asset, given by symbol or id.
func (f *funds) balance(asset string) (ledgerview.Balance, bool) {
	for _, b := range f.balances {
		if strings.EqualFold(b.Asset.Symbol, asset) || b.Asset.ID.String() == asset {
			return b, true
		}
	}
	return ledgerview.Balance{}, false
}

// asset returns an asset by symbol or id: one that is held, or DCT, which is always
// the same.
func (f *funds) asset(name string) (ledgerview.AssetRef, bool) {
	if b, ok := f.balance(name); ok {
		return b.Asset, true
	}
	core := ledgerview.AssetRef{ID: ledger.CoreAsset, Symbol: "DCT", Precision: 8}
	return core, strings.EqualFold(name, core.Symbol) || name == core.ID.String()
}

// feeIn returns the fee if it is paid in the given asset, else 0.
func (f *funds) feeIn(a ledgerview.AssetRef) int64 {
	if f.feeKnown && f.feeAsset.ID == a.ID {
		return f.fee
	}
	return 0
}

// isAsset reports whether text can be the symbol or the id of an asset.
func isAsset(text string) bool {
	_, err := ledger.ParseAssetID(text)
	return err == nil || ledger.ValidSymbol(strings.ToUpper(text)) == nil
}

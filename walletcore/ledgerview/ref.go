// Package ledgerview is the wallet's view of the ledger: accounts, assets,
// names and fees, read from a daemon. Pins (pins.go) are what was accepted before and is compared with, a Quorum (quorum.go) asks several
// daemons, and Chain (readiness.go) has whether the daemon in use can be relied on.
package ledgerview

import (
	"strings"
	"time"

	"billfold/ledger"
)

// AccountRef names an account the way it is always shown: name and id.
type AccountRef struct {
	ID   ledger.AccountID
	Name string
}

// IsUnnamed reports whether the id stands for a name that is not known.
func (a AccountRef) IsUnnamed() bool {
	return strings.HasPrefix(a.Name, "1.2.") && a.Name == a.ID.String()
}

// AssetRef holds what is needed to show an amount.
type AssetRef struct {
	ID        ledger.AssetID
	Symbol    string
	Precision uint8
}

// AssetRefOf returns the reference to an asset.
func AssetRefOf(a *ledger.Asset) AssetRef {
	return AssetRef{a.ID, a.Symbol, a.Precision}
}

// DCT returns the core asset, the same on every chain (docs/protocol/ledger.md 3).
func DCT() AssetRef { return AssetRef{ID: ledger.CoreAsset, Symbol: "DCT", Precision: 8} }

// Format writes amount (smallest unit) with all decimals and the symbol, "1.50000000 DCT".
func (a AssetRef) Format(amount int64) string {
	return a.Decimals(amount) + " " + a.Symbol
}

// Decimals writes amount with all decimals of the asset, without its symbol.
func (a AssetRef) Decimals(amount int64) string { return ledger.FormatDecimals(amount, a.Precision) }

// Balance is the amount of one asset that an account holds.
type Balance struct {
	Asset  AssetRef
	Amount int64 // smallest unit
}

// Change is something that may change but rarely does, and is not as the wallet
// last accepted it. A daemon that lies looks the same as an owner who took new keys.
type Change struct {
	Account  AccountRef
	Of       string    // what it is a change of where that is no account, such as "the chain's parameters"; else empty
	What     string    // such as "memo key", "active authority" or "voting proxy"
	Was, Now string    // in words or ledger text: public keys, the parties of an authority with their weights
	Since    time.Time // when Was was accepted

	// Undoes says what the operations would undo, such as "transaction … of this wallet". Then Was is how it is, and Now how it would be
	// afterwards; usually empty.
	Undoes string
}

// isDCT reports whether text names the asset that nobody is asked about.
func isDCT(symbolOrID string) bool {
	if symbolOrID == DCT().Symbol {
		return true
	}
	id, err := ledger.ParseAssetID(symbolOrID)
	return err == nil && id == ledger.CoreAsset
}

// AccountIDText takes text that starts with a digit for an id when it is one.
func AccountIDText(text string) (ledger.AccountID, bool) {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	id, err := ledger.ParseAccountID(text)
	return id, err == nil
}

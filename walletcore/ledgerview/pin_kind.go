package ledgerview

import "billfold/ledger"

// assetFact is the part of an asset that never changes.
type assetFact struct {
	symbol    string
	precision uint8
}

type (
	accountPin = pin[ledger.AccountID, string]
	assetPin   = pin[ledger.AssetID, assetFact]
)

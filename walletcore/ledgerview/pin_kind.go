package ledgerview

import "billfold/ledger"

// assetFact is what never changes of an asset.
type assetFact struct {
	symbol    string
	precision uint8
}

type (
	accountPin = pin[ledger.AccountID, string]
	assetPin   = pin[ledger.AssetID, assetFact]
)

package history

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
)

// A row has every asset that its operation moves, so that it is found by each.
func TestRowHasEveryMovedAsset(t *testing.T) {
	record := ledger.HistoryRecord{Op: ledger.Operation{Code: ledger.CodeAssetFundPools, Body: &ledger.AssetFundPoolsOp{
		FromAccount: 34, UIAAsset: ledger.AssetAmount{AssetID: 7, Amount: 12345}, DCTAsset: ledger.AssetAmount{Amount: 5}}}}
	row := indexRow(34, record)
	if want := []historyindex.Part{{Asset: 7, Amount: 12345}}; row.Asset == nil || *row.Asset != 0 || row.Amount != 5 ||
		row.Direction != historyindex.Out || fmt.Sprint(row.Also) != fmt.Sprint(want) {
		t.Errorf("the row is %+v, its other parts %v, want %v", row, row.Also, want)
	}
}

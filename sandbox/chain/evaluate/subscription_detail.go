package evaluate

import (
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

const daySeconds = 24 * 3600

func subscriptionDetail(from, to ledger.AccountID, days uint32, price, fee ledger.AssetAmount) state.TransactionDetail {
	text := fmt.Sprintf("%d day", days)
	if days > 1 {
		text += "s"
	}
	return state.TransactionDetail{From: from, To: to, Kind: state.DetailSubscription, Amount: price, Fee: fee, Description: text}
}

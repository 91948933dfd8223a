package main

import (
	"fmt"

	"billfold/rpcserver/audit"
	"billfold/walletcore/payment"
)

// maxNamed is how many payments a record of a recovery names.
const maxNamed = 100

// recoveryRecord returns the audit record of payments that the store had lost and that were found on the ledger.
func recoveryRecord(who, why string, found []payment.FoundPayment) audit.Record {
	what := fmt.Sprintf("%s; %s found on the ledger", why, countWere(len(found), "payment"))
	for i, f := range found {
		if i == maxNamed {
			what += ", and others"
			break
		}
		what += fmt.Sprintf(", %s in block %d", f.ID, f.Block)
	}
	return audit.Record{Who: who, Method: "accept_loss", What: what, Outcome: "done"}
}

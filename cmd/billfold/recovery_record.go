package main

import (
	"fmt"

	"billfold/rpcserver/audit"
	"billfold/walletcore/payment"
)

// mostNamed is how many payments a record of a loss names.
const mostNamed = 100

func recoveryRecord(who, why string, found []payment.FoundPayment) audit.Record {
	what := fmt.Sprintf("%s; %s found on the ledger", why, were(len(found), "payment"))
	for i, f := range found {
		if i == mostNamed {
			what += ", and others"
			break
		}
		what += fmt.Sprintf(", %s in block %d", f.ID, f.Block)
	}
	return audit.Record{Who: who, Method: "accept_loss", What: what, Outcome: "done"}
}

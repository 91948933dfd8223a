package main

import (
	"fmt"

	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
)

// maxNamed is the maximum number of payments that a record of a recovery names.
const maxNamed = 100

// recoveryRecord returns the audit record of payments that the store had lost and that were found on the ledger.
func recoveryRecord(who, why string, found []payment.FoundPayment) audit.Record {
	what := fmt.Sprintf("%s; %s found on the ledger", why, printable.Were(len(found), "payment"))
	for i, f := range found {
		if i == maxNamed {
			what += ", and others"
			break
		}
		what += fmt.Sprintf(", %s in block %d", f.ID, f.Block)
	}
	return audit.Record{Who: who, Method: "accept_loss", What: what, Outcome: "done"}
}

// personHere is the person behind a command in an audit record.
const personHere = "the person at the terminal"

// personRecord returns the audit record of something that a person did to the store with a command.
func personRecord(method, what string) audit.Record {
	return audit.Record{Who: personHere, Method: method, What: what, Outcome: "done"}
}

// changeRecord returns the audit record of a change of an own account that the wallet did not make.
func changeRecord(c store.ObjectChange, a ledgerview.AccountRef) audit.Record {
	what := fmt.Sprintf("%s (%s) was changed by transaction %s in block %d, which this wallet did not make: %s", a.Name, a.ID, c.Transaction, c.Block, c.Text)
	for _, id := range c.Undone {
		what += "; it undid transaction " + id.String()
	}
	return audit.Record{Who: "the ledger", Method: "account_changed", What: what, Outcome: "done"}
}

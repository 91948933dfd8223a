package main

import (
	"errors"
	"fmt"
	"strings"

	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/store/postgres"
)

// lossReason returns why the journal makes no payments.
func (p *program) lossReason() string {
	err := p.wallet.Payments.JournalFault()
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Err != nil {
		return e.Err.Error()
	}
	return "nothing was missing"
}

// holdAdvice describes what ends a hold.
func holdAdvice(at *postgres.Status) string {
	accept := "billfold store accept --from-block N, with a block from before the loss"
	if at.HeldFrom > 0 {
		accept = fmt.Sprintf("billfold store accept --from-block %d", at.HeldFrom)
	}
	switch {
	case at.NeedsPerson:
		return "it does not end by itself; to continue, in the folder of a server that is not running: " + accept
	case len(at.Awaited) > 0:
		return "it waits for " + printable.Text(strings.Join(at.Awaited, ", ")) + " to compare what it knows; start it again, " +
			"or, if it is gone for good: " + accept
	}
	from := ""
	if at.HeldFrom > 0 {
		from = fmt.Sprintf(" from block %d on", at.HeldFrom)
	}
	return "the servers search the ledger" + from + ", and it ends by itself once that is done; an unlocked server and a daemon are needed"
}

// lostKeysNote returns a note about repeating the request key of a payment that was found, "" if none was found.
func lostKeysNote(found int, shared bool) string {
	if found == 0 {
		return ""
	}
	of := ownJournal
	if shared {
		of = sharedStore
	}
	return "The ledger does not hold request keys: a request that equals one of these payments is refused until\n" +
		of.command("claim") + " says which of them it was\n"
}

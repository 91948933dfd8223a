package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
)

// checkHistory expects records newest first, not more than asked for, between the ids that were asked for.
func checkHistory(q question, result json.RawMessage) error {
	stop, start := q.object(1), q.object(3)
	newest := ledger.HistoryID(0).Object()
	return checkRecords(q.object(0), q.number(2), result, func(id ledger.ObjectID) error {
		if start != newest && id > start || id <= stop && (id != stop || stop != newest) {
			return fmt.Errorf("%s is not in what was asked for, %s to %s", id, stop, start)
		}
		return nil
	})
}

// checkRelativeHistory expects records newest first, not more than asked for, by limit and by the account's own numbers.
func checkRelativeHistory(q question, result json.RawMessage) error {
	stop, most, start := q.number(1), q.number(2), q.number(3)
	if start >= stop && start != 0 {
		most = min(most, start-stop+1)
	}
	return checkRecords(q.object(0), most, result, func(ledger.ObjectID) error { return nil })
}

func checkRecords(account ledger.ObjectID, most uint64, result json.RawMessage, inRange func(ledger.ObjectID) error) error {
	list, err := rows(result, most)
	if err != nil {
		return err
	}
	var last ledger.ObjectID
	for i, raw := range list {
		m, err := fields(raw, "id", "op")
		if err != nil {
			return err
		}
		text, err := plainText(m[0])
		if err != nil {
			return err
		}
		record, err := ledger.ParseHistoryID(text)
		if err != nil {
			return err
		}
		id := record.Object()
		if i > 0 && id >= last {
			return fmt.Errorf("%s follows %s", id, last)
		}
		last = id
		if err := inRange(id); err != nil {
			return err
		}
		if err := checkParty(account, id, m[1]); err != nil {
			return err
		}
	}
	return nil
}

// checkParty refuses a transfer in which the account has no part. Which accounts other operations touch is the node's
// own rule; nothing here depends on it.
func checkParty(account, record ledger.ObjectID, op json.RawMessage) error {
	parts, err := exactRows(op, 2)
	if err != nil {
		return err
	}
	code, err := number(parts[0], 16)
	if err != nil {
		return err
	}
	if c := ledger.OpCode(code); c != ledger.CodeTransferObsolete && c != ledger.CodeTransfer {
		return nil
	}
	m, err := fields(parts[1], "from", "to")
	if err != nil {
		return err
	}
	from, err := objectID(m[0])
	if err != nil {
		return err
	}
	to, err := objectID(m[1])
	if err != nil {
		return err
	}
	toAccount := to == ledger.AccountID(to.Instance()).Object()
	if from != account && to != account && toAccount {
		return fmt.Errorf("got %s, a transfer from %s to %s, for %s", record, from, to, account)
	}
	return nil
}

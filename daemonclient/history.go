package daemonclient

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// HistoryQueries are the queries about the history of accounts; see Queries.
type HistoryQueries struct{ ask asker }

// AccountHistory returns the operations an account had a part in, newest first, at most limit (100): those with stop <
// id ≤ start. A start of 1.7.0 means the newest; a stop of 1.7.0 includes the record 1.7.0 itself.
func (q HistoryQueries) AccountHistory(ctx context.Context, account ledger.AccountID, stop ledger.HistoryID, limit uint32,
	start ledger.HistoryID) ([]ledger.HistoryRecord, error) {
	return query[[]ledger.HistoryRecord](ctx, q.ask, History, "get_account_history", account, stop, limit, start)
}

// AccountHistoryRaw is AccountHistory as the daemon wrote it.
func (q HistoryQueries) AccountHistoryRaw(ctx context.Context, account ledger.AccountID, stop ledger.HistoryID, limit uint32,
	start ledger.HistoryID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, History, "get_account_history", account, stop, limit, start)
}

// RelativeAccountHistory is AccountHistory by the account's own count of its operations: numbers stop to start, both
// included, newest first, at most limit (100); a start of 0 means the newest.
func (q HistoryQueries) RelativeAccountHistory(ctx context.Context, account ledger.AccountID,
	stop, limit, start uint32) ([]ledger.HistoryRecord, error) {
	return query[[]ledger.HistoryRecord](ctx, q.ask, History, "get_relative_account_history", account, stop, limit, start)
}

// RelativeAccountHistoryRaw is RelativeAccountHistory as the daemon wrote it.
func (q HistoryQueries) RelativeAccountHistoryRaw(ctx context.Context, account ledger.AccountID,
	stop, limit, start uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, History, "get_relative_account_history", account, stop, limit, start)
}

// SearchAccountHistory returns at most limit rows 2.17.N of an account in an order such as "-time" or "+price",
// starting at the row from (0.0.0 = the first).
func (q HistoryQueries) SearchAccountHistory(ctx context.Context, account ledger.AccountID, order string, from ledger.ObjectID,
	limit uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "search_account_history", account, order, from, limit)
}

// BalanceSearch are the parameters of SearchAccountBalanceHistory.
type BalanceSearch struct {
	Assets             []ledger.AssetID  // one of them changed; empty = any
	Partner            *ledger.AccountID // in transfers; nil = any
	FromBlock, ToBlock uint32            // both 0 = all
	Skip, Limit        uint32
}

// SearchAccountBalanceHistory returns the operations that changed an account's balances, newest first.
func (q HistoryQueries) SearchAccountBalanceHistory(ctx context.Context, account ledger.AccountID,
	s BalanceSearch) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, History, "search_account_balance_history",
		account, emptyForNil(s.Assets), s.Partner, s.FromBlock, s.ToBlock, s.Skip, s.Limit)
}

// AccountBalanceForTransaction returns what the record changed or, if it changed nothing of the account, the next older
// record that did; nil if there is none. Its time and transaction id are empty.
func (q HistoryQueries) AccountBalanceForTransaction(ctx context.Context, account ledger.AccountID,
	id ledger.HistoryID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, History, "get_account_balance_for_transaction", account, id)
}

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

// checkDetails expects rows that the account has a part in, by time if that was asked for.
func checkDetails(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(3))
	if err != nil {
		return err
	}
	direction := timeOrder(q.text(1))
	var last ledger.TransactionDetail
	for i, raw := range list {
		var now ledger.TransactionDetail
		if err := codec.Unmarshal(raw, &now); err != nil {
			return err
		}
		if account := q.object(0); now.From.Object() != account && now.To.Object() != account {
			return fmt.Errorf("got %s, from %s to %s, for %s", now.ID, now.From, now.To, account)
		}
		if i > 0 && direction*cmp.Compare(last.Timestamp, now.Timestamp) > 0 {
			return fmt.Errorf("%s is out of order", now.ID)
		}
		last = now
	}
	return nil
}

// timeOrder returns 1 for oldest first, -1 for newest first, 0 for an order by something else. The daemon takes an
// unknown order as newest first.
func timeOrder(order string) int {
	switch order {
	case "+time":
		return 1
	case "+type",
		"-type",
		"+to",
		"-to",
		"+from",
		"-from",
		"+price",
		"-price",
		"+fee",
		"-fee",
		"+nft",
		"-nft",
		"+description",
		"-description":
		return 0
	}
	return -1
}

// checkTokenHistory expects rows about the token.
func checkTokenHistory(q question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	for _, raw := range list {
		m, err := fields(raw, "m_nft_data_id")
		if err != nil {
			return err
		}
		if got, err := objectID(m[0]); err != nil || got != q.object(0) {
			return fmt.Errorf("asked for the history of %s, got a row of %s", q.object(0), quoted(m[0]))
		}
	}
	return nil
}

// checkBalanceHistory expects records newest first, in the blocks and not more than asked for.
func checkBalanceHistory(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(6))
	if err != nil {
		return err
	}
	first, last := q.number(3), q.number(4)
	var before ledger.ObjectID
	for i, raw := range list {
		id, block, err := readBalanceChange(q.object(0), raw)
		switch {
		case err != nil:
			return err
		case i > 0 && id >= before:
			return fmt.Errorf("%s follows %s", id, before)
		case (first > 0 || last > 0) && (block < first || block > last):
			return fmt.Errorf("got %s of block #%d for the blocks #%d to #%d", id, block, first, last)
		}
		before = id
	}
	return nil
}

// checkBalanceAt expects a record of the account, not newer than the one asked for, or null.
func checkBalanceAt(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	id, _, err := readBalanceChange(q.object(0), result)
	if err == nil && id > q.object(1) && q.object(1) != ledger.HistoryID(0).Object() {
		err = fmt.Errorf("asked for %s, got %s", q.object(1), id)
	}
	return err
}

// readBalanceChange returns the record of a change and its block.
func readBalanceChange(account ledger.ObjectID, raw json.RawMessage) (record ledger.ObjectID, block uint64, err error) {
	m, err := fields(raw, "hist_object", "balance", "fee")
	if err != nil {
		return 0, 0, err
	}
	r, err := fields(m[0], "id", "op", "block_num")
	if err != nil {
		return 0, 0, err
	}
	var id ledger.HistoryID
	if err := readID(r[0], &id); err != nil {
		return 0, 0, err
	}
	if block, err = number(r[2], 32); err != nil {
		return 0, 0, err
	}
	if _, err := fields(m[1]); err != nil {
		return 0, 0, err
	}
	if _, err := amount(m[2]); err != nil {
		return 0, 0, err
	}
	return id.Object(), block, checkParty(account, id.Object(), r[1])
}

package daemonclient

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// mostSearched is the most rows of searches that the daemon itself does not limit.
const mostSearched = 1000

// checkSearchedAccounts expects accounts whose name or id contains the term, in the order asked for.
func checkSearchedAccounts(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(3))
	if err != nil {
		return err
	}
	term := strings.ToLower(q.text(0))
	var last foundAccount
	for i, raw := range list {
		now, err := readFoundAccount(raw)
		switch {
		case err != nil:
			return err
		case !strings.Contains(now.name, term) && !strings.Contains(now.id.String(), term):
			return fmt.Errorf("got %s %s for %s", now.id, now.name, quoted(q.param(0)))
		case i > 0 && !last.before(now, q.text(1)):
			return fmt.Errorf("%s %s is out of order", now.id, now.name)
		}
		last = now
	}
	return nil
}

type foundAccount struct {
	id   ledger.ObjectID
	name string
}

func readFoundAccount(raw json.RawMessage) (row foundAccount, err error) {
	m, err := fields(raw, "id", "name")
	if err != nil {
		return row, err
	}
	if err = checkAccountRow(m[0]); err != nil {
		return row, err
	}
	row.id, _ = objectID(m[0]) // checked above
	row.name, err = accountName(m[1])
	return row, err
}

// before reports whether a stands before b in an order of search_accounts.
func (a foundAccount) before(b foundAccount, order string) bool {
	switch order {
	case "+id":
		return a.id < b.id
	case "-id":
		return a.id > b.id
	case "-name":
		return a.name > b.name
	}
	return a.name < b.name
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

// checkProposals expects proposals, none twice, that need the account's approval or have it.
func checkProposals(q question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	account, seen := string(q.param(0)), map[string]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "required_active_approvals", "available_active_approvals", "required_owner_approvals",
			"available_owner_approvals")
		if err != nil {
			return err
		}
		var id ledger.ProposalID
		if err := readID(m[0], &id); err != nil {
			return err
		}
		if seen[string(m[0])] {
			return fmt.Errorf("%s occurs twice", quoted(m[0]))
		}
		if seen[string(m[0])] = true; !namedIn(account, m[1:]) {
			return fmt.Errorf("got %s for %s, whose approval it does not need", quoted(m[0]), quoted(q.param(0)))
		}
	}
	return nil
}

// namedIn reports whether one of lists contains the element.
func namedIn(element string, lists []json.RawMessage) bool {
	for _, list := range lists {
		for _, e := range elements(list) {
			if string(e) == element {
				return true
			}
		}
	}
	return false
}

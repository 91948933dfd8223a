package daemonclient

import (
	"encoding/json"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
)

func readMinerID(raw json.RawMessage) (id ledger.MinerID, err error) {
	err = readID(raw, &id)
	return id, err
}

// checkMinerList expects names and ids of miners, from the first name asked for, at most the limit.
func checkMinerList(q question, result json.RawMessage) error {
	return checkNames(q, result, "miners", map[ledger.MinerID]bool{})
}

// checkMinerOf expects the miner of the account asked for, or null.
func checkMinerOf(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	m, err := fields(result, "id", "miner_account")
	if err != nil {
		return err
	}
	if _, err := readMinerID(m[0]); err != nil {
		return err
	}
	if got, err := objectID(m[1]); err != nil || got != q.object(0) {
		return fmt.Errorf("asked for the miner of %s, got that of %s", q.object(0), quoted(m[1]))
	}
	return nil
}

// checkMinerVoting expects miners, none twice, with the term in their names, and only voted ones if those were asked for.
func checkMinerVoting(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(5))
	if err != nil {
		return err
	}
	ids := map[ledger.MinerID]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "name", "voted")
		if err != nil {
			return err
		}
		id, err := readMinerID(m[0])
		if err != nil {
			return err
		}
		name, err := accountName(m[1])
		if err != nil {
			return err
		}
		if err := wantBool(q, m[2]); err != nil {
			return err
		}
		switch {
		case ids[id]:
			return fmt.Errorf("%s occurs twice", id)
		case !strings.Contains(name, q.text(1)):
			return fmt.Errorf("got %s for %s", name, quoted(q.param(1)))
		case string(q.param(2)) == "true" && string(m[2]) != "true":
			return fmt.Errorf("got %s, which is not voted for", name)
		}
		ids[id] = true
	}
	return nil
}

// checkVesting expects vesting balances of the account asked for, none twice.
func checkVesting(q question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	seen := map[ledger.VestingBalanceID]bool{}
	for _, raw := range list {
		m, err := fields(raw, "id", "owner", "balance")
		if err != nil {
			return err
		}
		var id ledger.VestingBalanceID
		if err := readID(m[0], &id); err != nil {
			return err
		}
		if owner, err := objectID(m[1]); err != nil || owner != q.object(0) {
			return fmt.Errorf("got %s of %s for %s", id, quoted(m[1]), q.object(0))
		}
		if _, err := amount(m[2]); err != nil {
			return err
		}
		if seen[id] {
			return fmt.Errorf("%s occurs twice", id)
		}
		seen[id] = true
	}
	return nil
}

// checkFeeds expects pairs of a time and a price, not more than asked for.
func checkFeeds(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	for _, raw := range list {
		pair, err := exactRows(raw, 2)
		if err != nil {
			return err
		}
		if err := wantA[ledger.Time](q, pair[0]); err != nil {
			return err
		}
		m, err := fields(pair[1], "core_exchange_rate")
		if err != nil {
			return err
		}
		var price ledger.Price
		if err := codec.Unmarshal(m[0], &price); err != nil {
			return err
		}
	}
	return nil
}

// checkInDCT expects an amount of DCT.
func checkInDCT(_ question, result json.RawMessage) error {
	worth, err := amount(result)
	if err == nil && worth.AssetID != ledger.CoreAsset {
		err = fmt.Errorf("asked for an amount in DCT, got one in %s", worth.AssetID)
	}
	return err
}

// checkSupply expects four amounts, none negative.
func checkSupply(_ question, result json.RawMessage) error {
	m, err := fields(result, "account_balances", "vesting_balances", "escrows", "pools")
	if err != nil {
		return err
	}
	for _, sum := range m {
		if _, err := number(sum, 63); err != nil {
			return err
		}
	}
	return nil
}

// checkOperations expects operations in the order of their codes, each with its own price.
func checkOperations(_ question, result json.RawMessage) error {
	list, err := rows(result, smallSize)
	if err != nil {
		return err
	}
	var next uint64
	for _, raw := range list {
		m, err := fields(raw, "id", "name", "current_fees")
		if err != nil {
			return err
		}
		code, err := number(m[0], 32)
		if err != nil {
			return err
		}
		if _, err := plainText(m[1]); err != nil {
			return err
		}
		price, err := exactRows(m[2], 2)
		if err != nil {
			return err
		}
		if of, err := number(price[0], 32); err != nil || of != code || code < next {
			return fmt.Errorf("got the price of operation %s at operation %d", quoted(price[0]), code)
		}
		if _, err := fields(price[1]); err != nil {
			return err
		}
		next = code + 1
	}
	return nil
}

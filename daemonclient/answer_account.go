package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// checkBalances expects a row for each named asset, in their order; if none was named, no asset twice. No balance is negative.
func checkBalances(q question, result json.RawMessage) error {
	named := q.list(1)
	most := uint64(len(named))
	if most == 0 {
		most = largeSize
	}
	list, err := rows(result, most)
	if err != nil {
		return err
	}
	if len(named) > 0 && len(list) != len(named) {
		return fmt.Errorf("got %d balances, not %d", len(list), len(named))
	}
	seen := map[ledger.AssetID]bool{}
	for i, raw := range list {
		held, err := amount(raw)
		if err != nil {
			return err
		}
		if len(named) == 0 {
			if seen[held.AssetID] {
				return fmt.Errorf("%s occurs twice", held.AssetID)
			}
			seen[held.AssetID] = true
			continue
		}
		if want, err := objectID(named[i]); err != nil {
			return err
		} else if want != held.AssetID.Object() {
			return fmt.Errorf("asked for the balance of %s, got that of %s", want, held.AssetID)
		}
	}
	return nil
}

// amount reads an amount that is not negative; both members must be present.
func amount(raw json.RawMessage) (held ledger.AssetAmount, err error) {
	m, err := fields(raw, "amount", "asset_id")
	if err != nil {
		return held, err
	}
	if m[0] == nil || m[1] == nil {
		return held, fmt.Errorf("%s is not an amount", quoted(raw))
	}
	if err = codec.Unmarshal(raw, &held); err == nil && held.Amount < 0 {
		err = fmt.Errorf("%s is negative", quoted(raw))
	}
	return held, err
}

// checkKeyReferences expects one list of accounts per key.
func checkKeyReferences(q question, result json.RawMessage) error {
	list, err := exactRows(result, len(q.list(0)))
	if err != nil {
		return err
	}
	for _, accounts := range list {
		if err := checkAccountIDs(q, accounts); err != nil {
			return err
		}
	}
	return nil
}

// checkAccountIDs expects account ids, none twice.
func checkAccountIDs(_ question, result json.RawMessage) error {
	list, err := rows(result, largeSize)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(list))
	for _, id := range list {
		switch err := checkAccountRow(id); {
		case err != nil:
			return err
		case seen[string(id)]:
			return fmt.Errorf("%s occurs twice", quoted(id))
		}
		seen[string(id)] = true
	}
	return nil
}

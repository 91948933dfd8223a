package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
)

// mostPrecision is the highest precision of any asset (docs/protocol/ledger.md 3).
const mostPrecision = 12

// checkObjects expects one row per id asked for: the object with that id, or null.
func checkObjects(q question, result json.RawMessage) error {
	ids := q.list(0)
	list, err := exactRows(result, len(ids))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		want, err := objectID(ids[i])
		if err != nil {
			return err
		}
		got, err := checkObject(raw)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("asked for %s, got %s", want, got)
		}
	}
	return nil
}

// checkObject refuses an object that no ledger can hold, and returns its id.
func checkObject(raw json.RawMessage) (ledger.ObjectID, error) {
	m, err := fields(raw, "id", "name", "symbol", "precision")
	if err != nil {
		return 0, err
	}
	id, err := objectID(m[0])
	if err != nil {
		return 0, err
	}
	switch id {
	case ledger.AccountID(id.Instance()).Object():
		_, err = accountName(m[1])
	case ledger.AssetID(id.Instance()).Object():
		err = checkAsset(ledger.AssetID(id.Instance()), m[2], m[3])
	case ledger.NFTID(id.Instance()).Object():
		_, err = symbol(m[2])
	}
	return id, err
}

func accountName(raw json.RawMessage) (string, error) {
	name, err := plainText(raw)
	if err != nil {
		return "", err
	}
	if ledger.ValidAccountName(name) != nil {
		return "", fmt.Errorf("%s is not an account name", quoted(raw))
	}
	return name, nil
}

func symbol(raw json.RawMessage) (string, error) {
	text, err := plainText(raw)
	if err != nil {
		return "", err
	}
	if ledger.ValidSymbol(text) != nil {
		return "", fmt.Errorf("%s is not a symbol", quoted(raw))
	}
	return text, nil
}

func checkAsset(id ledger.AssetID, name, precision json.RawMessage) error {
	text, err := symbol(name)
	if err != nil {
		return err
	}
	digits, err := number(precision, 8)
	switch {
	case err != nil || digits > mostPrecision:
		return fmt.Errorf("%s of %s is not a precision", quoted(precision), text)
	case (id == ledger.CoreAsset) != (text == ledger.CoreSymbol):
		return fmt.Errorf("%s has the symbol %s", id, text)
	case id == ledger.CoreAsset && digits != ledger.CorePrecision:
		return fmt.Errorf("DCT has %d digits, not %d", digits, ledger.CorePrecision)
	}
	return nil
}

// checkAccountNames expects one row per name asked for: the account with that name, or null.
func checkAccountNames(q question, result json.RawMessage) error {
	names := q.list(0)
	list, err := exactRows(result, len(names))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		want, err := plainText(names[i])
		if err != nil {
			return err
		}
		m, err := fields(raw, "id", "name")
		if err != nil {
			return err
		}
		if err := checkAccountRow(m[0]); err != nil {
			return err
		}
		if got, err := accountName(m[1]); err != nil {
			return err
		} else if got != want {
			return fmt.Errorf("asked for %s, got %s", quoted(names[i]), got)
		}
	}
	return nil
}

func checkAccountRow(id json.RawMessage) error {
	var account ledger.AccountID
	return readID(id, &account)
}

// checkAccountList expects names and ids of accounts, from the first name asked for, at most the limit.
func checkAccountList(q question, result json.RawMessage) error {
	return checkNames(q, result, "accounts", map[ledger.AccountID]bool{})
}

// checkNames expects pairs of a name and an id, from the first name asked for, at most the limit. what names their kind
// in errors, and ids collects the ids.
func checkNames[K ledger.Kind](q question, result json.RawMessage, what string, ids map[ledger.ID[K]]bool) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	last := ""
	for _, raw := range list {
		pair, err := exactRows(raw, 2)
		if err != nil {
			return err
		}
		name, err := accountName(pair[0])
		if err != nil {
			return err
		}
		var id ledger.ID[K]
		err = readID(pair[1], &id)
		switch {
		case err != nil:
			return err
		case name < q.text(0) || name <= last:
			return fmt.Errorf("%s is out of order in the %s from %s on", name, what, quoted(q.param(0)))
		case ids[id]:
			return fmt.Errorf("%s has two names", id)
		}
		ids[id], last = true, name
	}
	return nil
}

// checkSymbols expects one row per symbol or id asked for: that asset, or null.
func checkSymbols(q question, result json.RawMessage) error {
	refs := q.list(0)
	list, err := exactRows(result, len(refs))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		want, err := plainText(refs[i])
		if err != nil {
			return err
		}
		id, name, err := readAsset(raw)
		if err != nil {
			return err
		}
		if asID, err := ledger.ParseAssetID(want); name != want && (err != nil || asID != id) {
			return fmt.Errorf("asked for %s, got %s %s", quoted(refs[i]), id, name)
		}
	}
	return nil
}

func readAsset(raw json.RawMessage) (id ledger.AssetID, name string, err error) {
	m, err := fields(raw, "id", "symbol", "precision")
	if err != nil {
		return 0, "", err
	}
	text, err := plainText(m[0])
	if err != nil {
		return 0, "", err
	}
	if id, err = ledger.ParseAssetID(text); err != nil {
		return 0, "", err
	}
	if err = checkAsset(id, m[1], m[2]); err != nil {
		return 0, "", err
	}
	name, err = symbol(m[1])
	return id, name, err
}

// checkAssetList expects assets by symbol, from the first symbol asked for, at most the limit.
func checkAssetList(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	ids := map[ledger.AssetID]bool{}
	last := ""
	for _, raw := range list {
		id, name, err := readAsset(raw)
		switch {
		case err != nil:
			return err
		case name < q.text(0) || name <= last:
			return fmt.Errorf("%s is out of order in the assets from %s on", name, quoted(q.param(0)))
		case ids[id]:
			return fmt.Errorf("%s has two symbols", id)
		}
		ids[id], last = true, name
	}
	return nil
}

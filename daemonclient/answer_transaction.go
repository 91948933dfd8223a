package daemonclient

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// checkTransactionByID computes the id of the transaction that came.
func checkTransactionByID(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	id, err := transactionID(result)
	if err != nil {
		return err
	}
	if want := q.text(0); id.String() != want {
		return fmt.Errorf("asked for transaction %s, %s came", quoted(q.param(0)), id)
	}
	return nil
}

func transactionID(raw json.RawMessage) (ledger.TransactionID, error) {
	var tx ledger.ProcessedTransaction
	if err := codec.Unmarshal(raw, &tx); err != nil {
		return ledger.TransactionID{}, err
	}
	return tx.ID()
}

// checkValidated: what was checked is the transaction that was given.
func checkValidated(q question, result json.RawMessage) error {
	want, err := transactionID(q.param(0))
	if err != nil {
		return nil // the daemon read it, this program cannot
	}
	got, err := transactionID(result)
	if err == nil && got != want {
		err = fmt.Errorf("gave transaction %s, %s was checked", want, got)
	}
	return err
}

// checkTransactionHex packs the transaction itself.
func checkTransactionHex(q question, result json.RawMessage) error {
	var tx ledger.SignedTransaction
	if err := codec.Unmarshal(q.param(0), &tx); err != nil {
		return err
	}
	packed, err := tx.Pack()
	if err != nil {
		return err
	}
	if text, err := plainText(result); err != nil || text != hex.EncodeToString(packed) {
		return fmt.Errorf("the bytes are not those of the transaction")
	}
	return nil
}

// checkRequiredKeys: keys out of those that were given, none twice.
func checkRequiredKeys(q question, result json.RawMessage) error {
	given := map[string]bool{}
	for _, key := range q.list(1) {
		given[string(key)] = true
	}
	list, err := rows(result, uint64(len(given)))
	if err != nil {
		return err
	}
	for _, key := range list {
		if !given[string(key)] {
			return fmt.Errorf("%s was not given, or occurs twice", quoted(key))
		}
		delete(given, string(key))
	}
	return nil
}

func checkKeys(_ question, result json.RawMessage) error {
	list, err := rows(result, objectSize)
	if err != nil {
		return err
	}
	for _, raw := range list {
		text, err := plainText(raw)
		if err != nil {
			return err
		}
		if _, err := ledger.ParsePublicKey(text); err != nil {
			return err
		}
	}
	return nil
}

// checkFees: one fee per operation, in the asset that was requested; with those of
// its operations behind it for a proposal.
func checkFees(q question, result json.RawMessage) error {
	ops := q.list(0)
	list, err := exactly(result, len(ops))
	if err != nil {
		return err
	}
	for _, raw := range list {
		if err := checkFee(q.object(1), raw, maxDepth); err != nil {
			return err
		}
	}
	return nil
}

func checkFee(asset ledger.ObjectID, raw json.RawMessage, depth int) error {
	if len(raw) > 0 && raw[0] == '[' && depth > 0 {
		pair, err := exactly(raw, 2)
		if err != nil {
			return err
		}
		if err := checkFee(asset, pair[0], 0); err != nil {
			return err
		}
		inner, err := rows(pair[1], smallSize)
		if err != nil {
			return err
		}
		for _, fee := range inner {
			if err := checkFee(asset, fee, depth-1); err != nil {
				return err
			}
		}
		return nil
	}
	fee, err := amount(raw)
	if err == nil && fee.AssetID.Object() != asset {
		err = fmt.Errorf("asked for a fee in %s, one in %s came", asset, fee.AssetID)
	}
	return err
}

package daemonclient

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// TransactionQueries are the queries about transactions, on the chain or yet to be sent; see Queries.
type TransactionQueries struct{ ask asker }

// TransactionByIDRaw returns a transaction that is in a block, as the daemon wrote it; nil if the daemon has no record of it.
func (q TransactionQueries) TransactionByIDRaw(ctx context.Context, id ledger.TransactionID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_transaction_by_id", id)
}

// RequiredSignatures returns the smallest subset of available that tx still needs; keys that have signed are left out.
func (q TransactionQueries) RequiredSignatures(ctx context.Context, tx *ledger.SignedTransaction,
	available []ledger.PublicKey) ([]ledger.PublicKey, error) {
	return query[[]ledger.PublicKey](ctx, q.ask, Database, "get_required_signatures", tx, emptyForNil(available))
}

// PotentialSignatures returns the keys that could sign tx, which may be more than needed.
func (q TransactionQueries) PotentialSignatures(ctx context.Context, tx *ledger.SignedTransaction) ([]ledger.PublicKey, error) {
	return query[[]ledger.PublicKey](ctx, q.ask, Database, "get_potential_signatures", tx)
}

// checkTransactionByID expects the transaction with the id asked for, or null.
func checkTransactionByID(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	id, err := transactionID(result)
	if err != nil {
		return err
	}
	if want := q.text(0); id.String() != want {
		return fmt.Errorf("asked for transaction %s, got %s", quoted(q.param(0)), id)
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

// checkValidated expects the transaction that was submitted.
func checkValidated(q question, result json.RawMessage) error {
	want, err := transactionID(q.param(0))
	if err != nil {
		return nil // the daemon understands it, this program does not
	}
	got, err := transactionID(result)
	if err == nil && got != want {
		err = fmt.Errorf("submitted transaction %s, but %s was checked", want, got)
	}
	return err
}

// checkTransactionHex expects the bytes that this program packs.
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

// checkRequiredKeys expects keys from among those submitted, none twice.
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
			return fmt.Errorf("%s was not submitted, or occurs twice", quoted(key))
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

// checkFees expects one fee per operation, in the asset asked for; for a proposal, followed by those of its operations.
func checkFees(q question, result json.RawMessage) error {
	ops := q.list(0)
	list, err := exactRows(result, len(ops))
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
		pair, err := exactRows(raw, 2)
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
		err = fmt.Errorf("asked for a fee in %s, got one in %s", asset, fee.AssetID)
	}
	return err
}

package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// TransactionQueries are the queries about transactions, on the chain or yet to be sent; see Queries.
type TransactionQueries struct{ ask asker }

// TransactionByID returns a transaction that is in a block, nil if the daemon has no record of it.
func (q TransactionQueries) TransactionByID(ctx context.Context, id ledger.TransactionID) (*ledger.ProcessedTransaction, error) {
	return query[*ledger.ProcessedTransaction](ctx, q.ask, Database, "get_transaction_by_id", id)
}

// TransactionByIDRaw is TransactionByID as the daemon wrote it.
func (q TransactionQueries) TransactionByIDRaw(ctx context.Context, id ledger.TransactionID) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_transaction_by_id", id)
}

// TransactionInBlock returns the transaction with this index, from 0, in a block; a RemoteError of code 206 or 207 if
// there is no such block or index.
func (q TransactionQueries) TransactionInBlock(ctx context.Context, block, index uint32) (*ledger.ProcessedTransaction, error) {
	return query[*ledger.ProcessedTransaction](ctx, q.ask, Database, "get_transaction", block, index)
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

// ValidateTransaction has the daemon check a signed transaction as it would on broadcast; nothing is kept or passed on.
// A refusal is a RemoteError.
func (q TransactionQueries) ValidateTransaction(ctx context.Context, tx *ledger.SignedTransaction) error {
	_, err := queryRaw(ctx, q.ask, Database, "validate_transaction", tx)
	return err
}

// RequiredFees returns the fee of each operation, paid in asset. For a proposal the element is a list: its own fee,
// then the fees of what it proposes.
func (q TransactionQueries) RequiredFees(ctx context.Context, ops []ledger.Operation, asset ledger.AssetID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_required_fees", emptyForNil(ops), asset)
}

// TransactionHex returns the packed bytes of a transaction, signatures included.
func (q TransactionQueries) TransactionHex(ctx context.Context, tx *ledger.SignedTransaction) (ledger.Bytes, error) {
	return query[ledger.Bytes](ctx, q.ask, Database, "get_transaction_hex", tx)
}

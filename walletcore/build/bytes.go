package build

import (
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// readBack packs a transaction and unpacks its bytes.
func readBack(op string, tx *ledger.Transaction) (read ledger.Transaction, err error) {
	packed, err := tx.Pack()
	if err != nil {
		return read, unpackable(op, err)
	}
	if err := codec.Unpack(packed, &read); err != nil {
		return read, &fault.Error{
			Code:    fault.Internal,
			Op:      op,
			Message: "the built transaction cannot be read back: " + err.Error(),
			Err:     err,
		}
	}
	return read, nil
}

// unpackable returns the error for operations that cannot be packed.
func unpackable(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.UnsupportedOperation, Op: op, Message: err.Error(), Err: err}
}

// packOperations returns the bytes of a transaction with these operations but no reference block or expiration yet.
func packOperations(ops []ledger.Operation) ([]byte, error) {
	return (&ledger.Transaction{Operations: ops}).Pack()
}

// Package handle keeps transactions under construction, each under a number, for as long as the program runs. Each
// belongs to the token that began it: no other token can see or change it. The person at the wallet, and programs where
// no tokens are required, may change all of them, as in the reference. Nothing is signed or sent here: what is kept
// under a handle is copied and passed to the package build.
//
// It refuses more than 100 transactions, or 32 of one token, and more than 256 operations or 64 KiB in one, so that
// programs that forget theirs do not fill the memory.
package handle

import (
	"fmt"
	"slices"
	"sync"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
)

const (
	mostTransactions = 100
	mostOfToken      = 32
	mostOperations   = 256
	mostBytes        = 64 << 10 // of all operations of a transaction
	mostHandle       = 1<<16 - 1
)

// Transactions are the transactions under construction. They are safe for concurrent use.
type Transactions struct {
	mu  sync.Mutex
	all map[uint16]kept
}

// kept is a transaction and the token that began it; "" is the person.
type kept struct {
	token  string
	packed []byte // packed, so that nobody shares an operation with it
}

// New returns an empty set.
func New() *Transactions { return &Transactions{all: map[uint16]kept{}} }

// Own are the transactions that one token may use; for the person, all of them.
type Own struct {
	of    *Transactions
	token string
}

// Of returns the transactions of a token by its id; "" is the person, who may use all.
func (t *Transactions) Of(token string) Own { return Own{t, token} }

// Begin starts a transaction and returns its handle: one more than the highest one, at first 0. Error: fault.LimitExceeded.
func (o Own) Begin(op string) (uint16, error) {
	t := o.of
	t.mu.Lock()
	defer t.mu.Unlock()
	if most := o.fullLocked(); most > 0 {
		return 0, &fault.Error{Code: fault.LimitExceeded, Op: op,
			Message: fmt.Sprintf("%d transactions are under construction, and no more are kept", most),
			Hint:    "remove_builder_transaction removes those that are done"}
	}
	empty, err := new(ledger.Transaction).Pack()
	if err != nil {
		return 0, cannotPack(op, err)
	}
	next := t.nextLocked()
	t.all[next] = kept{o.token, empty}
	return next, nil
}

// fullLocked returns the limit that is reached, 0 if one more transaction may be kept.
func (o Own) fullLocked() int {
	same := 0
	for _, k := range o.of.all {
		if k.token == o.token {
			same++
		}
	}
	switch {
	case len(o.of.all) >= mostTransactions:
		return mostTransactions
	case o.token != "" && same >= mostOfToken:
		return mostOfToken
	}
	return 0
}

// nextLocked returns one more than the highest handle, or if that is the last one, the lowest free one.
func (t *Transactions) nextLocked() uint16 {
	next := 0
	for handle := range t.all {
		next = max(next, int(handle)+1)
	}
	for free := 0; next > mostHandle; free++ {
		if _, taken := t.all[uint16(free)]; !taken {
			next = free
		}
	}
	return uint16(next)
}

// Remove removes a transaction; a handle without one is not an error.
func (o Own) Remove(handle uint16) {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	if _, found := o.findLocked(handle); found {
		delete(o.of.all, handle)
	}
}

// Get returns a copy of the transaction under a handle. Error: fault.NoSuchHandle.
func (o Own) Get(op string, handle uint16) (ledger.Transaction, error) {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	return o.getLocked(op, handle)
}

// findLocked finds a transaction that may be used; one of another token is not found.
func (o Own) findLocked(handle uint16) (kept, bool) {
	k, found := o.of.all[handle]
	return k, found && (o.token == "" || o.token == k.token)
}

func (o Own) getLocked(op string, handle uint16) (tx ledger.Transaction, err error) {
	k, found := o.findLocked(handle)
	if !found {
		return tx, &fault.Error{Code: fault.NoSuchHandle, Op: op,
			Message: fmt.Sprintf("no transaction is under construction under the handle %d", handle),
			Hint:    "begin_builder_transaction starts one; all of them are forgotten when the program ends"}
	}
	if err := codec.Unpack(k.packed, &tx); err != nil {
		return tx, &fault.Error{Code: fault.Internal, Op: op, Message: "the transaction cannot be read back: " + err.Error(), Err: err}
	}
	return tx, nil
}

// Add appends an operation. Errors: fault.NoSuchHandle, fault.UnsupportedOperation,
// fault.LimitExceeded.
func (o Own) Add(op string, handle uint16, added ledger.Operation) error {
	return o.change(op, handle, func(tx *ledger.Transaction) error {
		tx.Operations = append(tx.Operations, added)
		return nil
	})
}

// Replace replaces the operation at index, counted from 0. Errors: those of Add, and fault.BadValue if there is none.
func (o Own) Replace(op string, handle uint16, index uint32, by ledger.Operation) error {
	return o.change(op, handle, func(tx *ledger.Transaction) error {
		if int64(index) >= int64(len(tx.Operations)) {
			return &fault.Error{Code: fault.BadValue, Op: op,
				Message: fmt.Sprintf("the transaction has %s, so there is none at %d",
					printable.Many(len(tx.Operations), "operation"), index),
				Hint: "they are counted from 0; preview_builder_transaction shows them"}
		}
		tx.Operations[index] = by
		return nil
	})
}

// SetFees sets the fees of the transaction to those of ops, a copy of its operations. Error: fault.BadValue if it was
// changed after it was copied.
func (o Own) SetFees(op string, handle uint16, ops []ledger.Operation) error {
	return o.change(op, handle, func(tx *ledger.Transaction) error {
		same := func(a, b ledger.Operation) bool { return a.Code == b.Code && a.Fee() != nil && b.Fee() != nil }
		if !slices.EqualFunc(tx.Operations, ops, same) {
			return &fault.Error{Code: fault.BadValue, Op: op, Message: "the transaction was changed meanwhile", Hint: "set its fees again"}
		}
		for i := range ops {
			*tx.Operations[i].Fee() = *ops[i].Fee()
		}
		return nil
	})
}

// Stamp sets the reference block and expiration with which the operations were signed.
func (o Own) Stamp(op string, handle uint16, as ledger.Transaction) error {
	return o.change(op, handle, func(tx *ledger.Transaction) error {
		tx.RefBlockNum, tx.RefBlockPrefix, tx.Expiration = as.RefBlockNum, as.RefBlockPrefix, as.Expiration
		return nil
	})
}

// change changes the transaction under a handle, unless how fails or it becomes too large.
func (o Own) change(op string, handle uint16, how func(*ledger.Transaction) error) error {
	o.of.mu.Lock()
	defer o.of.mu.Unlock()
	tx, err := o.getLocked(op, handle)
	if err == nil {
		err = how(&tx)
	}
	if err != nil {
		return err
	}
	packed, err := tx.Pack()
	if err != nil {
		return cannotPack(op, err)
	}
	if len(tx.Operations) > mostOperations || len(packed) > mostBytes {
		return &fault.Error{Code: fault.LimitExceeded, Op: op, Hint: "begin another transaction for the rest",
			Message: fmt.Sprintf("a transaction under construction has at most %d operations and %d bytes", mostOperations, mostBytes)}
	}
	o.of.all[handle] = kept{o.of.all[handle].token, packed}
	return nil
}

func cannotPack(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.UnsupportedOperation, Op: op, Message: err.Error(),
		Hint: "get_prototype_operation shows the members of those that can be signed", Err: err}
}

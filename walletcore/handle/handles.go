// Package handle keeps transactions under construction, each under a number that cannot be guessed. They are in the
// wallet's store, so that any of the servers that share one can go on with what another began, and so that they outlive the
// program; a wallet without a store keeps them in memory. Each belongs to the token that began it: no other token can see
// or change it, also one that knows its handle. The person at the wallet, and programs where no tokens are required, may
// change all of which they know the handle. Nothing is signed or sent here: what is kept under a handle is copied and
// passed to the package build.
//
// What two calls change at the same time, at whichever servers, has both changes. It refuses more than 1,000 transactions that
// were not signed yet, 100 of the person or 32 of one token, and more than 256 operations or 64 KiB in one, so that programs that
// forget theirs do not fill the store; what was not changed for a day, and of what was signed all but the latest 32 of a token, is
// forgotten with the next that begins. A change makes one that was signed an open one again.
package handle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/printable"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// Most is the largest handle that there may be.
const Most = store.MostHandle

const (
	maxTransactions = 1000
	maxOfPerson     = 100
	maxOfToken      = 32
	maxOperations   = 256
	maxBytes        = 64 << 10 // of all operations of a transaction
)

// Store stores transactions under construction, under handles that it chooses. Changes of one are made one after the other.
type Store interface {
	Begin(ctx context.Context, begun store.Construction, at time.Time, full func(all, own int) error) (handle uint64, err error)
	Get(ctx context.Context, handle uint64) (store.Construction, error)
	Change(ctx context.Context, handle uint64, at time.Time, how func(store.Construction) (packed []byte, err error)) error
}

// Numbers returns the numbers of the newest states of own objects; see ownobject.Numbers.
type Numbers func(ctx context.Context) (map[ledger.ObjectID]int64, error)

// Transactions are the transactions under construction. They are safe for concurrent use.
type Transactions struct {
	store   Store
	numbers Numbers
	now     func() time.Time
}

// New returns the transactions in s; if that is nil, they are in memory. numbers may be nil: no object has more than one state.
func New(s Store, numbers Numbers, now func() time.Time) *Transactions {
	if s == nil {
		s = newMemory()
	}
	return &Transactions{s, numbers, now}
}

// Own are the transactions that one token may use; for the person, all of them.
type Own struct {
	of    *Transactions
	token string
}

// Of returns the transactions of a token by its id; "" is the person, who may use all.
func (t *Transactions) Of(token string) Own { return Own{t, token} }

// mayUse reports whether a transaction may be used. One of another token counts as unknown.
func (o Own) mayUse(c store.Construction) bool { return o.token == "" || o.token == c.Token }

// numbersText writes numbers of states: "1.2.16:4 1.2.17:9".
func numbersText(numbers map[ledger.ObjectID]int64) string {
	var out []string
	for _, object := range slices.Sorted(maps.Keys(numbers)) {
		out = append(out, fmt.Sprintf("%s:%d", object, numbers[object]))
	}
	return strings.Join(out, " ")
}

// parseNumbers reads what numbersText wrote.
func parseNumbers(text string) (map[ledger.ObjectID]int64, error) {
	numbers := map[ledger.ObjectID]int64{}
	for _, one := range strings.Fields(text) {
		object, number, _ := strings.Cut(one, ":")
		id, err := ledger.ParseObjectID(object)
		if err == nil {
			numbers[id], err = strconv.ParseInt(number, 10, 64)
		}
		if err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// Begin starts a transaction and returns its handle. It remembers which states of own objects there are: what its caller adds afterwards may
// rest on these. Errors: fault.LimitExceeded, fault.File.
func (o Own) Begin(ctx context.Context, op string) (uint64, error) {
	empty, err := new(ledger.Transaction).Pack()
	if err != nil {
		return 0, cannotPack(op, err)
	}
	var numbers map[ledger.ObjectID]int64
	if o.of.numbers != nil {
		if numbers, err = o.of.numbers(ctx); err != nil {
			return 0, err
		}
	}
	handle, err := o.of.store.Begin(ctx, store.Construction{Token: o.token, Packed: empty, Numbers: numbersText(numbers)}, o.of.now(), func(all, own int) error {
		most := maxOfToken
		if o.token == "" {
			most = maxOfPerson
		}
		switch {
		case own >= most:
			return tooMany(op, most, "")
		case all >= maxTransactions:
			return tooMany(op, maxTransactions, " of all programs")
		}
		return nil
	})
	return handle, storeFault(op, "begin another one", err)
}

func tooMany(op string, most int, whose string) error {
	return &fault.Error{Code: fault.LimitExceeded, Op: op,
		Message: fmt.Sprintf("%d transactions%s are under construction, and no more are kept", most, whose),
		Hint: "those that were signed do not count; remove_builder_transaction removes one that is not needed, and one that was not changed " +
			"for a day is forgotten by itself"}
}

// Remove removes a transaction; a handle without one is not an error. Error: fault.File.
func (o Own) Remove(ctx context.Context, op string, handle uint64) error {
	_, err := o.find(ctx, op, handle)
	if fault.CodeOf(err) == fault.NoSuchHandle {
		return nil
	}
	if err != nil {
		return err
	}
	err = o.of.store.Change(ctx, handle, o.of.now(), func(c store.Construction) ([]byte, error) {
		if !o.mayUse(c) {
			return nil, store.ErrNotFound
		}
		return nil, nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return storeFault(op, "remove it again, which is no error if it is gone", err)
}

// Get returns a copy of the transaction under a handle. Errors: fault.NoSuchHandle, fault.File.
func (o Own) Get(ctx context.Context, op string, handle uint64) (tx ledger.Transaction, err error) {
	c, err := o.find(ctx, op, handle)
	if err != nil {
		return tx, err
	}
	return tx, unpack(op, c, &tx)
}

// Made returns a copy of the transaction under a handle, and the newest states of own objects when it was begun. Errors: those of Get.
func (o Own) Made(ctx context.Context, op string, handle uint64) (tx ledger.Transaction, begun map[ledger.ObjectID]int64, err error) {
	c, err := o.find(ctx, op, handle)
	if err == nil {
		err = unpack(op, c, &tx)
	}
	if err != nil {
		return tx, nil, err
	}
	begun, err = parseNumbers(c.Numbers)
	return tx, begun, storeFault(op, "begin another one", err)
}

func (o Own) find(ctx context.Context, op string, handle uint64) (store.Construction, error) {
	c, err := o.of.store.Get(ctx, handle)
	if errors.Is(err, store.ErrNotFound) || err == nil && !o.mayUse(c) {
		return c, noSuchHandle(op, handle)
	}
	return c, storeFault(op, "ask again", err)
}

func unpack(op string, c store.Construction, tx *ledger.Transaction) error {
	if err := codec.Unpack(c.Packed, tx); err != nil {
		return &fault.Error{Code: fault.Internal, Op: op, Message: "the transaction cannot be read back: " + err.Error(), Err: err}
	}
	return nil
}

// noSuchHandle returns the error of a handle that nothing is kept under, or nothing that the caller may use.
func noSuchHandle(op string, handle uint64) error {
	e := &fault.Error{Code: fault.NoSuchHandle, Op: op,
		Message: fmt.Sprintf("no transaction of yours is under construction under the handle %d", handle),
		Hint:    "begin_builder_transaction starts one and returns its handle; one that was not changed for a day is forgotten"}
	if handle < store.LeastHandle {
		e.Hint = "begin_builder_transaction starts one and returns its handle, a number of 16 digits: " +
			"a client that stores handles in 16 or 32 bits cuts them off"
	}
	return e
}

// Add appends an operation. Errors: fault.NoSuchHandle, fault.UnsupportedOperation,
// fault.LimitExceeded, fault.File.
func (o Own) Add(ctx context.Context, op string, handle uint64, added ledger.Operation) error {
	return o.change(ctx, op, handle, func(tx *ledger.Transaction) error {
		tx.Operations = append(tx.Operations, added)
		return nil
	})
}

// Replace replaces the operation at index, counted from 0. Errors: those of Add, and fault.BadValue if there is none.
func (o Own) Replace(ctx context.Context, op string, handle uint64, index uint32, by ledger.Operation) error {
	return o.change(ctx, op, handle, func(tx *ledger.Transaction) error {
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

// SetFees sets the fees of the transaction to those of ops, a copy of its operations. Errors: those of Add, and
// fault.BadValue if it was changed after it was copied.
func (o Own) SetFees(ctx context.Context, op string, handle uint64, ops []ledger.Operation) error {
	return o.change(ctx, op, handle, func(tx *ledger.Transaction) error {
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

// Stamp sets the reference block and expiration with which the operations were signed. Errors: those of Add.
func (o Own) Stamp(ctx context.Context, op string, handle uint64, as ledger.Transaction) error {
	return o.change(ctx, op, handle, func(tx *ledger.Transaction) error {
		tx.RefBlockNum, tx.RefBlockPrefix, tx.Expiration = as.RefBlockNum, as.RefBlockPrefix, as.Expiration
		return nil
	})
}

// change changes the transaction under a handle, unless how fails or it becomes too large. Who guesses handles causes no commit.
func (o Own) change(ctx context.Context, op string, handle uint64, how func(*ledger.Transaction) error) error {
	if _, err := o.find(ctx, op, handle); err != nil {
		return err
	}
	err := o.of.store.Change(ctx, handle, o.of.now(), func(c store.Construction) ([]byte, error) {
		if !o.mayUse(c) {
			return nil, store.ErrNotFound
		}
		var tx ledger.Transaction
		if err := unpack(op, c, &tx); err != nil {
			return nil, err
		}
		tx.RefBlockNum, tx.RefBlockPrefix, tx.Expiration = 0, 0, 0 // what was signed is another transaction now
		if err := how(&tx); err != nil {
			return nil, err
		}
		packed, err := tx.Pack()
		if err != nil {
			return nil, cannotPack(op, err)
		}
		if len(tx.Operations) > maxOperations || len(packed) > maxBytes {
			return nil, &fault.Error{Code: fault.LimitExceeded, Op: op, Hint: "begin another transaction for the rest",
				Message: fmt.Sprintf("a transaction under construction has at most %d operations and %d bytes", maxOperations, maxBytes)}
		}
		return packed, nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return noSuchHandle(op, handle)
	}
	return storeFault(op, "preview_builder_transaction shows it as it is now", err)
}

// storeFault returns the error for a store that did not do what op asked; if it is unknown whether it did, next says what to do.
// Errors that are for the caller already are returned unchanged.
func storeFault(op, next string, err error) error {
	var told *fault.Error
	switch _, unknown := errors.AsType[*store.PendingError](err); {
	case err == nil, errors.As(err, &told):
		return err
	case unknown:
		return &fault.Error{Code: fault.File, Op: op, Err: err, Hint: next,
			Message: "it is not known yet whether the transaction under construction was changed: " + err.Error()}
	}
	return &fault.Error{Code: fault.File, Op: op, Err: err, Hint: fault.Advice(err, fault.MakeRoom) + "; nothing was changed",
		Message: "transactions under construction cannot be read or written now: " + err.Error()}
}

func cannotPack(op string, err error) *fault.Error {
	return &fault.Error{Code: fault.UnsupportedOperation, Op: op, Message: err.Error(),
		Hint: "get_prototype_operation shows the members of those that can be signed", Err: err}
}

package payment

import (
	"errors"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"
)

// states maps the states of this package to the journal's.
var states = map[State]store.State{
	Prepared: store.Prepared, Sent: store.Sent, InBlock: store.InBlock,
	Irreversible: store.Irreversible, Unknown: store.Unknown,
	Rejected: store.Rejected, Expired: store.Expired,
}

// String returns the state's name in the journal and over RPC.
func (s State) String() string { return string(states[s]) }

func stateOf(name store.State) State {
	for state, known := range states {
		if known == name {
			return state
		}
	}
	return Unknown
}

// journalEntry returns the payment's row for the journal.
func (e *entry) journalEntry() (store.Entry, error) {
	packed, err := e.tx.Pack()
	row := e.outcomeEntry()
	row.Bytes = packed
	return row, err
}

// outcomeEntry is journalEntry without the bytes, which updates do not write. Of a payment that was in a block when an earlier run ended,
// the journal keeps that until this run has read the block again: the next one may end without a node as well.
func (e *entry) outcomeEntry() store.Entry {
	row := store.Entry{
		ID: e.ID, Chain: e.chain, Key: e.Key, Request: e.requestMark, State: states[e.State],
		Expiration: e.Expiration, RefBlock: e.refBlock,
		Block: e.Block, TrxInBlock: e.TrxInBlock, Code: string(e.code), Reason: e.Reason, Proven: e.proven, LastProven: e.lastProven,
		Prepared: e.Prepared, Sent: e.Sent, InBlock: e.InBlock, FinalAt: e.Final, FoundGeneration: e.foundGeneration,
		Origin: e.origin, // a found one that is written back stays one: its key is not known here
	}
	if at := e.LastIn; e.State == Sent && at.Block != 0 {
		row.State, row.Block, row.TrxInBlock, row.InBlock = store.InBlock, at.Block, at.Trx, at.Seen
	}
	return row
}

// unreadable returns the error for a journal that cannot be read.
func unreadable(op string, err error) *fault.Error {
	if next := fault.Advice(err, ""); next != "" { // a store that several servers share
		return &fault.Error{Code: fault.File, Op: op, Err: err, Message: fault.Public(err), Hint: "this call sent nothing; " + next}
	}
	return &fault.Error{
		Code:    fault.File,
		Op:      op,
		Message: "the payment journal cannot be read: " + err.Error(),
		Hint:    "this call sent nothing; check the folder of the wallet",
		Err:     err,
		Journal: true,
	}
}

// notWritten returns the error for a payment that the journal does not have.
func notWritten(err error) *fault.Error {
	if refused, ok := errors.AsType[*fault.Error](err); ok { // from a change committed together with the payment
		return refused
	}
	if errors.Is(err, store.ErrReplaced) {
		return &fault.Error{
			Code:    fault.File,
			Op:      "transfer",
			Err:     err,
			Journal: true,
			Hint:    "nothing was sent; billfold journal status, after the program has ended, says how to go on",
			Message: "the wallet spends nothing: the payment journal was moved, removed, replaced or written over " +
				"while this program used it, " +
				"so a payment that was made could be made twice",
		}
	}
	_, lost := errors.AsType[*store.LostError](err)
	hint := "nothing was spent"
	if next := fault.Advice(err, ""); next != "" {
		hint += "; " + next
	}
	return &fault.Error{
		Code:    fault.File,
		Op:      "transfer",
		Journal: lost,
		Message: "the payment was not sent, because the journal cannot record it first: " + err.Error(),
		Hint:    hint,
		Err:     err,
	}
}

package payment

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

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
		Block: e.Block, TrxInBlock: e.TrxInBlock, Code: codeText(e.code, e.daemon), Reason: e.Reason, Proven: e.proven, LastProven: e.lastProven,
		Prepared: e.Prepared, Sent: e.Sent, InBlock: e.InBlock, FinalAt: e.Final, FoundGeneration: e.foundGeneration,
		Origin: e.origin, // a found one that is written back stays one: its key is not known here
	}
	if at := e.LastIn; e.State == Sent && at.Block != 0 {
		row.State, row.Block, row.TrxInBlock, row.InBlock = store.InBlock, at.Block, at.Trx, at.Seen
	}
	return row
}

// longestCode is the length of the journal's column of codes.
const longestCode = 40

// daemonError holds the part of a daemon's own error that the journal keeps.
type daemonError struct {
	Code *int   `json:"code"`
	Name string `json:"name,omitempty"`
	Data struct {
		Name string `json:"name,omitempty"`
	} `json:"data"`
}

// codeText returns a code for the journal, and behind it the number and, if there is room, the name of the daemon's own error:
// "daemon_refused 10 assert_exception". A repeated request is answered with them.
func codeText(code fault.Code, daemon json.RawMessage) string {
	var own daemonError
	if code == "" || json.Unmarshal(daemon, &own) != nil || own.Code == nil {
		return string(code)
	}
	text := string(code) + " " + strconv.Itoa(*own.Code)
	if named := text + " " + own.Data.Name; len(named) <= longestCode && isErrorName(own.Data.Name) {
		return named
	}
	return text
}

// parseCode is the inverse of codeText. Rows of older programs have a code alone.
func parseCode(text string) (fault.Code, json.RawMessage) {
	code, rest, _ := strings.Cut(text, " ")
	number, name, _ := strings.Cut(rest, " ")
	of, err := strconv.Atoi(number)
	if err != nil {
		return fault.Code(code), nil
	}
	own := daemonError{Code: &of, Name: name}
	own.Data.Name = name
	daemon, err := json.Marshal(own)
	if err != nil {
		return fault.Code(code), nil
	}
	return fault.Code(code), daemon
}

// isErrorName reports whether text can be a daemon's name of a kind of error.
func isErrorName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
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

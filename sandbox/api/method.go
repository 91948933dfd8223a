package api

import (
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// reader reads arguments one after another, as the node does: a missing one and
// one that does not convert are different errors, and surplus ones are ignored.
type reader struct {
	args []json.RawMessage
	next int
	err  error
}

func next[T any](r *reader) (v T) {
	if r.err != nil {
		return v
	}
	at := r.next
	r.next++
	if at >= len(r.args) {
		r.err = nodeerr.New(nodeerr.CodeTooFewArguments, "call_generic", "a0 != e: ", nil)
		return v
	}
	if err := codec.Unmarshal(r.args[at], &v); err != nil {
		r.err = nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}",
			nodeerr.Data{"index_of_parameter": at}).
			In("from_variant", "${why}", nodeerr.Data{"why": err.Error()})
	}
	return v
}

// With0 makes a method of a function without arguments, and With1 to With4 of one
// with so many.
func With0(do func(*Session) (any, error)) Method {
	return func(s *Session, _ []json.RawMessage) (any, error) { return do(s) }
}

// With1 is for one argument; see With0.
func With1[A any](do func(*Session, A) (any, error)) Method {
	return func(s *Session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a := next[A](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a)
	}
}

// With2 is for two arguments; see With0.
func With2[A, B any](do func(*Session, A, B) (any, error)) Method {
	return func(s *Session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a, b := next[A](r), next[B](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a, b)
	}
}

// With3 is for three arguments; see With0.
func With3[A, B, C any](do func(*Session, A, B, C) (any, error)) Method {
	return func(s *Session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a, b, c := next[A](r), next[B](r), next[C](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a, b, c)
	}
}

// With4 is for four arguments; see With0.
func With4[A, B, C, D any](do func(*Session, A, B, C, D) (any, error)) Method {
	return func(s *Session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a, b, c, d := next[A](r), next[B](r), next[C](r), next[D](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a, b, c, d)
	}
}

// read0 makes a method of a function that only reads the state, and read1 to read4
// of one with so many arguments. The result is written as JSON after the ledger is
// unlocked.
func read0(do func(*state.State) any) Method {
	return With0(func(s *Session) (out any, err error) {
		s.Chain.View(func(st *state.State) { out = do(st) })
		return out, nil
	})
}

func read1[A any](do func(*state.State, A) (any, error)) Method {
	return With1(func(s *Session, a A) (out any, err error) {
		s.Chain.View(func(st *state.State) { out, err = do(st, a) })
		return out, err
	})
}

func read2[A, B any](do func(*state.State, A, B) (any, error)) Method {
	return With2(func(s *Session, a A, b B) (out any, err error) {
		s.Chain.View(func(st *state.State) { out, err = do(st, a, b) })
		return out, err
	})
}

func read3[A, B, C any](do func(*state.State, A, B, C) (any, error)) Method {
	return With3(func(s *Session, a A, b B, c C) (out any, err error) {
		s.Chain.View(func(st *state.State) { out, err = do(st, a, b, c) })
		return out, err
	})
}

func read4[A, B, C, D any](do func(*state.State, A, B, C, D) (any, error)) Method {
	return With4(func(s *Session, a A, b B, c C, d D) (out any, err error) {
		s.Chain.View(func(st *state.State) { out, err = do(st, a, b, c, d) })
		return out, err
	})
}

// rows makes a method that looks up each of its ids; a missing object is null.
func rows[K, V any](get func(*state.State, K) *V) Method {
	return read1(func(st *state.State, ids []K) (any, error) {
		list := make([]*V, len(ids))
		for i, id := range ids {
			list[i] = get(st, id)
		}
		return list, nil
	})
}

// within100 returns an error if limit exceeds the node's limit of 100.
func within100(limit uint32) error { return within(limit, 100, "CURRENT_OUTPUT_LIMIT_100") }

// within1000 returns an error if limit exceeds the node's limit of 1000.
func within1000(limit uint32) error { return within(limit, 1000, "CURRENT_OUTPUT_LIMIT_1000") }

func within(limit, most uint32, name string) error {
	if limit <= most {
		return nil
	}
	return nodeerr.New(nodeerr.CodeLimitExceeded, "call", "limit <= "+name+": Current limit: ${l}", nodeerr.Data{"l": most})
}

// noAccount returns the fault for an account name or id that does not exist.
func noAccount(name string) error {
	return nodeerr.New(nodeerr.CodeNoAccount, "call", "account: ${name}", nodeerr.Data{"name": name})
}

// objectNotFound returns the fault for an object id that does not exist.
func objectNotFound(id ledger.ObjectID) error {
	return nodeerr.New(nodeerr.CodeObjectNotFound, "get", "Object ID: ${id}", nodeerr.Data{"id": id})
}

// badArgument returns the fault for argument number at, which could be read but is
// not valid.
func badArgument(at int, why string) error {
	return nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}",
		nodeerr.Data{"index_of_parameter": at}).
		In("from_variant", "${why}", nodeerr.Data{"why": why})
}

// asError returns the fault as an error, and a nil fault as an untyped nil.
func asError(f *nodeerr.Error) error {
	if f == nil {
		return nil
	}
	return f
}

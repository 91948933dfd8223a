package sandbox

import (
	"encoding/json"
	"slices"

	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// method carries out one call with its raw arguments.
type method func(s *session, args []json.RawMessage) (any, error)

// apiSet is one set of methods under the name that a client enables it by. The
// tables never change.
type apiSet struct {
	name    string
	methods map[string]method
}

func (a *apiSet) method(name string) method { return a.methods[name] }

// listing is what the node adds to "no such method": names with their numbers.
func (a *apiSet) listing() []any {
	names := make([]string, 0, len(a.methods))
	for name := range a.methods {
		names = append(names, name)
	}
	slices.Sort(names)
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = []any{name, i}
	}
	return list
}

// reader takes arguments one after another, as the node does: a missing one
// and one that does not convert are told apart, surplus ones are ignored.
type reader struct {
	args []json.RawMessage
	next int
	err  error
}

func take[T any](r *reader) (v T) {
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
		r.err = nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}", nodeerr.Data{"index_of_parameter": at}).
			In("from_variant", "${why}", nodeerr.Data{"why": err.Error()})
	}
	return v
}

func with0(do func(*session) (any, error)) method {
	return func(s *session, _ []json.RawMessage) (any, error) { return do(s) }
}

func with1[A any](do func(*session, A) (any, error)) method {
	return func(s *session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a := take[A](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a)
	}
}

func with2[A, B any](do func(*session, A, B) (any, error)) method {
	return func(s *session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a, b := take[A](r), take[B](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a, b)
	}
}

func with3[A, B, C any](do func(*session, A, B, C) (any, error)) method {
	return func(s *session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a, b, c := take[A](r), take[B](r), take[C](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a, b, c)
	}
}

func with4[A, B, C, D any](do func(*session, A, B, C, D) (any, error)) method {
	return func(s *session, args []json.RawMessage) (any, error) {
		r := &reader{args: args}
		a, b, c, d := take[A](r), take[B](r), take[C](r), take[D](r)
		if r.err != nil {
			return nil, r.err
		}
		return do(s, a, b, c, d)
	}
}

// read0 to read4 are methods that only look at the state; what they answer is
// written as JSON after the ledger is free again.
func read0(do func(*state.State) any) method {
	return with0(func(s *session) (out any, err error) {
		s.sandbox.chain.View(func(st *state.State) { out = do(st) })
		return out, nil
	})
}

func read1[A any](do func(*state.State, A) (any, error)) method {
	return with1(func(s *session, a A) (out any, err error) {
		s.sandbox.chain.View(func(st *state.State) { out, err = do(st, a) })
		return out, err
	})
}

func read2[A, B any](do func(*state.State, A, B) (any, error)) method {
	return with2(func(s *session, a A, b B) (out any, err error) {
		s.sandbox.chain.View(func(st *state.State) { out, err = do(st, a, b) })
		return out, err
	})
}

func read3[A, B, C any](do func(*state.State, A, B, C) (any, error)) method {
	return with3(func(s *session, a A, b B, c C) (out any, err error) {
		s.sandbox.chain.View(func(st *state.State) { out, err = do(st, a, b, c) })
		return out, err
	})
}

func read4[A, B, C, D any](do func(*state.State, A, B, C, D) (any, error)) method {
	return with4(func(s *session, a A, b B, c C, d D) (out any, err error) {
		s.sandbox.chain.View(func(st *state.State) { out, err = do(st, a, b, c, d) })
		return out, err
	})
}

// rows looks up each id; a missing object is null.
func rows[K, V any](get func(*state.State, K) *V) method {
	return read1(func(st *state.State, ids []K) (any, error) {
		list := make([]*V, len(ids))
		for i, id := range ids {
			list[i] = get(st, id)
		}
		return list, nil
	})
}

// within100 and within1000 are the node's limits.
func within100(limit uint32) error { return within(limit, 100, "CURRENT_OUTPUT_LIMIT_100") }

func within1000(limit uint32) error { return within(limit, 1000, "CURRENT_OUTPUT_LIMIT_1000") }

func within(limit, most uint32, name string) error {
	if limit <= most {
		return nil
	}
	return nodeerr.New(nodeerr.CodeLimitExceeded, "call", "limit <= "+name+": Current limit: ${l}", nodeerr.Data{"l": most})
}

package daemonclient

import (
	"context"
	"encoding/json"
)

// asker sends a request to a daemon and returns the result, checked against the question.
type asker func(ctx context.Context, r request) (json.RawMessage, error)

// query makes a call and decodes the result into a T.
func query[T any](ctx context.Context, ask asker, set Set, method string, params ...any) (T, error) {
	var result T
	r, err := newRequest(set, method, params)
	if err != nil {
		return result, err
	}
	r.accept = func(raw json.RawMessage) error {
		var decoded T // a fresh one for each daemon
		err := decode(raw, &decoded)
		if err == nil {
			result = decoded
		}
		return err
	}
	_, err = ask(ctx, r)
	return result, err
}

// queryList is query for a list that is passed through: its elements as they are, nil for null.
func queryList(ctx context.Context, ask asker, set Set, method string, params ...any) ([]json.RawMessage, error) {
	raw, err := query[json.RawMessage](ctx, ask, set, method, params...)
	if err != nil {
		return nil, err
	}
	list := elements(raw)
	if list == nil {
		return nil, garbage("the result of %s is not a list", method)
	}
	for i, element := range list {
		list[i] = nilForNull(element)
	}
	return list, nil
}

// queryRaw is query for one object that is passed through: nil for null.
func queryRaw(ctx context.Context, ask asker, set Set, method string, params ...any) (json.RawMessage, error) {
	raw, err := query[json.RawMessage](ctx, ask, set, method, params...)
	return nilForNull(raw), err
}

func nilForNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// emptyForNil turns nil into an empty list: the daemon expects a list.
func emptyForNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

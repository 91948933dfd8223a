package ledgerview

import (
	"bytes"
	"encoding/json"

	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// IsNull reports whether a daemon's answer is null or empty, that is, the object does not exist.
func IsNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// daemonFault wraps a daemon's error. It returns nil for nil.
func daemonFault(op string, err error) error {
	if err == nil {
		return nil
	}
	return fault.Daemon(op, err)
}

// single returns the only element of a daemon's answer. If there is no such element, it returns the error none.
func single(found []json.RawMessage, err error, doing string, none error) (json.RawMessage, error) {
	switch {
	case err != nil:
		return nil, fault.Daemon(doing, err)
	case len(found) != 1 || IsNull(found[0]):
		return nil, none
	}
	return found[0], nil
}

// maxFound bounds searches that a daemon does not bound.
const maxFound = 1000

func tooMany(op string) *fault.Error {
	return &fault.Error{Code: fault.LimitExceeded, Op: op,
		Message: op + " returns at most 1000 rows", Hint: "ask for the first 1000, then continue after the last one"}
}

// Annotation is a member that the wallet adds to a daemon's JSON object, or replaces in it.
type Annotation struct {
	Name  string
	Value any
}

// Annotate returns a daemon's JSON object with the wallet's members added; all others are unchanged.
func Annotate(object json.RawMessage, with ...Annotation) (json.RawMessage, error) {
	values := map[string][]byte{}
	for _, a := range with {
		value, err := codec.Marshal(a.Value)
		if err != nil {
			return nil, err
		}
		values[a.Name] = value
	}
	in := json.NewDecoder(bytes.NewReader(object))
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		text, _ := name.(string) // a member's name is always a string
		if _, made := values[text]; !made {
			out = appendMember(out, text, value)
		}
	}
	for _, a := range with {
		out = appendMember(out, a.Name, values[a.Name])
	}
	return append(out, '}'), nil
}

func appendMember(object []byte, name string, value []byte) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	quoted, _ := json.Marshal(name) // text always has a JSON form
	return append(append(append(object, quoted...), ':'), value...)
}

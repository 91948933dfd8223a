package ledgerview

import (
	"bytes"
	"encoding/json"

	"billfold/ledger/codec"
)

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

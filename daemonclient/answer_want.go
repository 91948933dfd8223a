package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger/codec"
)

// wantNull is the check for methods without a result.
func wantNull(_ question, result json.RawMessage) error {
	if !isNull(result) {
		return fmt.Errorf("got %s instead of no result", quoted(result))
	}
	return nil
}

func wantBool(_ question, result json.RawMessage) error {
	if text := string(result); text != "true" && text != "false" {
		return fmt.Errorf("%s is neither true nor false", quoted(result))
	}
	return nil
}

func wantNumber(bits int) func(question, json.RawMessage) error {
	return func(_ question, result json.RawMessage) error {
		_, err := number(result, bits)
		return err
	}
}

func wantObject(_ question, result json.RawMessage) error {
	_, err := fields(result)
	return err
}

// wantA is the check for methods whose result has a form but nothing to be checked against.
func wantA[T any](_ question, result json.RawMessage) error {
	var value T
	if isNull(result) {
		return fmt.Errorf("got nothing")
	}
	return codec.Unmarshal(result, &value)
}

// wantID is the check for methods that return one certain object.
func wantID(id string) func(question, json.RawMessage) error {
	return func(_ question, result json.RawMessage) error { return checkOnly(id, result) }
}

package walletapi

import (
	"encoding/json"
	"reflect"
)

// rawOf is JSON of the shape of T as the daemon wrote it, so that members of a
// newer daemon survive.
type rawOf[T any] json.RawMessage

// MarshalJSON is the JSON as it is.
func (r rawOf[T]) MarshalJSON() ([]byte, error) { return r, nil }

func (rawOf[T]) schema(s *schemas) Schema { return s.of(reflect.TypeFor[T]()) }
func (rawOf[T]) word() string             { return wordOf(reflect.TypeFor[T]()) }

// raw types JSON that a read of the daemon returned.
func raw[T any](data json.RawMessage, err error) (rawOf[T], error) { return rawOf[T](data), err }

// rawOrNull is rawOf, or null where there is nothing of that name.
type rawOrNull[T any] json.RawMessage

// MarshalJSON is the JSON as it is.
func (r rawOrNull[T]) MarshalJSON() ([]byte, error) { return r, nil }

func (rawOrNull[T]) schema(s *schemas) Schema {
	return Schema{AnyOf: []Schema{s.of(reflect.TypeFor[T]()), {Type: "null"}}}
}
func (rawOrNull[T]) word() string { return wordOf(reflect.TypeFor[T]()) + " or null" }

// rawList is a list of JSON, each of the shape of T.
type rawList[T any] []json.RawMessage

func (rawList[T]) schema(s *schemas) Schema {
	item := s.of(reflect.TypeFor[T]())
	return Schema{Type: "array", Items: &item}
}
func (rawList[T]) word() string { return listOf(reflect.TypeFor[T]()) }

// null is the result of an operation that answers nothing.
type null = *struct{}

package walletapi

import (
	"encoding/json"
	"reflect"
)

// rawOf is JSON in the shape of T, as the daemon wrote it, so that members that
// only a newer daemon has survive.
type rawOf[T any] json.RawMessage

// MarshalJSON returns the JSON unchanged.
func (r rawOf[T]) MarshalJSON() ([]byte, error) { return r, nil }

func (rawOf[T]) schema(s *schemas) Schema { return s.of(reflect.TypeFor[T]()) }
func (rawOf[T]) word() string             { return wordOf(reflect.TypeFor[T]()) }

// raw adds a type to JSON that the daemon returned.
func raw[T any](data json.RawMessage, err error) (rawOf[T], error) { return rawOf[T](data), err }

// rawOrNull is rawOf, or null if the object does not exist.
type rawOrNull[T any] json.RawMessage

// MarshalJSON returns the JSON unchanged.
func (r rawOrNull[T]) MarshalJSON() ([]byte, error) { return r, nil }

func (rawOrNull[T]) schema(s *schemas) Schema {
	return Schema{AnyOf: []Schema{s.of(reflect.TypeFor[T]()), {Type: "null"}}}
}
func (rawOrNull[T]) word() string { return wordOf(reflect.TypeFor[T]()) + " or null" }

// rawList is a list of JSON values, each in the shape of T.
type rawList[T any] []json.RawMessage

func (rawList[T]) schema(s *schemas) Schema {
	item := s.of(reflect.TypeFor[T]())
	return Schema{Type: "array", Items: &item}
}
func (rawList[T]) word() string { return listOf(reflect.TypeFor[T]()) }

// null is the result of an operation that returns nothing.
type null = *struct{}

package txbuild

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/ownobject"
)

// Spend turns parameters into operations. It resolves every word through the
// Builder, sets no fee and signs nothing.
type Spend[P any] func(ctx context.Context, b *Builder, p P) ([]ledger.Operation, error)

// Request is a spend with its parameters.
type Request struct {
	Op string // the wallet operation, such as "transfer"

	params any
	spend  func(ctx context.Context, b *Builder) ([]ledger.Operation, error)
	here   []ledger.Effect   // on this machine; see With
	begun  ownobject.Numbers // the newest states of objects when its caller began to make the operations; nil: not known
}

// NewRequest binds a spend to its parameters. op is the wallet operation.
func NewRequest[P any](op string, p P, spend Spend[P]) Request {
	return Request{Op: op, params: p, spend: func(ctx context.Context, b *Builder) ([]ledger.Operation, error) { return spend(ctx, b, p) }}
}

// Begun returns the request with the newest states of objects when its caller began to make the operations: what was the same then, and is
// set otherwise by them, is set knowingly.
func (r Request) Begun(numbers ownobject.Numbers) Request {
	r.begun = numbers
	return r
}

// With returns the request with effects that its operations do not name, such as on files of this machine. They are shown and approved like
// the others.
func (r Request) With(effects ...ledger.Effect) Request {
	r.here = effects
	return r
}

// Words returns the operation and its parameters as text, in the order of the fields.
// A repeated request is recognised by them, so the order must not change.
func (r Request) Words() []string {
	words := []string{r.Op}
	params := reflect.ValueOf(r.params)
	for i := range params.NumField() {
		words = append(words, wordOf(params.Field(i).Interface()))
	}
	return words
}

// valuesOf returns the texts of the parameters with one of these roles.
func (r Request) valuesOf(roles ...string) (out []string) {
	params := reflect.ValueOf(r.params)
	for i := range params.NumField() {
		if !slices.Contains(roles, params.Type().Field(i).Tag.Get("role")) {
			continue
		}
		switch value := params.Field(i).Interface().(type) {
		case string:
			out = append(out, value)
		case []string:
			out = append(out, value...)
		}
	}
	return out
}

// wordOf returns a parameter as text; lists and structs become the ledger's JSON.
func wordOf(value any) string {
	if text, ok := value.(fmt.Stringer); ok {
		return text.String()
	}
	switch reflect.TypeOf(value).Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer:
		if text, err := codec.Marshal(value); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}

package rpcserver

import (
	"context"
	"encoding/json"
)

// Params are the parameters of one call: by position or by name, never both.
// Both nil means none were given.
type Params struct {
	Positional []json.RawMessage
	Named      map[string]json.RawMessage
}

// Caller executes wallet operations. Call is used by many goroutines at once
// and must return soon after ctx has ended. The result is one JSON value, nil
// means null. Errors are *walletcore.Error; any other error is answered as an
// internal fault without its text, which might hold a secret.
// The raw parameters share memory with the request and are not to be modified.
type Caller interface {
	Call(ctx context.Context, method string, params Params) (json.RawMessage, error)
}

// CallerFunc lets a function be a Caller.
type CallerFunc func(ctx context.Context, method string, params Params) (json.RawMessage, error)

// Call calls f.
func (f CallerFunc) Call(ctx context.Context, method string, params Params) (json.RawMessage, error) {
	return f(ctx, method, params)
}

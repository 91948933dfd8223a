package rpcserver

import (
	"context"
	"encoding/json"

	"billfold/walletcore/walletapi"
)

// Params are the parameters of one call; Exact is set for a request that says
// "jsonrpc":"2.0", so that surplus parameters are an error there and ignored,
// as the reference does, elsewhere.
type Params = walletapi.Params

// Caller executes wallet operations. Call is used by many goroutines concurrently
// and must return soon after ctx has ended. The result is one JSON value, nil
// means null. Errors are *fault.Error; any other error is answered as an
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

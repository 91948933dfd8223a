package rpcserver

import (
	"context"
	"encoding/json"

	"billfold/walletcore/walletapi"
)

// Params are the parameters of one call. Exact is set for a request that says
// "jsonrpc":"2.0": surplus parameters are an error there. In other requests they are
// ignored, as the reference does.
type Params = walletapi.Params

// Caller executes wallet operations. Call must be safe for concurrent use and return
// soon after ctx has ended. The result is one JSON value; nil means null. Errors are
// *fault.Error; any other error is answered as an internal fault without its text,
// which might hold a secret. Call must not modify the raw parameters, which share
// memory with the request.
type Caller interface {
	Call(ctx context.Context, method string, params Params) (json.RawMessage, error)
}

// CallerFunc is a function used as a Caller.
type CallerFunc func(ctx context.Context, method string, params Params) (json.RawMessage, error)

// Call calls f.
func (f CallerFunc) Call(ctx context.Context, method string, params Params) (json.RawMessage, error) {
	return f(ctx, method, params)
}

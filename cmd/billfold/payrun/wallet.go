package payrun

import (
	"context"
	"encoding/json"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/walletapi"
)

// call executes an operation and reads what it answers.
func call[T any](ctx context.Context, w shell.Wallet, method string, params ...any) (T, error) {
	return callNamed[T](ctx, w, method, nil, params...)
}

// callNamed is call with parameters that have no position.
func callNamed[T any](
	ctx context.Context, w shell.Wallet, method string, named map[string]json.RawMessage, params ...any,
) (out T, err error) {
	p := walletapi.Params{Positional: make([]json.RawMessage, len(params)), Named: named, Exact: true}
	for i, value := range params {
		if p.Positional[i], err = json.Marshal(value); err != nil {
			return out, err
		}
	}
	result, err := w.Call(ctx, method, p)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(result, &out); err != nil {
		return out, &fault.Error{Code: fault.Internal, Op: method, Message: "the answer of " + method + " cannot be read", Err: err}
	}
	return out, nil
}

// account is what a payout needs of an account.
type account struct {
	ID      ledger.AccountID `json:"id"`
	Name    string           `json:"name"`
	Options struct {
		MemoKey ledger.PublicKey `json:"memo_key"`
	} `json:"options"`
}

// asset is what a payout needs of an asset.
type asset struct {
	ID        ledger.AssetID `json:"id"`
	Symbol    string         `json:"symbol"`
	Precision uint8          `json:"precision"`
}

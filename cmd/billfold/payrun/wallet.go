package payrun

import (
	"context"
	"encoding/json"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/walletapi"
)

// call executes an operation and decodes its result.
func call[T any](ctx context.Context, w shell.Wallet, method string, params ...any) (T, error) {
	return callNamed[T](ctx, w, method, nil, params...)
}

// callNamed is call with additional named parameters.
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

// askPayment executes an operation that returns a payment. What has no state, such as null from a proxy, is none.
func askPayment(ctx context.Context, w shell.Wallet, method string, params ...any) (payment.Info, error) {
	info, err := call[payment.Info](ctx, w, method, params...)
	if err == nil && info.State == "" {
		err = &fault.Error{Code: fault.OutcomeUnknown, Op: method, Message: "the answer of " + method + " names no payment",
			Hint: "look the payments up with billfold call list_payments, or run the same command again: it pays nothing twice"}
	}
	return info, err
}

// account is the part of an account that a payout needs.
type account struct {
	ID      ledger.AccountID `json:"id"`
	Name    string           `json:"name"`
	Options struct {
		MemoKey ledger.PublicKey `json:"memo_key"`
	} `json:"options"`
}

func (a account) ref() ledgerview.AccountRef { return ledgerview.AccountRef{ID: a.ID, Name: a.Name} }

// asset is the part of an asset that a payout needs.
type asset struct {
	ID        ledger.AssetID `json:"id"`
	Symbol    string         `json:"symbol"`
	Precision uint8          `json:"precision"`
}

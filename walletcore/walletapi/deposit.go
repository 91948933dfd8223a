package walletapi

import (
	"context"

	"billfold/walletcore/deposit"
	"billfold/walletcore/fault"
)

type nextDepositsParams struct {
	Account string `json:"account" role:"account" help:"account name or id"`
	Limit   uint32 `json:"limit" help:"at most 1000"`
}

type ackDepositParams struct {
	Account  string `json:"account" role:"account" help:"account name or id"`
	Position string `json:"position" help:"of the last processed deposit, as deposits.next listed it; 0.0.0.0 is before all"`
}

func depositMethods() []*Method {
	return []*Method{
		read(
			"deposits.next",
			doc{Help: "Lists incoming irreversible transfers that have not been acknowledged yet.", Examples: []string{"shop 100"},
				Result: "oldest first, amount in smallest units as text. " +
					"proof is signatures: the miners' signatures show the transfer in its block; daemons: a proposal made it, which no " +
					"block shows, and all daemons that --daemon-quorum asks agree on it. " +
					"Otherwise a proposal's transfer is left out, and the log warns of it; in events, proof is node for what is not " +
					"irreversible yet: one daemon's word"},
			func(ctx context.Context, w *Core, p nextDepositsParams) ([]deposit.Deposit, error) {
				if w.Deposits == nil {
					return nil, errNoDeposits("deposits.next")
				}
				return w.Deposits.Next(ctx, p.Account, p.Limit)
			},
		),
		write(
			"deposits.ack",
			doc{
				Help: "Acknowledges a deposit and all before it; deposits.next never lists them again. " +
					"A position that is not an irreversible deposit of this account is refused, and nothing is acknowledged.",
				Examples: []string{"shop 1234.0.0.0"}, Result: "false if it, or a later one, was acknowledged already",
			},
			func(ctx context.Context, w *Core, p ackDepositParams) (bool, error) {
				if w.Deposits == nil {
					return false, errNoDeposits("deposits.ack")
				}
				return w.Deposits.Ack(ctx, p.Account, p.Position)
			}),
	}
}

// errNoDeposits returns the error of a program that keeps no deposit cursors.
func errNoDeposits(method string) error {
	return &fault.Error{Code: fault.UnsupportedOperation, Op: method, Message: "this program has no record of acknowledged deposits",
		Hint: "ask the wallet server for them"}
}

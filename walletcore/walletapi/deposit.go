package walletapi

import (
	"context"
	"time"

	"billfold/walletcore/deposit"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

type nextDepositsParams struct {
	Account string `json:"account" role:"account" help:"account name or id"`
	Limit   uint32 `json:"limit" help:"at most 1000"`
}

type waitDepositsParams struct {
	Account string `json:"account" role:"account" help:"account name or id"`
	Limit   uint32 `json:"limit" help:"at most 1000"`
	Seconds uint32 `json:"seconds" help:"the longest wait, at most 50"`
}

type sinceDepositsParams struct {
	Account  string `json:"account" role:"account" help:"account name or id"`
	Position string `json:"position" help:"deposits after this one; 0.0.0.0 is before all"`
	Limit    uint32 `json:"limit" help:"at most 1000"`
}

type ackDepositParams struct {
	Account  string `json:"account" role:"account" help:"account name or id"`
	Position string `json:"position" help:"of the last processed deposit, as deposits.next listed it; 0.0.0.0 is before all"`
	Unread   bool   `json:"unread_memos,omitempty" help:"true: also those whose memo is locked"`
}

// depositRows describes what lists of deposits hold.
const depositRows = "oldest first, amount in smallest units as text. " + deposit.MemoStatuses + ". " +
	"proof is signatures: the miners' signatures show the transfer in its block; daemons: a proposal made it, which no " +
	"block shows, and all daemons that --daemon-quorum asks agree on it, and transaction_id is null. " +
	"Otherwise a proposal's transfer is left out, and the log warns of it; in events, proof is node, and transaction_id null, for what is not " +
	"irreversible yet: one daemon's word"

func depositMethods() []*Method {
	return []*Method{
		read(
			"deposits.next",
			doc{Help: "Lists incoming irreversible transfers that have not been acknowledged yet.", Examples: []string{"shop 100"},
				Result: depositRows},
			func(ctx context.Context, w *Core, p nextDepositsParams) ([]deposit.Deposit, error) {
				if w.Deposits == nil {
					return nil, errNoDeposits("deposits.next")
				}
				return w.Deposits.Next(ctx, p.Account, p.Limit)
			},
		),
		read(
			"deposits.wait",
			doc{Help: "Lists what deposits.next does; while there is nothing, it waits until there is, or the time is over.", Pace: PaceWaits,
				Examples: []string{"shop 100 50"}, Result: "as of deposits.next; empty if the time is over"},
			waitDeposits,
		),
		read(
			"deposits.since",
			doc{Help: "Lists incoming irreversible transfers after a position, acknowledged or not: for books that are made again.",
				Examples: []string{"shop 1234.0.0.0 100"}, Result: "as of deposits.next"},
			func(ctx context.Context, w *Core, p sinceDepositsParams) ([]deposit.Deposit, error) {
				if w.Deposits == nil {
					return nil, errNoDeposits("deposits.since")
				}
				return w.Deposits.Since(ctx, p.Account, p.Position, p.Limit)
			},
		),
		write(
			"deposits.ack",
			doc{
				Help: "Acknowledges a deposit and all before it; deposits.next never lists them again. " +
					"A position that is not an irreversible deposit of this account is refused, and nothing is acknowledged. " +
					"So is one whose memo, or that of one before it, is locked: it may say whose the deposit is.",
				Examples: []string{"shop 1234.0.0.0"}, Result: "false if it, or a later one, was acknowledged already",
			},
			func(ctx context.Context, w *Core, p ackDepositParams) (bool, error) {
				if w.Deposits == nil {
					return false, errNoDeposits("deposits.ack")
				}
				return w.Deposits.Ack(ctx, p.Account, p.Position, p.Unread)
			}),
	}
}

const (
	// longestDepositWait is below the time that a call may take.
	longestDepositWait = 50

	// depositPause is the time between two looks, however much happens.
	depositPause = 250 * time.Millisecond
)

// waitDeposits lists deposits as soon as there are some.
func waitDeposits(ctx context.Context, w *Core, p waitDepositsParams) ([]deposit.Deposit, error) {
	switch {
	case w.Deposits == nil:
		return nil, errNoDeposits("deposits.wait")
	case p.Seconds > longestDepositWait:
		return nil, &fault.Error{Code: fault.LimitExceeded, Op: "deposits.wait", Message: "the longest wait is 50 seconds",
			Hint: "wait for at most that long, and ask again"}
	}
	events, stop := w.Subscribe()
	defer stop()
	end := time.NewTimer(time.Duration(p.Seconds) * time.Second)
	defer end.Stop()
	for {
		list, err := w.Deposits.Next(ctx, p.Account, p.Limit)
		if err != nil || len(list) > 0 {
			return list, err
		}
		for news := false; !news; {
			select {
			case e := <-events:
				news = e.Kind == event.Block || e.Kind == event.History || e.Kind == event.Daemon
			case <-end.C:
				return list, nil
			case <-ctx.Done():
				return nil, fault.Daemon("deposits.wait", ctx.Err())
			}
		}
		select {
		case <-time.After(depositPause):
		case <-end.C:
			return list, nil
		case <-ctx.Done():
			return nil, fault.Daemon("deposits.wait", ctx.Err())
		}
	}
}

// errNoDeposits returns the error of a program that keeps no deposit cursors.
func errNoDeposits(method string) error {
	return &fault.Error{Code: fault.UnsupportedOperation, Op: method, Message: "this program has no record of acknowledged deposits",
		Hint: "ask the wallet server for them"}
}

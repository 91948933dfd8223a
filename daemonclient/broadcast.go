package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// Inclusion is the daemon's notice that a transaction was included in a block.
type Inclusion struct {
	ID          ledger.TransactionID        `json:"id"`
	BlockNum    uint32                      `json:"block_num"`
	TrxNum      uint32                      `json:"trx_num"` // index in the block, from 0
	Transaction ledger.ProcessedTransaction `json:"trx"`
}

// BroadcastTransaction sends a signed transaction to the daemon, which checks it, keeps it for a block and passes it
// on. It is sent once and never repeated.
//
// A nil error means that the daemon accepted it; a *RemoteError that it refused (IsDuplicate: it has it already); an
// *OutcomeUnknownError that it was sent and may take effect: the same bytes may be sent again, to whichever daemon is
// then in use. With any other error, including ErrStale, it was not sent.
func (c *Client) BroadcastTransaction(ctx context.Context, tx *ledger.SignedTransaction) error {
	return c.Call(ctx, NetworkBroadcast, "broadcast_transaction", nil, tx)
}

// BroadcastTransactionWithCallback is BroadcastTransaction that also waits, in the background, for the block. included
// receives one Inclusion and is closed. It is closed without one if the connection breaks first, or if the notice is of
// another transaction: then look the id up. A transaction that never gets into a block sends nothing: call stop, which
// closes included, once its expiration has passed or nobody waits any longer.
func (c *Client) BroadcastTransactionWithCallback(ctx context.Context,
	tx *ledger.SignedTransaction) (included <-chan Inclusion, stop func(), err error) {
	r := newBareRequest(NetworkBroadcast, "broadcast_transaction_with_callback")
	id, err := tx.ID()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", r.method, err)
	}
	cn, err := c.pool.current(r.set)
	if err != nil {
		return nil, nil, c.explain(ctx, r, err)
	}
	notices := make(chan Inclusion, 1)
	number, err := cn.addCallback(inclusionCallback(id, notices))
	if err != nil {
		return nil, nil, c.explain(ctx, r, err)
	}
	limited, cancel := c.limit(ctx)
	defer cancel()
	if r, err = newRequest(r.set, r.method, []any{number, tx}); err == nil {
		_, err = cn.do(limited, r)
	}
	if err != nil {
		cn.removeCallback(number)
		return nil, nil, c.explain(ctx, r, err)
	}
	return notices, func() {
		if cn.removeCallback(number) {
			close(notices)
		}
	}, nil
}

// inclusionCallback passes the one notice on if it is of this transaction. The connection ensures that only one of its
// functions runs, and only once.
func inclusionCallback(id ledger.TransactionID, notices chan<- Inclusion) callback {
	return callback{
		once: true,
		notice: func(args json.RawMessage) {
			var list []Inclusion
			if inspect(args) == nil && codec.Unmarshal(args, &list) == nil && len(list) == 1 {
				if got, err := list[0].Transaction.ID(); err == nil && got == id && list[0].ID == id {
					notices <- list[0]
				}
			}
			close(notices)
		},
		lost: func() { close(notices) },
	}
}

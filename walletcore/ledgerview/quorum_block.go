package ledgerview

import (
	"context"
	"errors"
	"fmt"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// ErrUnproven means that a block cannot currently be shown to be irreversible.
var ErrUnproven = errors.New("the miners' signatures do not show it")

// Block asks, with --daemon-quorum, several daemons for the id of a block
// that is proven irreversible; each has it in the next block's header. Without a
// quorum the signatures are enough, and nobody is asked. Errors:
// fault.DaemonsDisagree, fault.DaemonContradicts when they agree on another one than id,
// and the daemons'.
func (q *Quorum) Block(ctx context.Context, num uint32, id ledger.BlockID) error {
	if q.isSingle() {
		return nil
	}
	agreed, known := q.blocks.Get(num)
	if !known {
		header, err := daemonclient.AskQuorum(ctx, q.daemon, fmt.Sprintf("block %d", num),
			func(ctx context.Context, q daemonclient.Queries) (*ledger.BlockHeader, error) {
				return q.GetBlockHeader(ctx, num+1)
			},
			func(h *ledger.BlockHeader) string {
				if h == nil {
					return "there is none after it"
				}
				return h.Previous.String()
			})
		if err != nil {
			return fault.Daemon("asking for block "+fmt.Sprint(num), err)
		}
		if header == nil {
			return fault.Daemon("asking for block "+fmt.Sprint(num), ErrUnproven)
		}
		agreed = header.Previous
		q.blocks.Add(num, agreed)
	}
	if agreed != id {
		return &fault.Error{Code: fault.DaemonContradicts, Op: "finality",
			Message: fmt.Sprintf("block %d is %s by the miners' signatures, and %s by what the daemons agree on", num, id, agreed),
			Hint:    "do not rely on it; check the daemons that --daemon-url names"}
	}
	return nil
}

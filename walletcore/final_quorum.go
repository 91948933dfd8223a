package walletcore

import (
	"context"
	"fmt"
	"sync"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// largePayment is what is called large, in smallest units of DCT: 1,000 DCT.
// Payments in other assets, whose worth is nobody's word, all are.
const largePayment = 1000 * 1_0000_0000

// agreedBlocks are the ids that several daemons agreed on, of irreversible blocks.
type agreedBlocks struct {
	mu sync.Mutex
	id map[uint32]ledger.BlockID
}

const mostAgreedBlocks = 10_000

func (a *agreedBlocks) find(num uint32) (ledger.BlockID, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id, ok := a.id[num]
	return id, ok
}

func (a *agreedBlocks) keep(num uint32, id ledger.BlockID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.id == nil || len(a.id) >= mostAgreedBlocks {
		a.id = map[uint32]ledger.BlockID{}
	}
	a.id[num] = id
}

// agreeOnBlock asks, with --daemon-quorum, several daemons for the id of a block
// that is proven irreversible; each has it in the next block's header. Without a
// quorum the signatures are enough, and nobody is asked. Errors:
// fault.DaemonsDisagree, fault.DaemonContradicts when they agree on another one than id,
// and the daemons'.
func (w *Wallet) agreeOnBlock(ctx context.Context, num uint32, id ledger.BlockID) error {
	if w.daemon.Quorum() <= 1 {
		return nil
	}
	agreed, known := w.agreedOn.find(num)
	if !known {
		header, err := daemonclient.AskQuorum(ctx, w.daemon, fmt.Sprintf("block %d", num),
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
			return fault.Daemon("asking for block "+fmt.Sprint(num), errUnproven)
		}
		agreed = header.Previous
		w.agreedOn.keep(num, agreed)
	}
	if agreed != id {
		return &fault.Error{Code: fault.DaemonContradicts, Op: "finality",
			Message: fmt.Sprintf("block %d is %s by the miners' signatures, and %s by what the daemons agree on", num, id, agreed),
			Hint:    "rely on nothing in it; check the daemons that --daemon-url names"}
	}
	return nil
}

// isLarge says that a quorum has to agree on the block of a payment before it is
// called irreversible.
func (p *payment) isLarge() bool {
	r := &p.Review
	return r.Amount > 0 && (r.Asset.ID != ledger.CoreAsset || r.Amount >= largePayment)
}
